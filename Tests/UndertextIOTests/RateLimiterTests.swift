import Synchronization
import TestSupport
import Testing
import UndertextCore

@testable import UndertextIO

/// On a clock of its own: no test waits.
@Suite struct RateLimiterTests {
    private final class Clock: Sendable {
        let time = Mutex(Duration.zero)
        var now: Duration { time.withLock { $0 } }
        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private func limiter(_ rate: UInt64, _ clock: Clock) -> RateLimiter {
        RateLimiter(bytesPerSecond: rate) { clock.now }
    }

    @Test func boundsTheBytesOfARun() {
        let clock = Clock()
        let limiter = limiter(1000, clock)
        var generator = SeededGenerator(seed: 3)
        var total = 0
        for _ in 0..<1000 {
            let count = Int.random(in: 1...500, using: &generator)
            clock.pass(limiter.reserve(count))
            total += count
            // The bytes read are those that the time allows, and the last request.
            let (seconds, atto) = clock.now.components
            let allowed = Int(seconds) * 1000 + Int(atto / 1_000_000_000_000_000) + 1
            #expect(total - count <= allowed)
            if Bool.random(using: &generator) { clock.pass(.milliseconds(100)) }
        }
    }

    @Test func sharesTheRate() {
        let clock = Clock()
        let limiter = limiter(1 << 20, clock)
        // Several ask at once: each waits for those before it.
        let waits = (0..<4).map { _ in limiter.reserve(1 << 20) }
        #expect(waits == [.zero, .seconds(1), .seconds(2), .seconds(3)])
    }

    @Test func aPauseGivesNothingBack() {
        let clock = Clock()
        let limiter = limiter(1000, clock)
        clock.pass(.seconds(3600))
        #expect(limiter.reserve(1000) == .zero)
        #expect(limiter.reserve(1000) == .seconds(1))
    }

    @Test func hugeCountsAndRatesAreNoTrap() {
        let clock = Clock()
        #expect(limiter(0, clock).bytesPerSecond == 1)
        let slow = limiter(1, clock)
        #expect(slow.reserve(.max) == .zero)
        #expect(slow.reserve(.max) > .seconds(1 << 30))
        #expect(slow.reserve(-5) > .zero)
        #expect(limiter(.max, clock).reserve(.max) == .zero)
    }

    @Test func waitingIsStopped() {
        let limiter = RateLimiter(bytesPerSecond: 1)
        let stop = Cancellation()
        stop.cancel()
        _ = limiter.reserve(1000)
        #expect(throws: UndertextError.self) {
            try limiter.wait(for: 1, cancellation: stop, name: "x")
        }
    }

    @Test func throttledBytesAreTheSame() throws {
        var generator = SeededGenerator(seed: 1)
        let bytes = generator.bytes(300_000)
        let limiter = RateLimiter(bytesPerSecond: 1 << 40)
        let source = ThrottledSource(
            MemorySource(bytes), limiter: limiter, cancellation: Cancellation())
        #expect(try source.read(at: 10, count: 200_000) == Array(bytes[10..<200_010]))
        #expect(try source.read(at: 299_999, count: 200_000) == [bytes[299_999]])
        #expect(try source.read(at: .max, count: 2).isEmpty)
        #expect(try source.read(at: 0, count: 0).isEmpty)
    }
}

@Suite struct BlockSourceTests {
    private func make(_ count: Int = 100_000) -> ([UInt8], FaultyByteSource) {
        var generator = SeededGenerator(seed: 5)
        let bytes = generator.bytes(count)
        return (bytes, FaultyByteSource(bytes))
    }

    @Test func anyReadsGiveTheBytes() throws {
        let (bytes, source) = make()
        let blocks = BlockSource(source, least: 1000, most: 8000)
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<2000 {
            let offset = Int.random(in: 0..<101_000, using: &generator)
            let count = Int.random(in: 0..<5000, using: &generator)
            let start = min(offset, bytes.count)
            #expect(
                try blocks.read(at: UInt64(offset), count: count)
                    == Array(bytes[start..<min(bytes.count, start + count)]))
        }
        #expect(try blocks.read(at: .max, count: 10).isEmpty)
    }

    @Test func smallReadsShareABlock() throws {
        let (_, source) = make()
        let blocks = BlockSource(source, least: 1000)
        for offset in 0..<90 { _ = try blocks.read(at: UInt64(offset * 10), count: 100) }
        #expect(source.reads.count == 1)
        #expect(source.reads.first?.count == 1000)
    }

    @Test func readingInOrderAsksForMoreAndMore() throws {
        let (bytes, source) = make()
        let blocks = BlockSource(source, least: 1000, most: 8000)
        var all: [UInt8] = []
        while all.count < bytes.count {
            all += try blocks.read(at: UInt64(all.count), count: 100)
        }
        #expect(all == bytes)
        #expect(source.reads.map(\.count).prefix(5) == [1000, 2000, 4000, 8000, 8000])
        #expect(source.reads.count == 15)
    }

    @Test func aJumpAsksForLittleAgain() throws {
        let (_, source) = make()
        let blocks = BlockSource(source, least: 1000, most: 8000)
        for offset in stride(from: 0, to: 20_000, by: 500) {
            _ = try blocks.read(at: UInt64(offset), count: 500)
        }
        _ = try blocks.read(at: 90_000, count: 10)
        #expect(source.reads.last?.count == 1000)
    }

    @Test func aFailureLeavesNothingWrong() throws {
        let (bytes, source) = make()
        source.failingOffset = 1500
        let blocks = BlockSource(source, least: 1000)
        #expect(try blocks.read(at: 0, count: 10) == Array(bytes[..<10]))
        #expect(throws: UndertextError.self) { try blocks.read(at: 900, count: 700) }
        source.failingOffset = nil
        #expect(try blocks.read(at: 900, count: 700) == Array(bytes[900..<1600]))
    }

    @Test func shortReadsAreShortReads() throws {
        let (bytes, source) = make(1000)
        source.shortReads = 300
        let blocks = BlockSource(source, least: 500)
        #expect(try blocks.read(at: 0, count: 10) == Array(bytes[..<10]))
        #expect(try blocks.read(at: 290, count: 50).starts(with: bytes[290..<300]))
    }
}

@Suite struct NetworkFileSystemTests {
    @Test func knowsTheirMagicNumbers() {
        for type: UInt32 in [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997] {
            #expect(FileSystem.isNetwork(type: type))
        }
        for type: UInt32 in [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x2FC1_2FC1, 0] {
            #expect(!FileSystem.isNetwork(type: type))
        }
    }

    @Test func sourcesWithoutAnAnswerAreLocal() {
        #expect(FileSystem.readPolicy(for: "/there/is/no/such/thing") == .local)
        #expect(FileSystem.readPolicy(for: "/proc/self/maps") == .local)
    }
}
