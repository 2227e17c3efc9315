internal import Glibc
package import UndertextCore

/// A pipe, FIFO, socket or terminal that is read once, in order, with cancellable reads.
package final class PipeSource: SequentialSource {
    /// The path, or `stdin`, for messages.
    package let name: String
    /// The reads so far.
    package private(set) var statistics = ReadStatistics()

    /// The owned descriptor; `nil` for standard input, which is never closed.
    private let owned: FileDescriptor?
    private let number: CInt
    private let cancellation: Cancellation
    /// The interval between checks for cancellation in milliseconds.
    private static let tick: CInt = 100
    private static let largestRead = 1 << 20

    /// Opens a FIFO or a device.
    ///
    /// A FIFO can be opened without a writer; the first read waits for one.
    ///
    /// - Parameters:
    ///   - path: The path of the FIFO or device.
    ///   - cancellation: Stops reads within 100 ms.
    /// - Throws: ``UndertextError`` with code `not-found`, `permission-denied`, `is-directory` or `io`.
    package init(path: String, cancellation: Cancellation = Cancellation()) throws(UndertextError) {
        if case .directory = try FileKind(of: path) {
            throw UndertextError(.isDirectory, "it is a folder; specify a file in it", path: path)
        }
        name = path
        self.cancellation = cancellation
        do throws(SystemFailure) {
            // Blocking `open` would wait for the FIFO's writer and ignore cancellation.
            let descriptor = try FileDescriptor(
                path: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK)
            number = descriptor.number
            owned = consume descriptor
        } catch {
            throw error.mediaError("opening", path: path)
        }
    }

    /// Creates a source that reads standard input, which is never closed.
    package init(standardInput cancellation: Cancellation) {
        name = "stdin"
        owned = nil
        number = STDIN_FILENO
        self.cancellation = cancellation
        // A shell may have redirected a file to standard input.
        var info = stat()
        if unsafe fstat(STDIN_FILENO, &info) == 0 { InputFiles.note(info) }
    }

    /// Creates a source that reads the caller's descriptor and never closes it.
    ///
    /// - Throws: ``UndertextError`` with code `io` if it is not open for reading, or `is-directory`.
    package init(
        descriptor: CInt, name: String, cancellation: Cancellation
    ) throws(UndertextError) {
        self.name = name
        owned = nil
        number = descriptor
        self.cancellation = cancellation
        var info = stat()
        guard unsafe fstat(descriptor, &info) == 0 else {
            throw SystemFailure.last.mediaError("opening", path: name)
        }
        guard info.st_mode & S_IFMT != S_IFDIR else {
            throw UndertextError(.isDirectory, "it is a folder; specify a file in it", path: name)
        }
        InputFiles.note(info)
    }

    /// Reads the next bytes, at most `count`; an empty array is the end.
    ///
    /// It waits for at least one byte, and returns the bytes that are available then.
    package func read(upTo count: Int) throws(UndertextError) -> [UInt8] {
        guard count > 0 else { return [] }
        statistics.requests += 1
        let wanted = min(count, Self.largestRead)
        do throws(SystemFailure) {
            while true {
                try waitForBytes()
                if cancellation.isCancelled { break }
                guard let bytes = try readAvailable(wanted) else { continue }
                statistics.bytesRead += UInt64(bytes.count)
                return bytes
            }
        } catch {
            let offset = statistics.bytesRead
            throw error.mediaError("reading", path: name, byteOffset: offset)
        }
        throw UndertextError(.cancelled, "reading was stopped", path: name)
    }

    /// Waits until a read would not block, or the job is cancelled.
    private func waitForBytes() throws(SystemFailure) {
        while !cancellation.isCancelled {
            var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&request, 1, Self.tick)
            if ready > 0 { return }
            if ready < 0, errno != EINTR { throw .last }
        }
    }

    /// Reads the available bytes; `nil` if another reader of the pipe took them.
    private func readAvailable(_ count: Int) throws(SystemFailure) -> [UInt8]? {
        var failure: SystemFailure?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            let result = unsafe Glibc.read(number, buffer.baseAddress, count)
            if result < 0 { failure = .last }
            done = max(0, result)
        }
        guard let failure else { return bytes }
        if failure.number == EAGAIN || failure.number == EINTR { return nil }
        throw failure
    }
}
