import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

/// Pairs of .idx and .sub as inputs of the engine.
@Suite struct VobSubInputTests {
    private static let pair = fixture("subtitles/vobsub")

    private func look(_ cues: [Cue]) -> [String] {
        cues.map { "\($0.start.nanoseconds) \($0.end.nanoseconds) \($0.isForced)" }
    }

    @Test func eitherFileOfThePairWillDo() throws {
        let listed = try Media(Self.pair + ".idx")
        let stored = try Media(Self.pair + ".sub")
        #expect(listed.description.formatName == "vobsub")
        #expect(stored.description.formatName == "mpeg")
        #expect(stored.subtitleTracks.first?.language == LanguageTag("en"))
        let expected = try listed.subtitleTrack(id: 0).document().cues
        #expect(expected.count == 7)
        let found = try stored.subtitleTrack(id: 0).document().cues
        #expect(look(found) == look(expected))
        #expect(found.map(\.content) == expected.map(\.content))
    }

    @Test(.requires("ffprobe")) func probeEqualsFfprobe() throws {
        let inputs = files(below: Repository.root + "/Fixtures").filter {
            $0.hasSuffix(".idx") || $0.hasSuffix(".sub") || $0.hasSuffix(".VOB")
        }
        var compared = 0
        for path in inputs {
            let result = run(
                "ffprobe",
                [
                    "-v", "quiet", "-show_format", "-show_streams", "-show_chapters",
                    "-show_programs", "-of", "json", path,
                ])
            guard let theirs = readJSON(result.stdout), theirs["format"] != nil else { continue }
            let ours = try Media(path).probe().json
            let differences = contractDifferences(ours, theirs)
            #expect(differences.isEmpty, "\(path): \(differences)")
            compared += 1
        }
        #expect(compared >= 30)
    }

    @Test func indexWithoutItsUnitsIsAnError() throws {
        let folder = TemporaryDirectory()
        let path = folder.write(try fixtureBytes("subtitles/vobsub.idx"), to: "alone.idx")
        let error = #expect(throws: UndertextError.self) { try Media(path) }
        #expect(error?.code == .notFound)
    }

