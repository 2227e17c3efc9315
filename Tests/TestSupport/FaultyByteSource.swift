public import UndertextCore

/// A source over bytes in memory that misbehaves as told.
///
/// ``RandomAccessSource`` promises fewer bytes than asked only at the end; a file that shrinks while it is
/// read, or a network, breaks that promise, which readers must survive.
public final class FaultyByteSource: RandomAccessSource {
    /// What is read, for messages.
    public let name = "faulty"
    /// What was asked of the source so far.
    public private(set) var statistics = ReadStatistics()
    /// The length that it claims.
    public var size: UInt64?
    /// At most so many bytes come at once; `nil` for no such fault.
    public var shortReads: Int?
    /// A read that touches this offset throws; `nil` for no such fault.
    public var failingOffset: UInt64?
    /// So many reads succeed, then all throw; `nil` for no such fault.
    public var failsAfter: Int?
    /// The offset and count of every read so far.
    public private(set) var reads: [(offset: UInt64, count: Int)] = []
    /// What a failing read throws.
    public var error = UndertextError(.io, "reading failed", underlying: "injected")
    private let bytes: [UInt8]

    /// Reads from `bytes`, without a fault until one is set.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        size = UInt64(bytes.count)
    }

    /// Reads up to `count` bytes at `offset`, or fails as told.
    public func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        statistics.bytesRead += UInt64(max(0, count))
        statistics.requests += 1
        reads.append((offset, count))
        if let failsAfter, reads.count > failsAfter { throw error }
        guard count > 0, offset < UInt64(bytes.count) else { return [] }
        let start = Int(offset)
        let end = start + min(count, shortReads ?? count, bytes.count - start)
        if let failingOffset, (offset..<UInt64(end)).contains(failingOffset) { throw error }
        return Array(bytes[start..<end])
    }
}
