import Synchronization
import TestSupport
import Testing
import UndertextCore

@testable import UndertextIO

@Suite struct DiskSourceTests {
    @Test func manySlowReadsAreADisk() {
        var latency = ReadLatency()
        for _ in 0..<100 { latency.note(2000) }
        #expect(!latency.isThatOfADisk)
        // Another program had the processor.
        for _ in 0..<7 { latency.note(4_000_000) }
        #expect(!latency.isThatOfADisk)
        latency.note(90_000)
        #expect(latency.isThatOfADisk)
        for _ in 0..<16 { latency.note(2000) }
        #expect(!latency.isThatOfADisk)
    }

    /// A file whose every read takes as long as a disk's.
    private final class SlowSource: RandomAccessSource {
        let memory: MemorySource
        init(_ bytes: [UInt8]) { memory = MemorySource(bytes) }
        var name: String { memory.name }
        var size: UInt64? { memory.size }
        var statistics: ReadStatistics { memory.statistics }
        private(set) var prepared: [ByteRange] = []

        func prepare(_ ranges: [ByteRange], first: Bool) { prepared += ranges }

        func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
            let end = ContinuousClock.now + .microseconds(60)
            while ContinuousClock.now < end { continue }
            return try memory.read(at: offset, count: count)
        }
    }

    @Test func bytesAreTheSameEitherWay() throws {
        let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let slow = SlowSource(bytes)
        let source = DiskSource(slow)
        let ranges = (0..<400).map { ByteRange(offset: UInt64($0 * 120), count: 100) }
        for start in stride(from: 0, to: 400, by: 20) {
            source.prepare(Array(ranges[start..<start + 20]), first: false)
            for range in ranges[start..<start + 20] {
                let place = Int(range.offset)
                #expect(
                    try source.read(at: range.offset, count: 100)
                        == Array(bytes[place..<place + 100]))
            }
        }
        #expect(source.statistics == ReadStatistics(bytesRead: 40_000, requests: 400))
        // Recognizing a disk takes eight reads; later announcements are passed on.
        #expect(source.policy.concurrency > 1)
        #expect(slow.prepared == Array(ranges[20...]))
    }

    @Test func aFileInMemoryGetsNoAnnouncements() throws {
        let memory = PromisedSource([UInt8](repeating: 7, count: 5000))
        let source = DiskSource(memory)
        for place in 0..<40 {
            _ = try source.read(at: UInt64(place * 100), count: 100)
            source.prepare([ByteRange(offset: 0, count: 10)], first: false)
        }
        #expect(source.policy == .local)
        #expect(memory.open == 0)
    }

    /// Counts what scouts do.
    private final class Scouts: Sendable {
        let count = Atomic<Int>(0)
    }

    @Test func scoutsGoAheadOnADisk() throws {
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        let scouts = Scouts()
        var source: ScoutedSource? = ScoutedSource(
            SlowSource(bytes), cancellation: nil, connect: { _ in MemorySource(bytes) },
            scout: { source, mayRead in
                scouts.count.add(1, ordering: .relaxed)
                if mayRead(ScoutedSource.lead) { _ = try? source.read(at: 0, count: 10) }
                // Far ahead of the reader, it waits until that ends.
                #expect(!mayRead(2 * ScoutedSource.lead))
            })
        for place in 0..<40 {
            let start = place * 100
            #expect(
                try source?.read(at: UInt64(start), count: 100)
                    == Array(bytes[start..<start + 100]))
        }
        // It waits for them.
        source = nil
        #expect(scouts.count.load(ordering: .relaxed) == 16)
    }

    @Test func aCachedFileNeedsNoScouts() throws {
        let scouts = Scouts()
        let source = ScoutedSource(
            MemorySource([UInt8](repeating: 7, count: 5000)), cancellation: nil,
            connect: { _ in MemorySource([]) },
            scout: { _, _ in scouts.count.add(1, ordering: .relaxed) })
        for place in 0..<40 { _ = try source.read(at: UInt64(place * 100), count: 100) }
        #expect(scouts.count.load(ordering: .relaxed) == 0)
        #expect(source.statistics.requests == 40)
    }
}
