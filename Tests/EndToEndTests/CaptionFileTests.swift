import TestSupport
import Testing
import UndertextCore

/// Captions in video of encoders, in line 21 of DVDs and in tracks, by the command.
@Suite struct CaptionFileTests {
    private let folder = TemporaryDirectory()

    private static let video = [
        "h264.ts", "mpeg2.ts", "mpeg2.mkv", "h264.flv", "h264.mp4", "hevc.mp4", "hevc.mkv",
        "av1.mp4", "av1.mkv", "av1.ts", "line_21.vob",
    ]
    /// A frame in seconds.
    private static let frame = 1.001 / 30
    /// The number of the first frame of the conformance set in its files of SCC.
    private static let firstFrame = 30

    private static func path(_ name: String) -> String {
        Repository.root + "/Fixtures/captions/" + name
    }

    /// `first frame, frame after the last, text, place` of each cue, from a frame on.
    private static func cues(
        _ path: String, _ service: String, from first: Int, _ options: [String] = []
    ) throws -> [String] {
        let run = Command.undertext(
            ["extract", "--tracks", service, "--format", "jsonl", "-o", "-"] + options + [path])
        #expect(run.status == 0, "\(run.stderr)")
        let records = try run.text.split(separator: "\n").map { try JSON(parsing: $0.utf8) }
        let track = try #require(records.first { $0["type"]?.text == "track" })
        #expect(track["service"]?.text == service.uppercased())
        return records.filter { $0["type"]?.text == "cue" }.map { cue in
            func number(_ key: String) -> Int {
                Int(((cue[key]?.fraction ?? -1) / frame).rounded()) - first
            }
            let text = cue["payload"]?.text ?? ""
            return "\(number("start")) \(number("end")) \(text) "
                + (cue["layout"].map { String(decoding: $0.compact, as: UTF8.self) } ?? "")
        }
    }

    /// Extended data services of field 2 describe the program.
    @Test(arguments: ["h264.ts", "c608.mov"])
    func metadataOfPrograms(name: String) throws {
        let probe = Command.undertext("probe", "--json", Self.path("video/\(name)"))
        let metadata = try JSON(parsing: probe.stdout)["undertext"]?["content"]?["metadata"]
        #expect(metadata?["program_name"]?.text == "A program")
    }

    // MARK: Teletext

    private static func streams(_ path: String) throws -> [String] {
        let probe = Command.undertext("probe", "--json", path)
        #expect(probe.status == 0, "\(probe.stderr)")
        return try JSON(parsing: probe.stdout)["streams"]?.elements.map { stream in
            let facts = stream["undertext"]
            let index = stream["index"]?.wholeNumber ?? facts?["index"]?.wholeNumber ?? -1
            return "\(index) \(facts?["service"]?.text ?? "-") \(facts?["language"]?.text ?? "-") "
                + "\(stream["disposition"]?["hearing_impaired"]?.wholeNumber ?? 0)"
        } ?? []
    }

