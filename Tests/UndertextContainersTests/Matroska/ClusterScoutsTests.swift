import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

@Suite struct ClusterScoutsTests {
    /// Records which pages of a file were read or announced.
    private final class PageSource: RandomAccessSource {
        let source: any RandomAccessSource
        private(set) var pages: Set<UInt64> = []
        /// Bytes that were read or announced.
        private(set) var byteCount: UInt64 = 0
        init(_ source: any RandomAccessSource) { self.source = source }
        var name: String { source.name }
        var size: UInt64? { source.size }
        var statistics: ReadStatistics { source.statistics }

        func read(at offset: UInt64, count: Int) throws(UndertextError) -> [UInt8] {
            note(ByteRange(offset: offset, count: count))
            return try source.read(at: offset, count: count)
        }

        func prepare(_ ranges: [ByteRange], first: Bool) { ranges.forEach(note) }

        private func note(_ range: ByteRange) {
            let end = min(range.end, source.size ?? 0)
            byteCount += UInt64(range.count)
            guard range.offset < end else { return }
            for page in range.offset / 4096...(end - 1) / 4096 { pages.insert(page) }
        }
    }

    private func film() -> SparseFilm {
        SparseFilm(
            seconds: 60,
            [
                .init(number: 1, blockSize: 60_000, perSecond: 24),
                .init(number: 2, blockSize: 2560, perSecond: 31.25),
                .init(number: 9, blockSize: 9000, perSecond: 0.5, isText: true),
            ])
    }

    @Test func aWalkFindsAllItsPagesInTheCache() throws {
        var sample = SampleFile.plain(600)
        sample.addLeadingBlocks(track: 3, size: 100_000)
        let film = MemorySource(sample.bytes)
        let file = try MatroskaFile(source: film)
        let scouts = try file.scouts(for: [0, 1])
        let scouted = PageSource(film)
        scouts.run(scouted) { _ in true }
        let walked = PageSource(film)
        let packets = try drain(file.walkingReader(for: [0, 1], source: walked))
        #expect(packets.count == 1200)
        #expect(walked.pages.count > 100)
        // Where headers are close together, the walk also reads pages that contain none.
        #expect(walked.pages.subtracting(scouted.pages).count < walked.pages.count / 5)
        #expect(scouted.pages.count < film.bytesInPages)
    }

    @Test func nothingIsLookedAtTwice() throws {
        let file = try MatroskaFile(source: MemorySource(SampleFile.plain(40).bytes))
        let scouts = try file.scouts(for: [0, 1])
        let first = MemorySource(SampleFile.plain(40).bytes)
        scouts.run(first) { _ in true }
        #expect(first.statistics.requests > 10)
        let second = MemorySource(SampleFile.plain(40).bytes)
        scouts.run(second) { _ in true }
        #expect(second.statistics.requests == 0)
    }

    /// The end of a cluster of unknown size is not stated, so the next one cannot be found from its header.
    @Test func clustersOfUnknownSizeAreLeftToTheWalk() throws {
        let film = film()
        let file = try MatroskaFile(source: film)
        let before = film.statistics.requests
        try file.scouts(for: [2]).run(film) { _ in true }
        #expect(film.statistics.requests == before + 1)
    }

    /// Where blocks are small, the walk itself reads every page.
    @Test func smallBlocksAreLeftToTheWalk() throws {
        var sample = SampleFile.plain(4)
        for place in sample.clusters.indices {
            sample.clusters[place].blocks += (0..<500).map { _ in
                let data = SampleFile.block([UInt8](repeating: 0, count: 200), track: 1)
                return .init(element: element(0xA3, data), track: 1, time: 0)
            }
        }
        let source = MemorySource(sample.bytes)
        let file = try MatroskaFile(source: source)
        let before = source.statistics.requests
        try file.scouts(for: [0]).run(source) { _ in true }
        #expect(source.statistics.requests - before < 200)
    }

    @Test func damageEndsIt() throws {
        let film = SampleFile.plain(12).bytes
        let flipped = Array(bitFlips(of: film, count: 500, seed: 5))
        for damaged in flipped + truncations(of: film, step: 7) {
            guard let file = try? MatroskaFile(source: MemorySource(damaged)),
                let stream = file.description.streams.first,
                let scouts = try? file.scouts(for: [stream.index])
            else { continue }
            let source = PageSource(MemorySource(damaged))
            scouts.run(source) { _ in true }
            // An element has two bytes or more.
            #expect(source.statistics.requests <= UInt64(damaged.count) * 2)
        }
    }

    /// Only what lies in its cluster is a block: a few bytes must not make the system read the file many times.
    @Test func blocksThatClaimTooMuchAreNotAnnounced() throws {
        var sample = SampleFile.plain(100)
        let size = UInt64(SampleFile.plain(100).bytes.count)
        for place in sample.clusters.indices {
            let claim: [UInt8] =
                [0xA3, 1]
                + (0..<7).reversed().map { UInt8(truncatingIfNeeded: (size / 2) >> ($0 * 8)) }
            let block = SampleFile.block([UInt8](repeating: 0, count: 9), track: 1)
            sample.clusters[place].blocks.append(
                .init(element: claim + block, track: 1, time: 0, isIndexed: false))
        }
        let file = try MatroskaFile(source: MemorySource(sample.bytes))
        let source = PageSource(MemorySource(sample.bytes))
        try file.scouts(for: [0]).run(source) { _ in true }
        #expect(source.byteCount < UInt64(2 * sample.bytes.count))
    }

    @Test func afterTheWalkNothingIsLookedAt() throws {
        let film = MemorySource(SampleFile.plain(600).bytes)
        let file = try MatroskaFile(source: film)
        let before = film.statistics.requests
        try file.scouts(for: [0]).run(film) { _ in false }
        #expect(film.statistics.requests <= before + 2)
    }

    @Test func smallClustersAreLeftToTheWalk() throws {
        let source = MemorySource(SampleFile.plain(2000).bytes)
        let file = try MatroskaFile(source: source)
        let before = source.statistics.requests
        try file.scouts(for: [0]).run(source) { _ in true }
        #expect(source.statistics.requests - before < 200)
    }
}

extension MemorySource {
    fileprivate var bytesInPages: Int { Int((size ?? 0) / 4096) }
}
