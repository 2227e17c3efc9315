import Testing
import UndertextContainers
import UndertextCore

@Suite struct MP4SegmentIndexTests {
    private static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    /// An index in ticks of 1/1000 s, after a box of another type.
    private static func index(
        version: UInt8 = 0, timescale: UInt64 = 1000, start: UInt64 = 500, gap: UInt64 = 6,
        _ entries: [(size: UInt64, duration: UInt64)] = [(100, 2000), (0x8000_0032, 1500)]
    ) -> [UInt8] {
        let width = version == 0 ? 4 : 8
        var content = [version, 0, 0, 0] + big(1, 4) + big(timescale, 4)
        content += big(start, width) + big(gap, width) + [0, 0] + big(UInt64(entries.count), 2)
        for entry in entries { content += big(entry.size, 4) + big(entry.duration, 4) + big(0, 4) }
        let free = big(12, 4) + Array("free".utf8) + [1, 2, 3, 4]
        return free + big(UInt64(content.count + 8), 4) + Array("sidx".utf8) + content
    }

    @Test(arguments: [UInt8(0), 1]) func subsegmentsFollowTheIndex(version: UInt8) throws {
        let bytes = Self.index(version: version)
        let entries = try #require(MP4SegmentIndex(bytes + [9, 9], at: 1000)).entries
        let first = 1000 + UInt64(bytes.count) + 6
        #expect(
            entries.map(\.range) == [
                ByteRange(offset: first, count: 100), ByteRange(offset: first + 100, count: 50),
            ])
        #expect(entries.map(\.start) == [.milliseconds(500), .milliseconds(2500)])
        #expect(entries.map(\.duration) == [.milliseconds(2000), .milliseconds(1500)])
    }

    @Test func valuesThatDoNotFitAreRefused() {
        #expect(MP4SegmentIndex(Self.index(timescale: 0), at: 0) == nil)
        #expect(MP4SegmentIndex(Self.index(timescale: 1 << 31), at: 0) == nil)
        #expect(MP4SegmentIndex(Self.index(version: 1, start: .max), at: 0) == nil)
        #expect(MP4SegmentIndex(Self.index(version: 1, start: .max >> 1), at: 0) == nil)
        #expect(MP4SegmentIndex(Self.index(version: 1, gap: .max), at: 0) == nil)
        #expect(MP4SegmentIndex(Self.index(), at: .max) == nil)
        #expect(MP4SegmentIndex(Self.index([]), at: 0)?.entries.isEmpty == true)
    }

    /// A truncated index is none; damaged ones never trap.
    @Test func damageDoesNotTrap() {
        let bytes = Self.index()
        for count in bytes.indices {
            #expect(MP4SegmentIndex(Array(bytes.prefix(count)), at: 0) == nil)
        }
        for position in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[position] ^= 1 << UInt8(bit)
                let index = MP4SegmentIndex(damaged, at: 7)
                #expect(index?.entries.count ?? 0 <= bytes.count / 12)
            }
        }
    }
}
