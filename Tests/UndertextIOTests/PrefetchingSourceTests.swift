import Glibc
import Synchronization
import TestSupport
import Testing
import UndertextCore

@testable import UndertextIO

/// Announced ranges have the requested bytes, in any order of the connections' work.
@Suite struct PrefetchingSourceTests {
    /// The shared state of a test's connections: a gate that delays them, and a record of their reads.
    private final class Shared: Sendable {
        let bytes: [UInt8]
        let isOpen = Atomic<Bool>(true)
        let isFailing = Atomic<Bool>(false)
        let connections = Atomic<Int>(0)
        let refusedConnections = Atomic<Int>(0)
        let reads = Mutex<[ByteRange]>([])
        let running = Atomic<Int>(0)
        let mostRunning = Atomic<Int>(0)

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    private final class Connection: RandomAccessSource {
        let name = "connection"
        var size: UInt64? { UInt64(shared.bytes.count) }
        private(set) var statistics = ReadStatistics()
        private let shared: Shared
        private let cancellation: Cancellation

        init(_ shared: Shared, _ cancellation: Cancellation) {
            self.shared = shared
            self.cancellation = cancellation
        }

        func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
            let running = shared.running.add(1, ordering: .sequentiallyConsistent).newValue
            shared.mostRunning.max(running, ordering: .sequentiallyConsistent)
            defer { shared.running.subtract(1, ordering: .sequentiallyConsistent) }
            shared.reads.withLock { $0.append(ByteRange(offset: offset, count: count)) }
            while !shared.isOpen.load(ordering: .acquiring) {
                if cancellation.isCancelled { throw UndertextError(.cancelled, "stopped") }
                usleep(1000)
            }
            if shared.isFailing.load(ordering: .acquiring) { throw UndertextError(.io, "lost") }
            statistics.requests += 1
            statistics.bytesRead += UInt64(count)
            let start = min(Int(clamping: offset), shared.bytes.count)
            return Array(shared.bytes[start..<min(shared.bytes.count, start + count)])
        }
    }

    private let bytes: [UInt8]

    init() {
        var generator = SeededGenerator(seed: 11)
        bytes = generator.bytes(200_000)
    }

    private func make(
        _ shared: Shared, concurrency: Int = 4, readAhead: Int = 1 << 20,
        cancellation: Cancellation = Cancellation()
    ) -> PrefetchingSource {
        PrefetchingSource(
            MemorySource(shared.bytes),
            policy: ReadPolicy(
                blockSize: 0, joinedGap: 0, concurrency: concurrency, readAhead: readAhead),
            cancellation: cancellation
        ) { (cancellation) throws(UndertextError) in
            shared.connections.add(1, ordering: .sequentiallyConsistent)
            return Connection(shared, cancellation)
        }
    }

    private func promise(_ source: PrefetchingSource, _ ranges: [ByteRange]) {
        source.prepare(ranges, first: false)
    }

    private func ranges(_ count: Int) -> [ByteRange] {
        (0..<count).map { ByteRange(offset: UInt64($0 * 170), count: 100 + $0 % 50) }
    }

    private func expected(_ range: ByteRange) -> [UInt8] {
        let start = min(Int(clamping: range.offset), bytes.count)
        return Array(bytes[start..<min(bytes.count, start + range.count)])
    }