    /// A .sub file by itself has the canvas on which its images have room.
    @Test func unitsAloneHaveACanvas() throws {
        func canvases(_ path: String) throws -> Set<PixelSize?> {
            Set(
                try Media(path).subtitleTrack(id: 0).document().cues.map { cue in
                    guard case .images(let content) = cue.content else { return nil }
                    return content.canvas
                })
        }
        let folder = TemporaryDirectory()
        let path = folder.write(try fixtureBytes("subtitles/vobsub.sub"), to: "film.sub")
        #expect(try canvases(path) == [PixelSize(width: 720, height: 576)])
        #expect(
            try canvases(fixture("bitmap/dvd/sub-alone/stream.sub"))
                == [PixelSize(width: 720, height: 480)])
    }

    /// An unreadable companion of a .sub file is reported.
    @Test func brokenCompanionsAreReported() throws {
        let units = try fixtureBytes("subtitles/vobsub.sub")
        for (name, code) in [
            ("film.idx", "damaged-index"), ("film.IFO", "damaged-information-file"),
        ] {
            let folder = TemporaryDirectory()
            let path = folder.write(units, to: "film.sub")
            #expect(try Media(path).diagnostics.isEmpty)
            folder.write("nothing of use", to: name)
            let file = try Media(path)
            #expect(file.diagnostics.map(\.code) == [code])
            #expect(try file.subtitleTrack(id: 0).document().cues.count == 7)
        }
        let folder = TemporaryDirectory()
        let path = folder.write(units, to: "film.sub")
        #expect(run("mkdir", [folder / "film.idx"]).status == 0)
        #expect(try Media(path).diagnostics.map(\.code) == ["damaged-index"])
    }

    @Test func namesMayBeInCapitals() throws {
        let folder = TemporaryDirectory()
        let path = folder.write(try fixtureBytes("subtitles/vobsub.idx"), to: "FILM.IDX")
        _ = folder.write(try fixtureBytes("subtitles/vobsub.sub"), to: "FILM.SUB")
        #expect(try Media(path).subtitleTrack(id: 0).document().cues.count == 7)
    }

    @Test func byteOrderMarkIsSkipped() throws {
        let folder = TemporaryDirectory()
        let path = folder.write(
            [0xEF, 0xBB, 0xBF] + (try fixtureBytes("subtitles/vobsub.idx")), to: "film.idx")
        _ = folder.write(try fixtureBytes("subtitles/vobsub.sub"), to: "film.sub")
        #expect(try Media(path).subtitleTrack(id: 0).document().cues.count == 7)
    }

    /// The screen at any time equals that after decoding from the beginning.
    @Test(arguments: [
        "subtitles/vobsub.idx", "subtitles/vobsub.sub", "containers/movie.mkv",
        "bitmap/dvd/fade/stream.idx", "bitmap/dvd/no-stop/stream.idx",
        "bitmap/dvd/transparent/stream.idx", "bitmap/dvd/delays/stream.idx",
        "bitmap/dvd/sub-alone/stream.sub", "bitmap/dvd/colcon-wipe/stream.idx",
    ])
    func seekShowsWhatDecodingFromTheStartShows(_ name: String) throws {
        let file = try Media(fixture(name))
        let track = try #require(file.subtitleTracks.first { $0.codec == .dvd })
        let all = try track.document().cues
        let times = Set(all.flatMap { [$0.start, $0.end] }).sorted()
        var checked = 0
        for time in times {
            for shift in [-1, 0, 1] {
                let start = time.advanced(by: .milliseconds(shift))
                let window = TimeWindow(from: start, until: start.advanced(by: .milliseconds(1)))
                let expected = all.filter { window.overlaps(from: $0.start, until: $0.end) }
                let found = try track.document(in: window).cues
                #expect(look(found) == look(expected), "\(name) at \(start.nanoseconds)")
                #expect(found.map(\.content) == expected.map(\.content))
                checked += 1
            }
        }
        #expect(checked >= 6)
    }

    /// A pair whose units have no real command to stop: the largest delay, as FFmpeg's muxing leaves it.
    private func endlessPair(in folder: TemporaryDirectory) throws -> String {
        let file = try Media(Self.pair + ".idx")
        let track = try #require(file.subtitleTracks.first)
        let stream = track.stream
        var writer = VobSubPacketWriter(codecPrivate: stream.codecPrivate, size: stream.size)
        var output: [[UInt8]] = [[], []]
        writer.begin(into: &output)
        let reader = try file.subtitleTrack(id: 0).packetReader()
        while var packet = try reader.nextPacket() {
            packet.duration = nil
            for sequence in SubPictureUnit(packet.data)?.sequences ?? []
            where sequence.commands.contains(.stop) {
                packet.data.replaceSubrange(
                    sequence.offset..<sequence.offset + 2, with: [255, 255])
            }
            writer.write(packet, into: &output)
        }
        writer.finish(into: &output)
        folder.write(output[0], to: "endless.idx")
        folder.write(output[1], to: "endless.sub")
        return folder / "endless.idx"
    }

    /// The next unit ends a unit that does not say when it ends, in every container and in a window.
    @Test(.requires("ffmpeg"), arguments: ["idx", "mkv", "mp4", "vob"])
    func unitsWithoutARealStopEndWithTheNext(_ name: String) throws {
        let folder = TemporaryDirectory()
        var path = try endlessPair(in: folder)
        if name != "idx" {
            let made = folder / "endless.\(name)"
            let result = run("ffmpeg", ["-v", "error", "-i", path, "-c:s", "copy", made])
            #expect(result.status == 0 || exists(made), "\(result.stderr)")
            path = made
        }
        let file = try Media(path)
        let cues = try file.subtitleTrack(id: 0).document().cues
        #expect(cues.count >= 6)
        for (cue, next) in zip(cues, cues.dropFirst()) {
            #expect(cue.end <= next.start, "\(cue.start.nanoseconds)")
            #expect(cue.end < next.start || cue.endSource != .explicit)
        }
        let last = try #require(cues.last)
        #expect(last.start.duration(to: last.end) < .seconds(60))
        for cue in cues {
            let window = TimeWindow(
                from: cue.start.advanced(by: .milliseconds(1)),
                until: cue.start.advanced(by: .milliseconds(2)))
            #expect(look(try file.subtitleTrack(id: 0).document(in: window).cues) == look([cue]))
        }
    }

    @Test func nativeCopiesKeepAnUnknownStop() throws {
        let folder = TemporaryDirectory()
        let path = try endlessPair(in: folder)
        var options = ExtractionOptions()
        options.format = .native
        options.destination = .directory(folder / "out")
        let report = try Extractor(options: options).extract(path)
        let copies = report.tracks.flatMap(\.outputs).map(\.file).filter { $0.hasSuffix(".sub") }
        #expect(copies.count == 1)
        #expect(fileBytes(copies.first ?? "") == fileBytes(folder / "endless.sub"))
    }

    @Test func aFadeCanBeFolded() throws {
        var options = Media.Options()
        options.decoding.mergesFades = true
        let path = fixture("bitmap/dvd/fade/stream.idx")
        let whole = try Media(path).subtitleTrack(id: 0).document().cues
        let folded = try Media(path, options: options).subtitleTrack(id: 0).document().cues
        #expect(whole.count == 5)
        #expect(folded.map(\.start) == [whole[0].start])
        #expect(folded.map(\.end) == [whole[4].end])
        #expect(folded.map(\.content) == [whole[2].content])
    }

    @Test func colorsOfAnInformationFileFollowTheMatrix() throws {
        var options = Media.Options()
        let path = fixture("bitmap/dvd/information-file/VTS_01_1.VOB")
        let usual = try Media(path, options: options).description.streams[0].codecPrivate
        options.decoding.colorMatrix = .bt709
        let other = try Media(path, options: options).description.streams[0].codecPrivate
        #expect(
            String(decoding: usual, as: UTF8.self).hasPrefix(
                "size: 720x576\npalette: 000000, ffffff, fe0000,"))
        #expect(usual != other)
    }

    /// A unit that lasts longer than its packet is still on screen after it.
    @Test func ownEndCountsInASeek() throws {
        let unit = try #require(
            try Media(Self.pair + ".idx").subtitleTrack(id: 0).packetReader().nextPacket())
        var window = PacketWindow(
            TimeWindow(from: .milliseconds(3000), until: .milliseconds(3001)),
            streams: [StreamDescription(index: 0, kind: .bitmap, codec: .dvd)], limit: 1 << 20)
        var short = unit
        short.duration = 500
        let passed = window.add(short)
        #expect(passed == [short])
    }
}
