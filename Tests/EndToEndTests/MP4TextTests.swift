import TestSupport
import Testing
import UndertextCore

/// Text tracks of MP4 by our own reader: files of others, and what libavformat finds in the same ones.
@Suite struct MP4TextTests {
    /// `start-end text`, times in milliseconds.
    private func cues(_ path: String, _ arguments: String...) throws -> [String] {
        let result = Command.undertext(
            ["extract", "--format", "json", "-o", "-"] + arguments + [path])
        #expect([0, 2].contains(result.status), "\(path): \(result.stderr)")
        return result.text.split(separator: "\n").filter { jsonValue("type", in: $0) == "cue" }
            .map { line in
                "\(jsonMilliseconds("start", in: line))-\(jsonMilliseconds("end", in: line)) "
                    + (jsonValue("text", in: line) ?? "")
            }
    }

    /// The initialization and a segment of a stream, put together.
    private func joined(_ name: String, in folder: TemporaryDirectory) throws -> String {
        let corpus = try #require(corpusPath("shaka-player"))
        let parts = try ["init", "segment"].map { part in
            try #require(fileBytes("\(corpus)/\(name)-\(part).mp4"))
        }
        return folder.write(parts.flatMap { $0 }, to: "\(name).mp4")
    }

    private func expected(_ file: String, _ key: String) throws -> [String] {
        let cues = try #require(CorpusJSON.load(file)[key]?["cues"])
        return cues.elements.compactMap { cue in
            guard case .number(let start)? = cue.elements.first,
                case .number(let end) = cue.elements[1], let text = cue.elements[2].string
            else { return nil }
            return "\(Int((start * 1000).rounded()))-\(Int((end * 1000).rounded())) \(text)"
        }
    }

