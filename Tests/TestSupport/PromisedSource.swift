public import UndertextCore

/// A source in memory where each request is dear, and that notes what it was promised.
public final class PromisedSource: RandomAccessSource {
    /// What is read, for messages.
    public let name = "promised"
    /// Many requests at a time.
    package let policy: ReadPolicy
    /// Reads that had been promised as they came.
    public private(set) var kept = 0
    /// Reads that came as a surprise.
    public private(set) var surprises = 0
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
    /// What was asked so far.
    public var statistics: ReadStatistics { memory.statistics }

    /// Reads, and looks whether that was promised.
    public func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        let range = ByteRange(offset: offset, count: count)
        if let number = promised[range] {
            promised[range] = number > 1 ? number - 1 : nil
            kept += 1
        } else {
            surprises += 1
        }
        return try memory.read(at: offset, count: count)
    }

    /// Notes what is promised.
    public func prepare(_ ranges: [ByteRange], first: Bool) {
        for range in ranges { promised[range, default: 0] += 1 }
    }
}
