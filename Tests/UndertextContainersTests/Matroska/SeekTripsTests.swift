import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// The number of round trips to a server from a seek to the subtitle on screen.
@Suite struct MatroskaSeekTripsTests {
    /// A server whose answers take one unit of time, no matter how many ranges are requested at once.
    private final class DistantSource: RandomAccessSource {
        let name = "distant"
        let policy = ReadPolicy.remote
        var size: UInt64? { memory.size }
        var statistics: ReadStatistics { memory.statistics }
        /// The round trips that the reader has waited for.
        private(set) var now = 0
        private var arrivals: [ByteRange: Int] = [:]
        private let memory: MemorySource

        init(_ bytes: [UInt8]) { memory = MemorySource(bytes) }

        func prepare(_ ranges: [ByteRange], first: Bool) {
            for range in ranges { arrivals[range] = now + 1 }
        }

        func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
            let arrival = arrivals.removeValue(forKey: ByteRange(offset: offset, count: count))
            now = max(now, arrival ?? now + 1)
            return try memory.read(at: offset, count: count)
        }
    }

    /// One block in each cluster and second, of a kind and a size: `E` is a random access point, `c` one that clears the
    /// screen, and `-` is neither.
    private func film(_ kinds: String, size: Int) -> [UInt8] {
        var file = SampleFile()
        file.tracks = [SampleFile.track(codec: "S_HDMV/PGS"), SampleFile.track(number: 3)]
        for (index, kind) in kinds.utf8.enumerated() {
            let time = UInt64(index) * 1000
            let count = kind == 0x63 ? 30 : size
            let data = SampleFile.block([kind] + [UInt8](repeating: 0, count: count))
            let filler = SampleFile.block([UInt8](repeating: 0, count: 90_000), track: 3)
            file.clusters.append(
                .init(
                    time: time,
                    blocks: [
                        .init(
                            element: element(0xA3, filler), track: 3, time: time, isIndexed: false),
                        .init(element: SampleFile.group(data, duration: 500), time: time),
                    ]))
        }
        return file.bytes
    }

    /// The round trips from a seek to the block on screen at a time and the next one.
    private func trips(_ kinds: String, size: Int, to second: Int64) throws -> Int {
        let source = DistantSource(film(kinds, size: size))
        let file = try MatroskaFile(source: source)
        #expect(try file.index(for: [0]) == .usable(proof: .muxer))
        let judge: IndexWindow.Judge = { packet in
            let kind = packet.data.first
            return (kind != 0x2D, false, kind != 0x63)
        }
        let before = source.now
        // A player asks for each reader again.
        #expect(try file.index(for: [0]) == .usable(proof: .muxer))
        let time = TimeWindow(from: .milliseconds(second * 1000 + 500))
        let reader = try file.packetReader(
            for: [0], window: IndexWindow(time, judges: [0: judge]))
        while let packet = try reader.nextPacket() {
            #expect(packet.data.count > 30)
            if try #require(packet.pts) > second * 1000 { return source.now - before }
        }
        Issue.record("There is no block after the seek.")
        return .max
    }

    @Test func aSmallSubtitleTakesOne() throws {
        let kinds = String(repeating: "Ec", count: 100)
        #expect(try trips(kinds, size: 9000, to: 100) == 1)
        #expect(try trips(kinds, size: 9000, to: 101) == 1)
        #expect(try trips(kinds, size: 9000, to: 0) == 1)
        #expect(try trips(kinds, size: 9000, to: 198) == 1)
    }

    @Test func aLargeSubtitleTakesTwo() throws {
        let kinds = String(repeating: "Ec", count: 100)
        #expect(try trips(kinds, size: 60_000, to: 100) == 2)
        #expect(try trips(String(repeating: "E", count: 200), size: 60_000, to: 100) == 2)
    }

    /// The beginning of an epoch is looked for in several blocks at a time.
    @Test func aLongEpochTakesFew() throws {
        let near = String(repeating: "E----", count: 20)
        #expect(try trips(near, size: 9000, to: 54) <= 3)
        let far = String(repeating: "E" + String(repeating: "-", count: 39), count: 4)
        #expect(try trips(far, size: 9000, to: 119) <= 7)
    }
}
