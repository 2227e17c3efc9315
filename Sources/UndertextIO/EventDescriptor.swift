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

    deinit {
        if number >= 0 { close(number) }
    }
}
