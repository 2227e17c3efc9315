import UndertextDeflate

/// Inflates the input with a small limit.
func deflateFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let output = try? inflate(bytes, limit: 1 << 16) { precondition(output.count <= 1 << 16) }
    return 0
}