    @Test(arguments: [1, 4, 16])
    func promisedRangesComeAsAsked(_ concurrency: Int) throws {
        let shared = Shared(bytes)
        let source = make(shared, concurrency: concurrency)
        let ranges = ranges(1000)
        for start in stride(from: 0, to: ranges.count, by: 100) {
            promise(source, Array(ranges[start..<start + 100]))
            for range in ranges[start..<start + 100] {
                #expect(
                    try source.read(at: range.offset, count: range.count) == expected(range))
            }
        }
        #expect(shared.connections.load(ordering: .acquiring) <= concurrency)
        #expect(shared.mostRunning.load(ordering: .acquiring) <= concurrency)
        // No byte is read twice: a read that a worker has started is awaited.
        #expect(source.statistics.bytesRead == UInt64(ranges.reduce(0) { $0 + $1.count }))
        #expect(source.statistics.requests == 1000)
    }

    /// Fetching stops at the memory limit, and continues when bytes are taken.
    @Test func noMoreIsFetchedThanMayBeHeld() throws {
        let shared = Shared(bytes)
        let source = make(shared, concurrency: 2, readAhead: 1000)
        let ranges = ranges(400)
        promise(source, ranges)
        // Two connections may each have started one more.
        func fetched() -> Int { shared.reads.withLock { $0.reduce(0) { $0 + $1.count } } }
        for _ in 0..<200 {
            #expect(fetched() <= 1000 + 3 * 150)
            usleep(500)
        }
        for range in ranges {
            #expect(try source.read(at: range.offset, count: range.count) == expected(range))
        }
    }

    @Test func promisesNeedNotBeKept() throws {
        let shared = Shared(bytes)
        let source = make(shared)
        let ranges = ranges(600)
        promise(source, ranges)
        // Every third range is requested, others without an announcement, some twice.
        for (place, range) in ranges.enumerated() where place % 3 == 0 {
            #expect(try source.read(at: range.offset, count: range.count) == expected(range))
            #expect(
                try source.read(at: range.offset, count: range.count + 1)
                    == expected(ByteRange(offset: range.offset, count: range.count + 1)))
            #expect(try source.read(at: range.offset, count: range.count) == expected(range))
        }
        promise(source, [])
        promise(source, [ByteRange(offset: 5, count: 0), ByteRange(offset: .max, count: 7)])
        #expect(try source.read(at: 0, count: 3) == Array(bytes[..<3]))
    }

    /// Opening another connection takes a round trip.
    @Test func aFreeConnectionIsUsedAgain() throws {
        let shared = Shared(bytes)
        let source = make(shared, concurrency: 8)
        for (place, range) in ranges(100).enumerated() {
            promise(source, [range])
            // Otherwise this thread would read a range that no worker has started.
            while shared.reads.withLock({ $0.count <= place }) { usleep(100) }
            #expect(try source.read(at: range.offset, count: range.count) == expected(range))
        }
        #expect(shared.connections.load(ordering: .acquiring) == 1)
    }

    /// Abandoned readers leave room for the next one.
    @Test func withdrawnRangesTakeNoRoom() throws {
        let shared = Shared(bytes)
        let source = make(shared, concurrency: 2, readAhead: 1000)
        let ranges = ranges(400)
        for start in stride(from: 0, to: ranges.count, by: 20) {
            let announced = Array(ranges[start..<start + 20])
            let last = shared.reads.withLock { $0.count }
            promise(source, announced)
            while shared.reads.withLock({ $0.count <= last }) { usleep(100) }
            source.withdraw(announced)
        }
        let range = ByteRange(offset: 150_000, count: 150)
        promise(source, [range])
        for _ in 0..<20_000 where !shared.reads.withLock({ $0.contains(range) }) { usleep(100) }
        #expect(shared.reads.withLock { $0.contains(range) })
        #expect(try source.read(at: range.offset, count: range.count) == expected(range))
    }

    @Test func aLostConnectionCostsNoByte() throws {
        let shared = Shared(bytes)
        shared.isFailing.store(true, ordering: .releasing)
        let source = make(shared)
        let ranges = ranges(50)
        promise(source, ranges)
        for range in ranges {
            #expect(try source.read(at: range.offset, count: range.count) == expected(range))
        }
    }

    @Test func noConnectionCostsNoByte() throws {
        let source = PrefetchingSource(
            MemorySource(bytes), policy: .remote, cancellation: Cancellation()
        ) { (_) throws(UndertextError) in throw UndertextError(.io, "no connection") }
        let ranges = ranges(50)
        promise(source, ranges)
        for range in ranges {
            #expect(try source.read(at: range.offset, count: range.count) == expected(range))
        }
    }

    @Test func waitingIsStopped() throws {
        let shared = Shared(bytes)
        shared.isOpen.store(false, ordering: .releasing)
        let cancellation = Cancellation()
        let source = make(shared, cancellation: cancellation)
        let range = ByteRange(offset: 10, count: 10)
        promise(source, [range])
        // Otherwise the caller would read a range that no worker has started.
        while shared.reads.withLock({ $0.isEmpty }) { usleep(1000) }
        let stopper = try #require(
            WorkerThread {
                usleep(10_000)
                cancellation.cancel()
            })
        var code: UndertextError.Code?
        do throws(UndertextError) {
            _ = try source.read(at: range.offset, count: range.count)
        } catch {
            code = error.code
        }
        stopper.join()
        #expect(code == .cancelled)
    }

    /// An interrupted reader can be used again.
    @Test func waitingIsInterrupted() throws {
        let shared = Shared(bytes)
        shared.isOpen.store(false, ordering: .releasing)
        let source = make(shared)
        let range = ByteRange(offset: 10, count: 10)
        promise(source, [range])
        while shared.reads.withLock({ $0.isEmpty }) { usleep(1000) }
        let interrupter = source.interrupter
        let thread = try #require(
            WorkerThread {
                usleep(10_000)
                interrupter.interrupt()
            })
        let error = #expect(throws: UndertextError.self) {
            _ = try source.read(at: range.offset, count: range.count)
        }
        thread.join()
        #expect(error?.code == .interrupted)
        shared.isOpen.store(true, ordering: .releasing)
        #expect(try source.read(at: range.offset, count: range.count) == expected(range))
        // `reset()` clears an interruption that no read has received.
        interrupter.interrupt()
        interrupter.reset()
        promise(source, [range])
        #expect(try source.read(at: range.offset, count: range.count) == expected(range))
    }

    /// The end of a source ends its threads in any state.
    @Test(arguments: [true, false])
    func theEndOfASourceEndsItsThreads(_ isOpen: Bool) {
        let shared = Shared(bytes)
        shared.isOpen.store(isOpen, ordering: .releasing)
        weak var gone: PrefetchingSource?
        do {
            let source = make(shared, concurrency: 8)
            promise(source, ranges(500))
            gone = source
        }
        #expect(gone == nil)
        #expect(shared.running.load(ordering: .acquiring) == 0)
    }
}
