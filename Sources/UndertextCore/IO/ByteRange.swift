/// A range of bytes in a source.
public struct ByteRange: Hashable, Sendable {
    /// The offset of the first byte.
    public var offset: UInt64
    /// The number of bytes.
    public var count: Int

    /// Creates a range.
    public init(offset: UInt64, count: Int) {
        self.offset = offset
        self.count = count
    }

    /// The offset after the last byte; saturates.
    public var end: UInt64 {
        let (sum, overflow) = offset.addingReportingOverflow(UInt64(max(0, count)))
        return overflow ? .max : sum
    }
}
