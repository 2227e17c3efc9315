internal import CUndertextDeflate

/// Compresses bytes to a zlib stream (RFC 1950).
///
/// - Parameters:
///   - bytes: the bytes to compress.
///   - level: effort, from 0 (stored) to 12.
/// - Returns: the stream; `nil` if memory is short.
package func compress(_ bytes: [UInt8], level: Int) -> [UInt8]? {
    guard let compressor = unsafe libdeflate_alloc_compressor(Int32(clamping: level)) else {
        return nil
    }
    defer { unsafe libdeflate_free_compressor(compressor) }
    let bound = unsafe libdeflate_zlib_compress_bound(compressor, bytes.count)
    let stream = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            unsafe count = libdeflate_zlib_compress(
                compressor, input.baseAddress, input.count, buffer.baseAddress, buffer.count)
        }
    }
    // A copy frees the memory that compression saved.
    return stream.isEmpty ? nil : Array(stream[...])
}

/// The checksum of bytes that follow those of `start` (RFC 1952, section 8).
package func crc32(_ bytes: ArraySlice<UInt8>, after start: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { input in
        unsafe libdeflate_crc32(start, input.baseAddress, input.count)
    }
}
