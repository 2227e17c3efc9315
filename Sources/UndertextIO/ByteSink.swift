package import UndertextCore

/// A destination for bytes: a file that appears when it is complete, or standard output.
package protocol ByteSink: AnyObject {
    /// The path, or `stdout`, for messages.
    var path: String { get }
    /// The number of bytes written so far, including buffered ones.
    var bytesWritten: UInt64 { get }

    /// Writes bytes, which may remain in a buffer until ``flush()``.
    ///
    /// - Throws: `UndertextError` of this or an earlier write.
    func write(_ bytes: ArraySlice<UInt8>) throws(UndertextError)

    /// Writes all buffered bytes to the system.
    func flush() throws(UndertextError)
}

extension ByteSink {
    /// Writes bytes, which may remain in a buffer until ``flush()``.
    package func write(_ bytes: [UInt8]) throws(UndertextError) { try write(bytes[...]) }

    /// Writes text as UTF-8.
    package func write(_ text: String) throws(UndertextError) { try write(Array(text.utf8)[...]) }
}

/// A buffer that combines small writes.
struct WriteBuffer {
    /// The buffer size: large enough to make the cost of system calls negligible, small enough for CPU caches.
    static let capacity = 64 << 10
    private var pending: [UInt8] = []

    /// Appends bytes and writes full blocks.
    mutating func append(
        _ bytes: ArraySlice<UInt8>, to descriptor: borrowing FileDescriptor
    ) throws(SystemFailure) {
        if pending.count + bytes.count < Self.capacity {
            pending += bytes
            return
        }
        try drain(to: descriptor)
        if bytes.count < Self.capacity {
            pending += bytes
        } else {
            try Self.write(bytes, to: descriptor)
        }
    }

    /// Writes the buffered bytes; bytes that cannot be written are discarded, not retried.
    mutating func drain(to descriptor: borrowing FileDescriptor) throws(SystemFailure) {
        if pending.isEmpty { return }
        defer { pending.removeAll(keepingCapacity: true) }
        try Self.write(pending[...], to: descriptor)
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: borrowing FileDescriptor
    ) throws(SystemFailure) {
        var failure: SystemFailure?
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(SystemFailure) {
                unsafe try descriptor.writeAll(buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
