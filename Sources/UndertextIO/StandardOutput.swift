internal import Glibc
package import UndertextCore

/// Standard output, flushed on demand so that cues can be streamed.
///
/// If the reader closes the pipe, writes fail with code `closed-pipe`, provided that the process ignores
/// `SIGPIPE`.
package final class StandardOutput: ByteSink {
    /// `stdout`.
    package let path = "stdout"
    /// The number of bytes written so far, including buffered ones.
    package private(set) var bytesWritten: UInt64 = 0
    private var buffer = WriteBuffer()
    private var failure: UndertextError?
    // Owned by the process, so never closed here.
    private let number: CInt

    /// Creates a sink that writes to descriptor 1.
    package init() { number = STDOUT_FILENO }

    /// Creates a sink that writes to another descriptor without closing it, for tests.
    init(descriptor: CInt) { number = descriptor }

    /// `true` if a write has failed; all further writes then fail.
    package var hasFailed: Bool { failure != nil }

    /// Writes bytes, which may remain in a buffer until ``flush()``.
    package func write(_ bytes: ArraySlice<UInt8>) throws(UndertextError) {
        bytesWritten += UInt64(bytes.count)
        try attempt { (buffer, descriptor) throws(SystemFailure) in
            try buffer.append(bytes, to: descriptor)
        }
    }

    /// Writes all buffered bytes to the system.
    package func flush() throws(UndertextError) {
        try attempt { (buffer, descriptor) throws(SystemFailure) in
            try buffer.drain(to: descriptor)
        }
    }

    private func attempt(
        _ body: (inout WriteBuffer, borrowing FileDescriptor) throws(SystemFailure) -> Void
    ) throws(UndertextError) {
        if let failure { throw failure }
        let descriptor = FileDescriptor(owning: number)
        var outcome: UndertextError?
        do throws(SystemFailure) {
            try body(&buffer, descriptor)
        } catch {
            outcome = error.outputError("writing", path: path)
        }
        descriptor.relinquish()
        if let outcome {
            failure = outcome
            throw outcome
        }
    }
}
