import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// A walk over a slow disk visits the headers of later clusters ahead of time.
@Suite struct WalkScoutTests {
    /// A disk that counts the reads of pages that nobody announced.
    private final class Disk: RandomAccessSource {
        let name = "disk"
        let policy = ReadPolicy(
            blockSize: 0, joinedGap: 512, concurrency: 16, readAhead: 1 << 20)
        private(set) var surprises = 0
        private let memory: MemorySource
        private var known: Set<UInt64> = []

        init(_ bytes: [UInt8]) { memory = MemorySource(bytes) }

        var size: UInt64? { memory.size }
        var statistics: ReadStatistics { memory.statistics }

        private func pages(_ range: ByteRange) -> ClosedRange<UInt64> {
            range.offset / 4096...(range.offset + UInt64(max(1, range.count)) - 1) / 4096
        }

        func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
            let pages = pages(ByteRange(offset: offset, count: count))
            if pages.contains(where: { !known.contains($0) }) { surprises += 1 }
            known.formUnion(pages)
            return try memory.read(at: offset, count: count)
        }

        func prepare(_ ranges: [ByteRange], first: Bool) {
            for range in ranges { known.formUnion(pages(range)) }
        }
    }

    /// A file whose blocks are far from each other.
    private func film(_ count: Int) -> SampleFile {
        var file = SampleFile.plain(count)
        file.tracks.append(SampleFile.track(number: 3))
        for place in file.clusters.indices {
            let data = SampleFile.block([UInt8](repeating: 0x1F, count: 9000), track: 3)
            let block = SampleFile.Block(
                element: element(0xA3, data), track: 3, time: file.clusters[place].time,
                isIndexed: false)
            for index in stride(from: file.clusters[place].blocks.count, through: 0, by: -1) {
                file.clusters[place].blocks.insert(block, at: index)
            }
        }
        return file
    }

    /// The packets of a walk over a disk, with or without the positions of clusters.
    private func walk(_ bytes: [UInt8], hasIndex: Bool) throws -> (packets: [Packet], disk: Disk) {
        let disk = Disk(bytes)
        let file = try open(bytes)
        if hasIndex { _ = try file.index(for: [0, 1]) }
        let reader = try file.walkingReader(for: [0, 1], source: disk)
        return (try drain(reader), disk)
    }

    @Test func headersAreAnnounced() throws {
        let film = film(400).bytes
        let (found, disk) = try walk(film, hasIndex: true)
        let (plain, alone) = try walk(film, hasIndex: false)
        #expect(found.count == 800 && found == plain)
        #expect(alone.surprises > 900)
        #expect(disk.surprises < 20)
        #expect(disk.statistics.requests < 4 * alone.statistics.requests)
    }

    @Test func damageIsTheSame() throws {
        let film = film(24).bytes
        let damaged = bitFlips(of: film, count: 300, seed: 5) + truncations(of: film, step: 3001)
        for bytes in damaged {
            guard let file = try? open(bytes) else { continue }
            let streams = subtitleStreams(file)
            let plain = try? drain(open(bytes).walkingReader(for: streams))
            _ = try? file.index(for: streams)
            let found = try? drain(file.walkingReader(for: streams, source: Disk(bytes)))
            #expect(found == plain)
        }
    }

    /// Positions in the index that contain each other cost no more than the file has bytes.
    @Test func anIndexOfNestedClustersCostsNoMoreThanTheFile() throws {
        var file = film(40)
        // The payload of a block looks like the beginnings of clusters without end, each with elements.
        let nested = (0..<2000).flatMap { _ in endless(0x1F43_B675, number(0xE7, 0)) }
        let data = SampleFile.block(nested, track: 3)
        file.clusters[2].blocks.insert(
            .init(element: element(0xA3, data), track: 3, time: 0, isIndexed: false), at: 0)
        let bytes = file.bytes
        let mark = endless(0x1F43_B675, number(0xE7, 0))
        let first = try #require(bytes.indices.first { bytes[$0...].starts(with: mark + mark) })
        let segment = try #require(
            bytes.indices.first { bytes[$0...].starts(with: [0x18, 0x53, 0x80, 0x67]) })
        file.cueData = (0..<2000).flatMap { place in
            SampleFile.cue(
                time: 0, track: 1,
                cluster: UInt64(first + place * mark.count - segment - 12), relative: 10)
        }
        let (found, disk) = try walk(file.bytes, hasIndex: true)
        #expect(found.count == 80)
        #expect(disk.statistics.bytesRead < UInt64(3 * file.bytes.count))
    }
}
