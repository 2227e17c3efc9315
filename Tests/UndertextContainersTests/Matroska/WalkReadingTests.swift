import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// The number of bytes that a walk requests, for media files of 30 Mb/s.
@Suite struct MatroskaWalkReadingTests {
    private static let video = SparseFilm.Track(number: 1, blockSize: 156_000, perSecond: 24)
    private static let text = SparseFilm.Track(
        number: 9, blockSize: 60, perSecond: 0.5, isText: true)

    /// Walks over the subtitles of a media file of one minute and checks that none is missing.
    private func walk(
        _ audio: [SparseFilm.Track], video: [SparseFilm.Track] = [video],
        policy: ReadPolicy = .local
    ) throws -> (film: SparseFilm, share: Double, requests: Double) {
        let film = SparseFilm(seconds: 60, video + audio + [Self.text])
        film.policy = policy
        let file = try MatroskaFile(source: film)
        let stream = try #require(file.description.streams.last?.index)
        let reader = try file.walkingReader(for: [stream])
        #expect(try drain(reader).count == film.subtitles)
        #expect(reader.diagnostics.take() == [])
        let share = Double(film.statistics.bytesRead) / Double(film.size ?? 0)
        let requests = Double(film.statistics.requests) / Double(film.blocks)
        print(
            "\(film.size ?? 0) bytes, \(film.blocks) blocks: \(film.statistics.bytesRead) bytes "
                + "(\(share)) in \(film.statistics.requests) requests (\(requests) a block)")
        return (film, share, requests)
    }

    @Test func readsHeadersOnlyWhereBlocksAreLarge() throws {
        let ac3 = SparseFilm.Track(number: 2, blockSize: 2560, perSecond: 31.25)
        let result = try walk([ac3])
        #expect(result.share < 0.002)
        #expect(result.requests < 1.1)
    }

    @Test func readsOverSmallBlocksWithinABudget() throws {
        let aac = (2...6).map { SparseFilm.Track(number: $0, blockSize: 512, perSecond: 46.875) }
        let result = try walk(aac)
        #expect(result.share < 0.05)
        #expect(result.requests < 0.7)
    }

    /// 1200 blocks a second, as TrueHD has them: pages are all touched, so requests count.
    @Test func readsOverCrowdsOfSmallBlocks() throws {
        let trueHD = SparseFilm.Track(number: 2, blockSize: 400, perSecond: 1200)
        let result = try walk([trueHD])
        #expect(result.share < 0.3)
        #expect(result.requests < 0.2)
    }

    @Test func readsRadioInLargePieces() throws {
        let opus = SparseFilm.Track(number: 1, blockSize: 320, perSecond: 50)
        let result = try walk([], video: [opus])
        #expect(result.share < 1.05)
        #expect(result.requests < 0.03)
    }

    @Test func readsLargePiecesWhereRequestsAreDear() throws {
        let dear = ReadPolicy(blockSize: 1 << 20, joinedGap: 1 << 16, concurrency: 1, readAhead: 0)
        let ac3 = SparseFilm.Track(number: 2, blockSize: 2560, perSecond: 31.25)
        let result = try walk([ac3], policy: dear)
        // Gaps are smaller than a piece: all is read, from the beginning to the end.
        #expect(result.share < 1.05)
        let pieces = Double(result.film.size ?? 0) / Double(1 << 20)
        #expect(Double(result.film.statistics.requests) < pieces * 1.2 + 10)

        var jumping = dear
        jumping.blockSize = 4096
        let jumped = try walk([ac3], policy: jumping)
        #expect(jumped.share < 0.06)
        #expect(jumped.requests < 1.2)
    }
}
