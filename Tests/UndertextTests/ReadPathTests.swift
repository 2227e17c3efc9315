import TestSupport
import Testing
import Undertext
import UndertextCore

/// The index path and a full scan must return the same packets, and the report must name the path that was
/// used.
@Suite struct ReadPathTests {
    static func packets(
        _ path: String, _ io: ReadPathPreference, _ streams: Set<Int>? = nil
    ) throws -> (packets: [Packet], reader: TrackPacketReader) {
        var options = Media.Options()
        options.io = io
        let file = try Media(path, options: options)
        let tracks = file.subtitleTracks.filter { streams?.contains($0.id) ?? true }
        let reader = try file.packetReader(of: tracks)
        var packets: [Packet] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        return (packets, reader)
    }

    /// File offsets differ by path: that of the block, or libavformat's.
    static func comparable(_ packets: [Packet]) -> [Packet] {
        packets.map { packet in
            var copy = packet
            copy.position = nil
            return copy
        }
    }

    /// `true` if there was an index path to compare.
    @discardableResult
    static func expectEqualPaths(
        _ path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Bool {
        let indexed: (packets: [Packet], reader: TrackPacketReader)
        do {
            indexed = try packets(path, .index)
        } catch let error as UndertextError where error.code == .unsupported {
            print("\(path): no index path: \(error)")
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
        "truncated.mkv", "unknown-sizes.mkv",
    ])
    func withoutProofBlocksAreWalkedOver(_ name: String) throws {
        let path = fixture("containers/" + name)
        let (packets, reader) = try Self.packets(path, .auto)
        #expect(reader.path == .walk)
        #expect(reader.refused.map(\.path) == [.index])
        #expect(reader.refused.allSatisfy { !$0.reason.isEmpty })
        #expect(reader.proof == nil)
        #expect(!packets.isEmpty)
        #expect(try Self.packets(path, .scan).packets == packets)
        #expect(try Self.packets(path, .walk).packets == packets)
    }

    /// An index with wrong entries: packets that were already returned are not returned again.
    @Test func anIndexThatLiesEndsInAWalk() throws {
        let path = fixture("containers/cues-wrong.mkv")
        let (packets, reader) = try Self.packets(path, .auto)
        #expect(reader.path == .walk)
        #expect(reader.refused.map(\.path) == [.index])
        #expect(try Self.packets(path, .scan).packets == packets)
    }

    @Test func notEverythingCanBeWalkedOver() throws {
        let path = fixture("containers/movie.mp4")
        let error = #expect(throws: UndertextError.self) { try Self.packets(path, .walk) }
        #expect(error?.code == .unsupported)
        let (packets, reader) = try Self.packets(path, .auto)
        // Its tables list all samples.
        #expect(reader.path == .index && reader.refused.isEmpty)
        func samples(_ packets: [Packet]) -> [String] {
            packets.map { "\($0.streamIndex) \($0.pts ?? -1) \($0.data)" }.sorted()
        }
        #expect(samples(packets) == samples(try Self.packets(path, .scan).packets))
    }

    /// Streams with unsupported encodings are left to libavformat, and the report states this.
    @Test func encodingsThatCannotBeUndoneAreScanned() throws {
        let folder = TemporaryDirectory()
        var bytes = try fixtureBytes("containers/encodings.mkv")
        // ContentCompAlgo of one track becomes that of bzip2.
        let algorithm = try #require(
            bytes.indices.dropLast(4).first {
                bytes[$0..<$0 + 4].elementsEqual([0x42, 0x54, 0x81, 0])
            })
        bytes[algorithm + 3] = 1
        let path = folder.write(bytes, to: "bzip2.mkv")
        let (_, reader) = try Self.packets(path, .auto)
        #expect(reader.path == .scan)
        #expect(reader.refused.map(\.path) == [.index, .walk])
        #expect(reader.refused.last?.reason.states("bzip2") == true)
        let error = #expect(throws: UndertextError.self) { try Self.packets(path, .walk) }
        #expect(error?.message.states("bzip2") == true)
    }

    /// mkvmerge's statistics survive ffmpeg's remux, but they are not those of the new file.
    @Test func staleStatisticsProveNothing() throws {
        let (_, reader) = try Self.packets(fixture("containers/movie-stale.mkv"), .auto)
        #expect(reader.proof != "statistics")
    }

    @Test(.requiresCorpus()) func independentFilesAreEqualOnBothPaths() throws {
        let corpus = try #require(corpusPath(""))
        let paths = files(below: corpus).filter { $0.hasSuffix(".mkv") }
        #expect(paths.count > 5)
        var compared = 0
        for path in paths where try Self.expectEqualPaths(path) { compared += 1 }
        // A reader that refused every index would compare nothing.
        #expect(compared >= 8)
    }

    /// A file that becomes shorter during reading loses its end.
    @Test(arguments: ["movie.mkv", "movie.ts", "movie.mp4"])
    func aFileThatShrinksIsReported(_ name: String) throws {
        let folder = TemporaryDirectory()
        let bytes = try fixtureBytes("containers/" + name)
        let path = folder.write(bytes, to: name)
        var options = Media.Options()
        options.io = .scan
        let file = try Media(path, options: options)
        let reader = try file.packetReader(of: file.subtitleTracks)
        writeFile(Array(bytes.prefix(bytes.count - 2000)), to: path)
        while (try? reader.nextPacket()) != nil { continue }
        #expect(reader.takeDiagnostics().contains { $0.code == "truncated" })
    }

    /// libavformat reads of MP4 its tables and the wanted samples, with a buffer around each.
    @Test(
        .requires("ffmpeg"),
        arguments: ["+faststart", "frag_keyframe+empty_moov+default_base_moof"])
    func onlyTablesAndSamplesOfMP4AreRead(_ flags: String) throws {
        let folder = TemporaryDirectory()
        let captions = (0..<8).map {
            "\($0 + 1)\n00:00:0\($0),000 --> 00:00:0\($0),900\nLine \($0)\n"
        }
        folder.write(captions.joined(separator: "\n"), to: "film.srt")
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "nullsrc=s=640x360:r=24:d=8,geq=random(1)*255:128:128", "-i", folder / "film.srt",
                "-map", "0", "-map", "1", "-c:v", "mpeg4", "-q:v", "2", "-g", "12", "-c:s",
                "mov_text", "-movflags", flags, folder / "film.mp4",
            ])
        try #require(made.status == 0, "\(made.stderr)")
        let (packets, reader) = try Self.packets(folder / "film.mp4", .auto)
        #expect(packets.filter { $0.data.count > 2 }.count == 8)
        let size = UInt64(fileBytes(folder / "film.mp4")?.count ?? 0)
        #expect(size > 8_000_000)
        #expect(reader.summary.statistics.bytesRead < size / 4)
    }

    @Test func theIndexAsksForLittleMoreThanItNeeds() throws {
        let path = fixture("containers/movie.mkv")
        let (packets, reader) = try Self.packets(path, .index)
        let payload = packets.reduce(0) { $0 + $1.data.count }
        #expect(reader.summary.statistics.bytesRead < UInt64(payload) + 40_000)
    }
}