    /// The pages of subtitles of a descriptor are tracks with their languages; others have to be named.
    @Test func pagesOfTeletext() throws {
        let file = Self.path("teletext.ts")
        #expect(try Self.streams(file) == ["0 page888 sv 0", "1656 page777 en 1"])
        let text = Command.undertext("probe", file).text
        #expect(text.contains("page888") && text.contains("page777"))
        let run = Command.reported(["extract", "--format", "srt", "-o", folder.path, file])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(run.tracks.map { $0["service"]?.text } == ["page888", "page777"])
        let swedish = try #require(fileText(folder / "teletext.sv.srt"))
        let english = try #require(fileText(folder / "teletext.page777.en.sdh.srt"))
        for (text, words) in [
            (swedish, ["Fyren är tänd", "Ingen vet vem", "som tände den"]),
            (english, ["The lighthouse is lit", "Nobody knows who", "did it"]),
        ] {
            for line in words { #expect(text.contains(line), "\(text)") }
            #expect(text.contains("00:00:01,000 --> 00:00:03,000"))
            #expect(text.contains("00:00:04,000 --> 00:00:07,000"))
        }
        let one = Command.undertext(
            "extract", "--tracks", "page777", "--format", "srt", "-o", folder / "one.srt", file)
        #expect(one.status == 0, "\(one.stderr)")
        #expect(fileText(folder / "one.srt") == english)
        let first = Command.reported(["extract", "--tracks", "page100", "-o", folder.path, file])
        #expect(first.status == 0 && first.statuses == ["empty"], "\(first.result.stderr)")
    }

    /// The first frame of these files has a time after the zero that the container defines.
    private static func firstFrame(of name: String) -> Int {
        ["h264.mp4", "h264.flv"].contains(name) ? 3 : 0
    }

    @Test(arguments: video, [("cc1", "pop_on"), ("cc3", "field_2")])
    func cuesOfVideo(name: String, service: (String, String)) throws {
        let expected = try Self.cues(
            Self.path("\(service.1).scc"), service.0, from: Self.firstFrame)
        let found = try Self.cues(
            Self.path("video/\(name)"), service.0, from: Self.firstFrame(of: name))
        #expect(found == expected && !expected.isEmpty)
    }

    /// The same packets in a transport stream, of which only the beginnings of pictures are read.
    @Test(.requires("ffmpeg"), arguments: ["hevc.mkv", "mpeg2.mkv", "h264.flv"])
    func cuesOfTransportStreams(name: String) throws {
        let folder = TemporaryDirectory()
        let made = run(
            "ffmpeg",
            ["-v", "error", "-i", Self.path("video/\(name)"), "-c", "copy", folder / "x.m2ts"])
        #expect(made.status == 0, "\(made.stderr)")
        for (service, source) in [("cc1", "pop_on"), ("cc3", "field_2")] {
            let expected = try Self.cues(
                Self.path("\(source).scc"), service, from: Self.firstFrame)
            #expect(try Self.cues(folder / "x.m2ts", service, from: 0) == expected)
            #expect(
                try Self.cues(folder / "x.m2ts", service, from: 0, ["--io", "scan"]) == expected)
        }
    }

    @Test(arguments: ["c608.mov", "c608.mp4"])
    func cuesOfTracks(name: String) throws {
        let file = Self.path("video/\(name)")
        let expected = try Self.cues(Self.path("pop_on.scc"), "cc1", from: Self.firstFrame)
        #expect(try Self.cues(file, "cc1", from: 0) == expected)
        let folder = TemporaryDirectory()
        let native = Command.undertext(
            "extract", "--tracks", "cc1", "--format", "native", "-o", folder / "native.scc", file)
        #expect(native.status == 0, "\(native.stderr)")
        #expect(try Self.cues(folder / "native.scc", "cc1", from: 0) == expected)
    }

    /// The second field has services of its own, which only its data shows.
    @Test(arguments: ["c608.mov", "c608.mp4"])
    func servicesOfTracks(name: String) throws {
        let file = Self.path("video/\(name)")
        let expected = try Self.cues(Self.path("field_2.scc"), "cc3", from: Self.firstFrame)
        #expect(try Self.cues(file, "cc3", from: 0) == expected)
        let probe = try JSON(parsing: Command.undertext("probe", "--json", file).stdout)
        let services = probe["streams"]?.elements.compactMap { $0["undertext"]?["service"]?.text }
        #expect(services == ["CC1", "CC3"])
        let run = Command.reported(["extract", "--io", "index", "-o", folder.path, file])
        #expect(run.status == 0 && run.statuses == ["written", "written"])
    }

    @Test func cuesOfDistributionPackets() throws {
        let expected = try Self.cues(Self.path("708-pop_on.mcc"), "service1", from: 0)
        let run = Command.undertext(
            "extract", "--format", "jsonl", "-o", "-", Self.path("video/c708.mov"))
        #expect(run.status == 0, "\(run.stderr)")
        #expect(
            try Self.cues(Self.path("video/c708.mov"), "service1", from: 0) == expected
                && !expected.isEmpty)
    }
}
