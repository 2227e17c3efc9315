internal import CZlib

/// Inflates a zlib stream (RFC 1950) whose result may have `limit` bytes at most.
///
/// Bytes that follow the end of the stream are ignored, as other readers of Matroska do.
///
/// - Throws: ``InflateError`` with code ``InflateError/Code/malformed``,
///   ``InflateError/Code/truncated`` or ``InflateError/Code/limit``.
public func inflate(_ bytes: [UInt8], limit: Int) throws(InflateError) -> [UInt8] {
    try inflate(bytes[...], limit: limit)
}

/// Inflates a zlib stream (RFC 1950) whose result may have `limit` bytes at most.
///
/// Bytes that follow the end of the stream are ignored, as other readers of Matroska do.
///
/// - Throws: ``InflateError`` with code ``InflateError/Code/malformed``,
///   ``InflateError/Code/truncated`` or ``InflateError/Code/limit``.
public func inflate(_ bytes: ArraySlice<UInt8>, limit: Int) throws(InflateError) -> [UInt8] {
    guard !bytes.isEmpty else { throw InflateError(.truncated) }
    guard bytes.count <= Int(UInt32.max) else { throw InflateError(.limit) }
    guard let inflater = Inflater() else { throw InflateError(.malformed) }
    let result = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe inflater.run(input, limit: min(max(0, limit), 1 << 40))
    }
    return try result.get()
}

/// Owns zlib's stream, whose address must not change while it is in use.
@safe private struct Inflater: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit_(stream, zlibVersion(), size) == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Takes all output of `input`, growing the result step by step up to `limit`.
    func run(
        _ input: UnsafeBufferPointer<UInt8>, limit: Int
    ) -> Result<[UInt8], InflateError> {
        // zlib does not write through next_in; its C type lacks the const.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        var output: [UInt8] = []
        var step = min(max(256, input.count &* 4), 1 << 20)
        while true {
            // One byte more than allowed tells "exactly the limit" from "more than the limit".
            let capacity = min(step, limit - output.count + 1)
            var status = Z_OK
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(capacity)
                status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                count = unsafe capacity - Int(stream.pointee.avail_out)
            }
            output += chunk
            guard output.count <= limit else { return .failure(InflateError(.limit)) }
            switch status {
            case Z_STREAM_END: return .success(output)
            case Z_OK, Z_BUF_ERROR:
                // Room left and no more input: the stream was cut off.
                if chunk.count < capacity { return .failure(InflateError(.truncated)) }
            default: return .failure(InflateError(.malformed))
            }
            step = min(step * 2, 1 << 20)
        }
    }
}
