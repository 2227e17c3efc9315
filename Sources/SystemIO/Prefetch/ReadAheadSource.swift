public import MediaCore

/// A source that reads on while its reader works, where that goes from block to block.
///
/// From the page cache most of the time goes into copying; threads copy the next blocks
/// meanwhile. Not `Sendable`: one reader at a time.
public final class ReadAheadSource: ByteSource {
    private let source: any ByteSource
    private let connect: PrefetchingSource.Connector
    private let stop: Cancellation
    private let shared = Monitor(State())
    private var threads: [WorkerThread] = []
    /// Where the reader would go on; `nil` before its first block.
    private var following: UInt64?

    private static let threadCount = 2
    /// Blocks that are fetched or wait: few, so that they stay in the processor's cache.
    private static let ahead = 4
    /// Shorter reads are no blocks.
    private static let shortestBlock = 64 << 10

    /// Reads through `source`, and ahead through connections of the threads' own.
    public init(
        _ source: any ByteSource, cancellation: Cancellation,
        connect: @escaping PrefetchingSource.Connector
    ) {
        self.source = source
        self.connect = connect
        stop = Cancellation(parent: cancellation)
    }

    deinit {
        stop.cancel()
        shared.with { $0.isClosed = true }
        shared.wakeAll(.makers)
        for thread in threads { thread.join() }
    }

    /// What is read, for messages.
    public var name: String { source.name }
    /// The length in bytes; `nil` if it is not known.
    public var size: UInt64? { source.size }
    /// That of the source.
    public var policy: ReadPolicy { source.policy }
    /// What was asked by all threads so far.
    public var statistics: ReadStatistics { source.statistics + shared.with { $0.statistics } }

    /// Reads `count` bytes at `offset`; fewer only at the end of the source.
    public func read(at offset: UInt64, count: Int) throws(MediaError) -> [UInt8] {
        try source.read(at: offset, count: count)
    }

    /// Reads `count` bytes at `offset`, and lets the blocks behind them be read meanwhile.
    public func read(
        at offset: UInt64, count: Int, into buffer: inout [UInt8]
    ) throws(MediaError) -> Range<Int> {
        guard count >= Self.shortestBlock else {
            return try source.read(at: offset, count: count, into: &buffer)
        }
        let isFollowing = offset == following
        following = offset.addingReportingOverflow(UInt64(count)).partialValue
        guard isFollowing else {
            shared.with { $0.forget() }
            return try source.read(at: offset, count: count, into: &buffer)
        }
        if threads.isEmpty { startThreads() }
        let found = shared.wait(.takers) { $0.take(at: offset, count: count, &buffer) }
        shared.wakeOne(.makers)
        // What failed on a thread is tried again, and then told.
        guard case .block(let block) = found, block.failure == nil else {
            return try source.read(at: offset, count: count, into: &buffer)
        }
        buffer = block.bytes
        return block.range
    }

    private func startThreads() {
        for _ in 0..<Self.threadCount {
            let (shared, connect, stop) = (shared, connect, stop)
            let thread = WorkerThread {
                guard let source = try? connect(stop) else { return }
                while case .fetch(let place) = shared.wait(.makers, for: { $0.next() }) {
                    let block = Block(place, source)
                    shared.with { $0.store(block, place) }
                    shared.wakeOne(.takers)
                }
            }
            // Without threads each block is read when it is asked for.
            guard let thread else { return }
            threads.append(thread)
        }
    }

    /// What a thread is to fetch, and the memory for it.
    private struct Place {
        var number: Int
        var offset: UInt64
        var count: Int
        var spare: [UInt8]
    }

    /// What a thread has fetched.
    private struct Block {
        let wanted: Int
        var bytes: [UInt8]
        var range = 0..<0
        var failure: MediaError?
        var asked = ReadStatistics()

        init(_ place: Place, _ source: any ByteSource) {
            wanted = place.count
            bytes = place.spare
            let before = source.statistics
            do throws(MediaError) {
                range = try source.read(at: place.offset, count: place.count, into: &bytes)
            } catch {
                failure = error
            }
            asked = source.statistics - before
        }
    }

    /// What the threads share.
    private struct State {
        enum Work {
            case fetch(Place)
            case end
        }

        enum Find {
            case block(Block)
            /// The reader has to read it; the threads go on behind it.
            case absent
        }

        private enum Slot {
            case fetching
            case fetched(Block)
        }

        var statistics = ReadStatistics()
        var isClosed = false
        private var slots: [UInt64: Slot] = [:]
        private var spares: [[UInt8]] = []
        private var nextOffset: UInt64 = 0
        /// Bytes of a block; 0 where nothing is to be fetched.
        private var count = 0
        /// Counts the places from which the reader went on anew.
        private var number = 0

        /// What a thread does next; `nil` while there is nothing to do.
        mutating func next() -> Work? {
            if isClosed { return .end }
            guard count > 0, slots.count < ReadAheadSource.ahead else { return nil }
            let offset = nextOffset
            let (following, overflow) = offset.addingReportingOverflow(UInt64(count))
            guard !overflow else { return nil }
            nextOffset = following
            slots[offset] = .fetching
            return .fetch(
                Place(
                    number: number, offset: offset, count: count, spare: spares.popLast() ?? []))
        }

        mutating func store(_ block: Block, _ place: Place) {
            statistics = statistics + block.asked
            guard place.number == number else { return }
            // Behind the end there is nothing more to be fetched.
            if block.range.count < count { count = 0 }
            slots[place.offset] = .fetched(block)
        }

        /// The block at `offset`, for a buffer that is used no more; `nil` while it is fetched.
        mutating func take(at offset: UInt64, count: Int, _ buffer: inout [UInt8]) -> Find? {
            switch slots[offset] {
            case .fetching: return nil
            case .fetched(let block) where block.wanted == count:
                slots[offset] = nil
                if spares.count < ReadAheadSource.ahead { spares.append(buffer) }
                buffer = []
                return .block(block)
            case .fetched, nil:
                forget()
                self.count = count
                nextOffset = offset.addingReportingOverflow(UInt64(count)).partialValue
                return .absent
            }
        }

        /// Drops what was fetched.
        mutating func forget() {
            number += 1
            slots = [:]
            count = 0
        }
    }
}
