public import UndertextCore

/// A source in memory for which each request is expensive, and which records announcements.
public final class PromisedSource: RandomAccessSource {
    /// The name of the source, for messages.
    public let name = "promised"
    /// Many requests at a time.
    package let policy: ReadPolicy
    /// The number of reads that were announced.
    public private(set) var kept = 0
    /// The number of reads that were not announced.
    public private(set) var surprises = 0
    /// The reads so far.
    package private(set) var reads: [ByteRange] = []
    /// Promises that are open.
    public var open: Int { promised.values.reduce(0, +) }

    private let memory: MemorySource
    private var promised: [ByteRange: Int] = [:]

    /// Reads from `bytes`.
    public init(_ bytes: [UInt8], concurrency: Int = 8) {
        memory = MemorySource(bytes, name: "promised")
        policy = ReadPolicy(
            blockSize: 0, joinedGap: 512, concurrency: concurrency, readAhead: 1 << 20)
    }

    /// The number of bytes.
    public var size: UInt64? { memory.size }
    /// The requests so far.
    public var statistics: ReadStatistics { memory.statistics }

    /// Reads, and records whether the read was announced.
    public func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        let range = ByteRange(offset: offset, count: count)
        reads.append(range)
        if let number = promised[range] {
            promised[range] = number > 1 ? number - 1 : nil
            kept += 1
        } else {
            surprises += 1
        }
        return try memory.read(at: offset, count: count)
    }

    /// Records announced ranges.
    public func prepare(_ ranges: [ByteRange], first: Bool) {
        for range in ranges { promised[range, default: 0] += 1 }
    }
}
