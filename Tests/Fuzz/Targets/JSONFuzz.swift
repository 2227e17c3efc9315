import UndertextCore

/// A value that was read is written, and read again as the same value.
func jsonFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let value = try? JSON(parsing: bytes, depth: 64, values: 10_000) else { return 0 }
    precondition((try? JSON(parsing: value.compact, depth: 64)) == value)
    _ = (value["a"]?.wholeNumber, value.fraction, value.flag, value.elements.count)
    return 0
}
