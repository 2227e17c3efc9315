import TestSupport
import Testing

/// Text tracks of MP4 by our own reader: files of others, and what libavformat finds in the same ones.
@Suite struct MP4TextTests {
    /// `start-end text`, times in milliseconds.
    private func cues(_ path: String, _ arguments: String...) throws -> [String] {
        let result = Command.undertext(
            ["extract", "--format", "json", "-o", "-"] + arguments + [path])
        #expect([0, 2].contains(result.status), "\(path): \(result.stderr)")
        return result.text.split(separator: "\n").filter { $0.hasPrefix("{\"type\":\"cue\"") }
            .map { line in
                "\(jsonMilliseconds("start", in: line))-\(jsonMilliseconds("end", in: line)) "
                    + (jsonValue("text", in: line) ?? "")
            }
    }

    /// The initialisation and a segment of a stream, put together.
    private func joined(_ name: String, in folder: TemporaryDirectory) throws -> String? {
        guard let corpus = corpusPath("shaka-player") else { return nil }
        let parts = try ["init", "segment"].map { part in
            try #require(fileBytes("\(corpus)/\(name)-\(part).mp4"))
        }
        return folder.write(parts.flatMap { $0 }, to: "\(name).mp4")
    }

    private func expected(_ file: String, _ key: String) throws -> [String]? {
        guard let all = try CorpusJSON.load(file) else { return nil }
        return all[key]?["cues"]?.elements.compactMap { cue in
            guard case .number(let start)? = cue.elements.first,
                case .number(let end) = cue.elements[1], let text = cue.elements[2].string
            else { return nil }
            return "\(Int((start * 1000).rounded()))-\(Int((end * 1000).rounded())) \(text)"
        }
    }

    @Test func webVTTOfShaka() throws {
        let folder = TemporaryDirectory()
        guard let path = try joined("vtt", in: folder),
            let expected = try expected(
                "shaka-player/expected/expected.json", "vtt-init.mp4 + vtt-segment.mp4")
        else { return }
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

    @Test func webVTTOverAPipe() throws {
        let folder = TemporaryDirectory()
        guard let path = try joined("vtt", in: folder) else { return }
        let result = Command.undertext(
            "extract", "--format", "json", "-o", "-", "-", stdin: try #require(fileBytes(path)))
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.text.contains("\"start\":111.8,\"end\":115.8,"))
        #expect(result.text.contains("\"start\":118.0,"))
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

    /// Every text track of MP4 in the corpus: the same by tables, fragments and libavformat.
    @Test func tablesEqualLibavformat() throws {
        var count = 0
        var paths = CorpusTests.mediaFiles().filter { $0.hasSuffix(".mp4") }
        paths.append(fixture("containers/movie.mp4"))
        for path in paths {
            let probe = Command.undertext("probe", "--json", path).text
            guard probe.contains("\"mov_text\"") else { continue }
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
