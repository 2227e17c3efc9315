package import UndertextCore

/// Where bytes go: a file that appears when it is complete, or standard output.
package protocol ByteSink: AnyObject {
    /// The path, or `stdout`, for messages.
    var path: String { get }
    /// Bytes taken so far.
    var bytesWritten: UInt64 { get }

    /// Takes bytes, which may wait in a buffer.
    ///
    /// - Throws: `UndertextError`, from this or an earlier write.
    func write(_ bytes: ArraySlice<UInt8>) throws(UndertextError)

    /// Hands all bytes to the system.
    func flush() throws(UndertextError)
}

extension ByteSink {
    /// Takes bytes, which may wait in a buffer.
    package func write(_ bytes: [UInt8]) throws(UndertextError) { try write(bytes[...]) }

    /// Takes a text as UTF-8.
    package func write(_ text: String) throws(UndertextError) { try write(Array(text.utf8)[...]) }
}

/// Gathers small writes.
struct WriteBuffer {
    /// A block of 64 KiB: large enough that the calls do not count, small enough for any cache.
    static let capacity = 64 << 10
    private var pending: [UInt8] = []

    /// Takes bytes; hands over full blocks.
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

    /// Hands over what waits, once: what could not be written is not tried again.
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
