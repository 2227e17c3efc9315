internal import CUndertextDeflate

/// Inflates a zlib stream (RFC 1950) whose result may have `limit` bytes at most.
///
/// Bytes that follow the end of the stream are ignored, as other readers of Matroska do.
///
/// - Throws: ``InflateError/malformed`` or ``InflateError/limit``.
package func inflate(_ bytes: [UInt8], limit: Int) throws(InflateError) -> [UInt8] {
    try inflate(bytes[...], limit: limit)
}

/// Inflates a zlib stream (RFC 1950) whose result may have `limit` bytes at most.
///
/// Bytes that follow the end of the stream are ignored, as other readers of Matroska do.
///
/// - Throws: ``InflateError/malformed`` or ``InflateError/limit``.
package func inflate(_ bytes: ArraySlice<UInt8>, limit: Int) throws(InflateError) -> [UInt8] {
    try inflate(bytes, .zlib, limit: limit)
}

/// Inflates a stream without a frame (RFC 1951), as zip archives hold it.
///
/// The result may have `limit` bytes at most. Bytes that follow the end of the stream are ignored.
///
/// - Throws: ``InflateError/malformed`` or ``InflateError/limit``.
package func inflateRaw(_ bytes: ArraySlice<UInt8>, limit: Int) throws(InflateError) -> [UInt8] {
    try inflate(bytes, .raw, limit: limit)
}

/// Inflates a gzip file (RFC 1952) of one member, whose result may have `limit` bytes at most.
///
/// Bytes that follow the member are ignored.
///
/// - Throws: ``InflateError/malformed`` or ``InflateError/limit``.
package func gunzip(_ bytes: ArraySlice<UInt8>, limit: Int) throws(InflateError) -> [UInt8] {
    try inflate(bytes, .gzip, limit: limit)
}

/// The format around a compressed stream.
private enum Frame {
    case raw
    case zlib
    case gzip
}

private func inflate(
    _ bytes: ArraySlice<UInt8>, _ frame: Frame, limit: Int
) throws(InflateError) -> [UInt8] {
    guard let inflater = Inflater() else { throw InflateError.limit }
    let most = min(max(0, limit), 1 << 40)
    // Run-length coded images and text shrink to a half or a quarter; a wrong guess is tried
    // again with more room, so the work is bounded by the limit.
    let (guess, overflow) = bytes.count.multipliedReportingOverflow(by: 4)
    var capacity = min(most, overflow ? most : max(256, guess))
    while true {
        var status = LIBDEFLATE_SUCCESS
        let output = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                status = unsafe inflater.run(input, frame, into: buffer, &count)
            }
        }
        switch status {
        case LIBDEFLATE_SUCCESS: return output
        case LIBDEFLATE_INSUFFICIENT_SPACE:
            guard capacity < most else { throw InflateError.limit }
            capacity = min(most, capacity * 4)
        default: throw InflateError.malformed
        }
    }
}

/// Owns a decompressor of libdeflate.
@safe private struct Inflater: ~Copyable {
    private let decompressor: OpaquePointer

    /// Fails if memory is short.
    init?() {
        guard let made = unsafe libdeflate_alloc_decompressor() else { return nil }
        unsafe decompressor = unsafe made
    }

    deinit { unsafe libdeflate_free_decompressor(decompressor) }

    /// Inflates `input` into `output`; `count` is the number of bytes made.
    func run(
        _ input: UnsafeBufferPointer<UInt8>, _ frame: Frame,
        into output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> libdeflate_result {
        // Asked for, so that bytes may follow and fewer than there is room for may come.
        var used = 0
        return switch frame {
        case .raw:
            unsafe libdeflate_deflate_decompress_ex(
                decompressor, input.baseAddress, input.count, output.baseAddress, output.count,
                &used, &count)
        case .zlib:
            unsafe libdeflate_zlib_decompress_ex(
                decompressor, input.baseAddress, input.count, output.baseAddress, output.count,
                &used, &count)
        case .gzip:
            unsafe libdeflate_gzip_decompress_ex(
                decompressor, input.baseAddress, input.count, output.baseAddress, output.count,
                &used, &count)
        }
    }
}
