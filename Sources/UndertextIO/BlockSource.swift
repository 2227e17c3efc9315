package import UndertextCore

/// A source that reads whole blocks, and larger ones during sequential reading.
///
/// It suits inputs where a request is expensive: neighboring small reads share a request, and a sequential
/// reader needs few requests.
package final class BlockSource: RandomAccessSource {
    private struct Block {
        let start: UInt64
        let bytes: [UInt8]
        var end: UInt64 { start + UInt64(bytes.count) }
    }

    private let source: any RandomAccessSource
    private let least: Int
    private let most: Int
    /// The cached blocks, most recently used first.
    private var blocks: [Block] = []
    private var run: Int

    private static let keptBlocks = 4

    /// Creates a source that reads blocks of `source`.
    ///
    /// - Parameters:
    ///   - source: The underlying source.
    ///   - least: The minimum size of a request in bytes.
    ///   - most: The maximum size in bytes to which requests grow during sequential reading.
    package init(_ source: any RandomAccessSource, least: Int, most: Int = 4 << 20) {
        self.source = source
        self.least = max(1, least)
        self.most = max(least, most)
        run = self.least
    }

    /// The name of the underlying source, for messages.
    package var name: String { source.name }
    /// The length in bytes; `nil` if unknown.
    package var size: UInt64? { source.size }
    /// The position of the underlying source.
    package var readPosition: ReadPosition? { source.readPosition }
    /// The requests to the underlying source so far.
    package var statistics: ReadStatistics { source.statistics }

    /// Reads `count` bytes at `offset`; fewer only at the end of the source.
    package func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
        guard count > 0 else { return [] }
        var result: [UInt8] = []
        while result.count < count {
            let (place, overflow) = offset.addingReportingOverflow(UInt64(result.count))
            if overflow { break }
            let missing = count - result.count
            let held = blocks.firstIndex { $0.start <= place && place < $0.end }
            guard let held else {
                let block = try fetch(at: place, missing)
                if block.bytes.count <= missing, result.isEmpty { return block.bytes }
                result += block.bytes.prefix(missing)
                break
            }
            let block = blocks[held]
            let start = Int(place - block.start)
            result += block.bytes[start..<min(block.bytes.count, start + missing)]
        }
        return result
    }

    private func fetch(at place: UInt64, _ count: Int) throws(UndertextError) -> Block {
        let continues = blocks.first.map { $0.end == place } ?? false
        run = continues ? min(run * 2, most) : least
        let block = Block(start: place, bytes: try source.read(at: place, count: max(count, run)))
        blocks.insert(block, at: 0)
        if blocks.count > Self.keptBlocks { blocks.removeLast() }
        // Large blocks serve sequential reading and are not worth caching.
        while blocks.count > 1, blocks.dropFirst().reduce(0, { $0 + $1.bytes.count }) > most {
            blocks.removeLast()
        }
        return block
    }
}
