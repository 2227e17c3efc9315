internal import Glibc
package import UndertextCore

/// Standard output, flushed on demand: the streaming interface writes cue by cue.
///
/// A reader that goes away is an `UndertextError` with code `closed-pipe`, provided that the process
/// ignores `SIGPIPE`, which is the command's business.
package final class StandardOutput: ByteSink {
    /// `stdout`.
    package let path = "stdout"
    /// Bytes taken so far.
    package private(set) var bytesWritten: UInt64 = 0
    private var buffer = WriteBuffer()
    private var failure: UndertextError?
    // Borrowed from the process: never closed here.
    private let number: CInt

    /// Writes to descriptor 1.
    package init() { number = STDOUT_FILENO }

    /// Writes to another descriptor, which stays open: for tests.
    init(descriptor: CInt) { number = descriptor }

    /// `true` if writing has failed: then it fails for ever.
    package var hasFailed: Bool { failure != nil }

    /// Takes bytes, which may wait in a buffer.
    package func write(_ bytes: ArraySlice<UInt8>) throws(UndertextError) {
        bytesWritten += UInt64(bytes.count)
        try attempt { (buffer, descriptor) throws(SystemFailure) in
            try buffer.append(bytes, to: descriptor)
        }
    }

    /// Hands all bytes to the system: the reader sees them now.
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
