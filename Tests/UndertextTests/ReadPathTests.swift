import MediaCore
import TestSupport
import Testing
import Undertext

/// The index path and a full scan must give the same packets, and the report must tell the truth.
@Suite struct ReadPathTests {
    static func packets(
        _ path: String, _ io: ReadPathPreference, _ streams: Set<Int>? = nil
    ) throws -> (packets: [Packet], reader: TrackPacketReader) {
        var options = MediaFile.Options()
        options.io = io
        let file = try MediaFile(path, options: options)
        let wanted = streams ?? Set(file.subtitleStreams.map(\.index))
        let reader = try file.packets(of: wanted)
        var packets: [Packet] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        return (packets, reader)
    }

    /// Positions differ by path: ours is the block's, libavformat's its own.
    static func comparable(_ packets: [Packet]) -> [Packet] {
        packets.map { packet in
            var copy = packet
            copy.position = nil
            return copy
        }
    }

    /// Whether there was an index path to compare.
    @discardableResult
    static func expectEqualPaths(
        _ path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Bool {
        let indexed: (packets: [Packet], reader: TrackPacketReader)
        do {
            indexed = try packets(path, .index)
        } catch let error as MediaError where error.code == .unsupported {
            print("\(path): no index path: \(error.message)")
            return false
        }
        let scanned = try packets(path, .scan)
        for stream in Set(scanned.packets.map(\.streamIndex)) {
            let byIndex = comparable(indexed.packets.filter { $0.streamIndex == stream })
            let byScan = comparable(scanned.packets.filter { $0.streamIndex == stream })
            #expect(byIndex == byScan, "\(path), stream \(stream)", sourceLocation: sourceLocation)
        }
        #expect(indexed.packets.count == scanned.packets.count, sourceLocation: sourceLocation)
        return true
    }

    @Test(arguments: ["movie.mkv", "movie-ffmpeg.mkv", "zlib.mkv", "webvtt.mkv", "movie.webm"])
    func fixturesAreReadByIndex(_ name: String) throws {
        let path = fixture("containers/" + name)
        let (_, reader) = try Self.packets(path, .auto)
        #expect(reader.path == .index, "\(reader.refused)")
        try Self.expectEqualPaths(path)
    }

    @Test(arguments: [
        "movie-videocues.mkv", "movie-nocues.mkv", "cues-video.mkv", "cues-none.mkv",
        "truncated.mkv",
    ])
    func withoutProofEverythingIsRead(_ name: String) throws {
        let (packets, reader) = try Self.packets(fixture("containers/" + name), .auto)
        #expect(reader.path == .scan)
        #expect(reader.refused.contains { $0.path == .index && !$0.reason.isEmpty })
        #expect(!packets.isEmpty)
    }

    /// mkvmerge's statistics survive ffmpeg's remux, but they are not those of the new file.
    @Test func staleStatisticsProveNothing() throws {
        let (_, reader) = try Self.packets(fixture("containers/movie-stale.mkv"), .auto)
        #expect(reader.proof != "statistics")
    }

    @Test func independentFilesAreEqualOnBothPaths() throws {
        guard let corpus = corpusPath("") else { return }
        let paths = files(below: corpus).filter { $0.hasSuffix(".mkv") }
        #expect(paths.count > 5)
        var compared = 0
        for path in paths where try Self.expectEqualPaths(path) { compared += 1 }
        // A reader that refused every index would compare nothing.
        #expect(compared >= 8)
    }

    @Test func theIndexAsksForLittleMoreThanItNeeds() throws {
        let path = fixture("containers/movie.mkv")
        let (packets, reader) = try Self.packets(path, .index)
        let payload = packets.reduce(0) { $0 + $1.data.count }
        #expect(reader.summary.statistics.bytesRead < UInt64(payload) + 40_000)
    }
}
