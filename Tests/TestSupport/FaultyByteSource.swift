public import UndertextCore

/// A source over bytes in memory with injected faults.
///
/// ``RandomAccessSource`` guarantees fewer bytes than requested only at the end; a file that shrinks while it
/// is read, or a network, violates this, and readers must survive.
public final class FaultyByteSource: RandomAccessSource {
    /// The name of the source, for messages.
    public let name = "faulty"
    /// The requests so far.
    public private(set) var statistics = ReadStatistics()
    /// The length that it claims.
    public var size: UInt64?
    /// The maximum number of bytes per read; `nil` for no such fault.
    public var shortReads: Int?
    /// A read that touches this offset throws; `nil` for no such fault.
    public var failingOffset: UInt64?
    /// The number of reads that succeed before all fail; `nil` for no such fault.
    public var failsAfter: Int?
    /// The offset and count of every read so far.
    public private(set) var reads: [(offset: UInt64, count: Int)] = []
    /// The error of a failing read.
    public var error = UndertextError(.io, "reading failed", underlying: "injected")
    private let bytes: [UInt8]

    /// Reads from `bytes`, without a fault until one is set.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        size = UInt64(bytes.count)
    }

    /// Reads up to `count` bytes at `offset`, or fails as configured.
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