    @Test(.requiresCorpus("shaka-player")) func webVTTOfShaka() throws {
        let folder = TemporaryDirectory()
        let path = try joined("vtt", in: folder)
        let expected = try expected(
            "shaka-player/expected/expected.json", "vtt-init.mp4 + vtt-segment.mp4")
        #expect(!expected.isEmpty)
        #expect(try cues(path) == expected)
        // libavformat gives the samples, without their lengths.
        #expect(
            try cues(path, "--io", "scan").map { $0.prefix(7) } == expected.map { $0.prefix(7) })
        let native = Command.undertext("extract", "--format", "native", "-o", folder.path, path)
        #expect(native.status == 0, "\(native.stderr)")
        let file = try #require(fileText(folder / "vtt.en.vtt"))
        #expect(
            file == """
                WEBVTT

                00:01:51.800 --> 00:01:55.800
                It has shed much innocent blood.

                00:01:58.000 --> 00:02:00.000
                You're a fool for traveling alone,
                so completely unprepared.

                """)
    }

    @Test(.requiresCorpus("shaka-player")) func documentsOfOthers() throws {
        let folder = TemporaryDirectory()
        let path = try joined("ttml", in: folder)
        let expected = try expected(
            "shaka-player/expected/expected.json", "ttml-init.mp4 + ttml-segment.mp4")
        #expect(expected.count == 10)
        #expect(try cues(path) == expected)
        #expect(try cues(path, "--io", "scan") == expected)
    }

    @Test(.requiresCorpus("mp4ff/cmd/mp4ff-subslister/testdata"))
    func documentsThatAreClipped() throws {
        let folder = try #require(corpusPath("mp4ff/cmd/mp4ff-subslister/testdata"))
        // The last two end at 6.6 s, but their sample at 6 s: a sample shows nothing outside its time.
        #expect(
            try cues(folder + "/stpp_combined.mp4") == [
                "2520-4120 -Pourquoi ?", "2520-4120 -J'ai...",
                "4520-6000 J'ai un tas de trucs à faire.", "4520-6000 -Non !",
            ])
    }

    /// The screen between changes, as other players show it.
    @Test(
        .requiresCorpus(
            "androidx-media/dash/ttml-in-mp4/sample.text.mp4",
            "androidx-media/expected/text_output_timeline.json"))
    func documentsOnAScreen() throws {
        let path = try #require(corpusPath("androidx-media/dash/ttml-in-mp4/sample.text.mp4"))
        let all = try CorpusJSON.load("androidx-media/expected/text_output_timeline.json")
        let cues = try cues(path).map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            let times = parts[0].split(separator: "-").compactMap { Int($0) }
            return (start: times[0], end: times[1], text: String(parts[1]))
        }
        let states = try #require(all["dash/ttml-in-mp4.dump"]?.elements)
        #expect(states.count == 7)
        for state in states {
            guard case .number(let time)? = state["t_us"] else { continue }
            let milliseconds = Int(time / 1000)
            let shown = cues.filter { $0.start <= milliseconds && milliseconds < $0.end }
                .map(\.text).joined(separator: "\n")
            // The player draws the paragraphs of a region as one text.
            let theirs = state["cues"]?.elements.compactMap { $0["text"]?.string } ?? []
            #expect(shown == theirs.joined(separator: "\n"), "\(milliseconds) ms")
        }
        let changes = Set(cues.flatMap { [$0.start, $0.end] } + [0])
        #expect(changes.count == states.count)
    }

    @Test func imageDocuments() throws {
        let folder = TemporaryDirectory()
        let document = Array(
            """
            <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling"
             xmlns:smpte="http://www.smpte-ra.org/schemas/2052-1/2010/smpte-tt" tts:extent="64px 64px">
            <head><layout><region xml:id="r" tts:origin="0px 0px" tts:extent="16px 16px"/></layout></head>
            <body><div region="r" begin="0s" end="1s"
             smpte:backgroundImage="urn:mpeg:14496-30:subs:1"/></body></tt>
            """.utf8)
        let image = try fixtureBytes("subtitles/cover.png")
        var builder = MP4Builder(
            "stpp", entry: Array("http://www.w3.org/ns/ttml\0\0image/png\0".utf8))
        builder.extra = MP4Builder.box(
            "subs", [1, 0, 0, 0], MP4Builder.words(1, 1), [0, 2],
            MP4Builder.words(document.count), [0, 0], MP4Builder.words(0, image.count), [0, 0],
            MP4Builder.words(0))
        let sample = MP4Builder.Sample(document + image, 1000)
        // If nothing is declared, the first documents decide.
        var silent = builder
        silent.entry = Array("http://www.w3.org/ns/ttml\0\0\0".utf8)
        for (name, bytes) in [
            ("p", builder.file([sample])), ("f", builder.fragmented([(0, [sample])])),
            ("s", silent.fragmented([(0, [sample])])),
        ] {
            let path = folder.write(bytes, to: "\(name).mp4")
            let result = Command.undertext("extract", "-o", folder.path, path)
            #expect(result.status == 0, "\(result.stderr)")
            #expect(
                names(in: folder / "\(name).und.images").contains("0001.png"), "\(result.stderr)")
        }
    }

    @Test(.requiresCorpus("shaka-player")) func webVTTOverAPipe() throws {
        let folder = TemporaryDirectory()
        let path = try joined("vtt", in: folder)
        let result = Command.undertext(
            "extract", "--format", "json", "-o", "-", "-", stdin: try #require(fileBytes(path)))
        #expect(result.status == 0, "\(result.stderr)")
        let cues = result.records("cue")
        #expect(cues.contains { $0["start"]?.fraction == 111.8 && $0["end"]?.fraction == 115.8 })
        #expect(cues.contains { $0["start"]?.fraction == 118 })
    }

    @Test func aPartOfTheTimeline() throws {
        let folder = TemporaryDirectory()
        let box = MP4Builder.box
        func sample(_ texts: String...) -> MP4Builder.Sample {
            let boxes = texts.map { box("vttc", box("payl", Array($0.utf8))) }
            return .init(texts.isEmpty ? box("vtte") : boxes.flatMap { $0 }, 1000)
        }
        let builder = MP4Builder("wvtt", entry: box("vttC", Array("WEBVTT".utf8)))
        let samples = [
            sample("a"), sample("a", "b"), sample("a"), sample(), sample("c"), sample("d"),
        ]
        for (name, bytes) in [
            ("table.mp4", builder.file(samples)),
            ("fragments.mp4", builder.fragmented([(0, samples)])),
        ] {
            let path = folder.write(bytes, to: name)
            #expect(
                try cues(path) == ["0-3000 a", "1000-2000 b", "4000-5000 c", "5000-6000 d"])
            // A cue that began before keeps its times.
            #expect(try cues(path, "--start", "2", "--end", "3") == ["0-3000 a"])
            let probe = Command.undertext("probe", "--json", path)
            #expect(probe.text.contains("webvtt"))
        }
    }

    /// A sample of a track that libavformat does not know: a caption distribution packet in an atom.
    @Test func digitalCaptions() throws {
        func sample(_ packet: [UInt8]) -> MP4Builder.Sample {
            var triplets: [UInt8] = []
            for index in stride(from: 0, to: packet.count, by: 2) {
                triplets += [index == 0 ? 0xFF : 0xFE, packet[index], packet[index + 1]]
            }
            var bytes: [UInt8] = [0x96, 0x69, 0, 0x4F, 0x43, 0, 0, 0x72]
            bytes.append(0xE0 | UInt8(packet.count / 2))
            bytes += triplets
            bytes += [0x74, 0, 0]
            bytes[2] = UInt8(bytes.count + 1)
            bytes.append(0 &- bytes.reduce(0, &+))
            return .init(MP4Builder.box("ccdp", bytes), 1000)
        }
        // A window with text, and a reset.
        let samples = [
            sample([6, 0x29, 0x98, 0x20, 60, 25, 1, 31, 9, 0x68, 0x69, 0]),
            sample([0x42, 0x21, 0x8F, 0]),
        ]
        var builder = MP4Builder("c708")
        builder.handler = "clcp"
        let folder = TemporaryDirectory()
        let path = folder.write(builder.file(samples), to: "captions.mp4")
        #expect(try cues(path) == ["0-1000 hi"])
        #expect(Command.undertext("probe", "--json", path).text.contains("eia_708"))
    }

    private func timedText(_ text: String, _ duration: UInt32) -> MP4Builder.Sample {
        .init([0, UInt8(text.utf8.count)] + Array(text.utf8), duration)
    }

    /// The box, style and font that libavformat requires of a timed text track.
    private var timedTextEntry: [UInt8] {
        MP4Builder.words(0) + [1, 0xFF] + MP4Builder.words(0, 0) + [0, 60, 1, 0x90]
            + MP4Builder.words(0) + [0, 1, 0, 18] + MP4Builder.words(-1)
            + MP4Builder.box("ftab", [0, 1, 0, 1, 5] + Array("Serif".utf8))
    }

    @Test func editListsOfScansAndPipes() throws {
        let folder = TemporaryDirectory()
        var builder = MP4Builder("tx3g", entry: timedTextEntry)
        let samples = [
            timedText("a", 1000), timedText("b", 500), timedText("", 500), timedText("c", 250),
        ]
        let lists: [[(length: UInt32, time: Int32)]] = [
            [(600, -1), (1350, 0)], [(600, 1200)], [(600, 0), (600, 0)], [(300, 0), (600, 1000)],
            [(300, 1600)], [(0, 500)],
        ]
        for edits in lists {
            builder.edits = edits
            let bytes = builder.file(samples)
            let path = folder.write(bytes, to: "e.mp4")
            let ours = try cues(path)
            #expect(!ours.isEmpty)
            #expect(try cues(path, "--io", "scan") == ours, "\(edits)")
            let pipe = Command.reported(
                ["extract", "--format", "json", "-o", "-", "-"], stdin: bytes)
            let count = pipe.result.records("cue").count
            // Content that libavformat cannot read from a pipe is reported.
            #expect(
                pipe.codes(.error) == (count == ours.count ? [] : ["missing-samples"]),
                "\(edits): \(pipe.codes)")
            #expect(pipe.status == (count == ours.count ? 0 : 3), "\(edits)")
        }
    }

    @Test func emptySamplesEndCuesOnEveryPath() throws {
        let folder = TemporaryDirectory()
        let samples = [
            timedText("a", 1000), timedText("", 500), timedText("b", 1000), timedText("", 500),
        ]
        let builder = MP4Builder("tx3g", entry: timedTextEntry)
        for bytes in [builder.file(samples), builder.fragmented([(0, samples)])] {
            let path = folder.write(bytes, to: "t.mp4")
            let expected = ["0-1000 a", "1500-2500 b"]
            #expect(try cues(path) == expected)
            #expect(try cues(path, "--io", "scan") == expected)
            let pipe = Command.undertext(
                "extract", "--format", "srt", "-o", "-", "-", stdin: bytes)
            #expect(pipe.text.contains("00:00:00,000 --> 00:00:01,000"), "\(pipe.stderr)")
            #expect(pipe.text.contains("00:00:01,500 --> 00:00:02,500"))
        }
    }

    private func document(_ body: String) -> [UInt8] {
        Array(
            ("<tt xmlns=\"http://www.w3.org/ns/ttml\" "
                + "xmlns:smpte=\"http://www.smpte-ra.org/schemas/2052-1/2010/smpte-tt\">"
                + "<body><div>\(body)</div></body></tt>").utf8)
    }

    @Test func aPartOfContinuedDocuments() throws {
        let folder = TemporaryDirectory()
        let whole = document("<p begin=\"1s\" end=\"7s\">a</p>")
        let samples: [MP4Builder.Sample] = [
            .init(whole, 2000), .init(whole, 2000), .init(whole, 2000), .init(whole, 2000),
            .init(document(""), 2000), .init(document("<p>b</p>"), 2000),
        ]
        let builder = MP4Builder("stpp", entry: Array("http://www.w3.org/ns/ttml\0\0\0".utf8))
        for (name, bytes) in [
            ("table.mp4", builder.file(samples)),
            ("fragments.mp4", builder.fragmented([(0, samples)])),
        ] {
            let path = folder.write(bytes, to: name)
            #expect(try cues(path) == ["1000-7000 a", "10000-12000 b"])
            for io in ["auto", "scan"] {
                // Before FFmpeg 9.0, libavformat does not report the duration of a fragment's last sample.
                let ends = io == "scan" && name == "fragments.mp4" ? [12000, 20000] : [12000]
                #expect(
                    try cues(path, "--start", "4.5", "--end", "5", "--io", io) == ["1000-7000 a"])
                #expect(try cues(path, "--start", "8", "--end", "9.5", "--io", io) == [])
                let last = try cues(path, "--start", "9", "--io", io)
                #expect(ends.contains { last == ["10000-\($0) b"] }, "\(last)")
            }
        }
    }

    @Test func packetsThatProbeReports() throws {
        let folder = TemporaryDirectory()
        func facts(_ bytes: [UInt8]) -> [String] {
            let path = folder.write(bytes, to: "p.mp4")
            let answer = Command.undertext("probe", "--json", path).text
            return ["indexed", "packets"].compactMap { jsonValue($0, in: answer[...]) }
        }
        let samples = [timedText("a", 1000), .init([], 500), timedText("b", 1000)]
        var builder = MP4Builder("tx3g", entry: timedTextEntry)
        #expect(facts(builder.file(samples)) == ["true", "2"])
        let fragment = [samples[0], samples[2]]
        #expect(facts(builder.fragmented([(0, fragment), (2000, fragment)])) == ["false", "null"])
        builder.edits = [(600, 0)]
        #expect(facts(builder.file(samples)) == ["true", "1"])
    }

    @Test func aListAfterTheMediaInAPipe() throws {
        let builder = MP4Builder("tx3g", entry: timedTextEntry)
        func behind(_ samples: [MP4Builder.Sample]) -> [UInt8] {
            let film = builder.file(samples)
            let start = MP4Builder.box("ftyp", Array("isom".utf8), MP4Builder.words(0))
            let media = MP4Builder.box("mdat", samples.flatMap(\.data))
            var list = Array(film[start.count..<film.count - media.count])
            // One chunk, whose offset has changed.
            if let place = list.indices.first(where: { list[$0...].starts(with: "stco".utf8) }) {
                list.replaceSubrange(
                    place + 12..<place + 16, with: MP4Builder.words(start.count + 8))
            }
            return start + media + list
        }
        let small = Command.undertext(
            "extract", "--format", "srt", "-o", "-", "-",
            stdin: behind([timedText("a", 1000), timedText("b", 1000)]))
        #expect(small.status == 0 && small.text.contains("b"), "\(small.stderr)")
        let filler = MP4Builder.Sample([0, 0] + Array(repeating: 0, count: 300 << 10), 1000)
        let large = Command.reported(
            ["extract", "--format", "srt", "-o", "-", "-"],
            stdin: behind([timedText("a", 1), filler]))
        #expect(large.status == 1 && large.errors == ["unsupported"], "\(large.errors)")
        #expect(large.result.states("faststart"), "\(large.result.stderr)")
        let probe = Command.undertext(
            "probe", "-", stdin: behind([timedText("a", 1), filler]))
        #expect(probe.status == 0 && probe.text.contains("mov_text"), "\(probe.stderr)")
    }

    /// libavformat reports no durations for samples of fragments, and puts the first one after a cut at zero.
    @Test(.requires("ffmpeg")) func mediaFilesThatFFmpegCuts() throws {
        let folder = TemporaryDirectory()
        let film = fixture("containers/movie.mp4")
        func made(_ name: String, _ before: [String], _ behind: [String]) throws -> [String] {
            let arguments = ["-v", "error"] + before + ["-i", film, "-map", "0", "-c", "copy"]
            #expect(run("ffmpeg", arguments + behind + [folder / name]).status == 0)
            return try cues(folder / name, "--tracks", "2")
        }
        let whole = try cues(film, "--tracks", "2")
        #expect(whole.contains("4000-6000 DANGER of falling") && whole.count == 10)
        #expect(try made("fragments.mp4", [], ["-movflags", "+cmaf"]) == whole)
        #expect(
            try made("cut.mp4", ["-ss", "4.2"], []).prefix(2)
                == ["0-1800 DANGER of falling", "1800-3840 Above, commas, too"])
        let late = try made("late.mp4", ["-itsoffset", "2.5"], [])
        #expect(late.contains("6500-8500 DANGER of falling") && late.count == 10)
    }

    /// Every text track of MP4 in the corpus: the same by tables, fragments and libavformat.
    @Test func tablesEqualLibavformat() throws {
        var count = 0
        var paths = CorpusTests.mediaFiles().filter { $0.hasSuffix(".mp4") }
        paths.append(fixture("containers/movie.mp4"))
        for path in paths {
            let streams = Command.probed([path])["streams"]?.elements ?? []
            guard streams.contains(where: { $0["codec_name"]?.text == "mov_text" }) else {
                continue
            }
            let ours = try cues(path, "--tracks", "text")
            let theirs = try cues(path, "--tracks", "text", "--io", "scan")
            // libavformat takes the length of the last sample from that of the track.
            #expect(ours.dropLast() == theirs.dropLast(), "\(path)")
            #expect(ours.last?.prefix { $0 != "-" } == theirs.last?.prefix { $0 != "-" }, "\(path)")
            count += 1
        }
        #expect(count > (corpusPath("") == nil ? 0 : 6))
    }
}
