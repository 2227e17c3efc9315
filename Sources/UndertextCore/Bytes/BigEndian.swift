extension [UInt8] {
    /// Appends an integer, most significant byte first.
    @inlinable
    package mutating func appendBigEndian<Value: FixedWidthInteger>(_ value: Value) {
        var shift = Value.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
