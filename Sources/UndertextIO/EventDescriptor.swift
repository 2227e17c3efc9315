internal import CUndertextLinux
internal import Glibc

/// A descriptor that becomes readable after a signal, for event loops; C: `eventfd`.
package final class EventDescriptor: Sendable {
    /// The descriptor, owned by this object.
    package let number: Int32

    /// Opens a descriptor, or returns `nil` if the system has none left.
    package init?() {
        number = clinux_event_descriptor()
        if number < 0 { return nil }
    }

    /// Makes the descriptor readable.
    package func signal() { clinux_signal_event(number) }

    /// Waits for a signal, for changes of folders, or until `timeout` has passed, and takes the signal; C: `poll`.
    ///
    /// - Parameters:
    ///   - folders: The watches whose changes end the wait, too.
    ///   - timeout: The time to wait at most; `nil` = any.
    package func wait(or folders: FolderEvents? = nil, timeout: Duration?) {
        var requests = [pollfd(fd: number, events: Int16(POLLIN), revents: 0)]
        if let folders {
            requests.append(pollfd(fd: folders.number, events: Int16(POLLIN), revents: 0))
        }
        // An interrupted or early wait is as good as one that has ended: callers look at their state.
        let milliseconds = timeout.map { time -> Int32 in
            let seconds = min(max(time, .zero), .seconds(1_000_000)) / .milliseconds(1)
            return Int32(seconds.rounded(.up))
        }
        _ = unsafe poll(&requests, nfds_t(requests.count), milliseconds ?? -1)
        var count: UInt64 = 0
        if requests[0].revents != 0 { _ = unsafe read(number, &count, 8) }
    }

    deinit {
        if number >= 0 { close(number) }
    }
}
