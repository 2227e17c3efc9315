import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private func read(_ name: String) throws -> ReadTextFile {
    let path = try #require(corpusPath(name))
    return try ReadTextFile(WebVTTFileReader.self, try #require(fileBytes(path)))
}

/// The cues of a file, each with its end: what has none lasts ten seconds.
private func cues(_ file: ReadTextFile) throws -> (SubtitleHeader, [Cue]) {
    var decoder = try #require(
        SubtitleFormat.decoder(of: file.stream, diagnostics: DiagnosticSink()))
    var cues: [Cue] = []
    for packet in file.packets {
        for case .cue(let draft) in decoder.decode(packet) {
            var cue = draft.cue()
            cue.end = draft.end?.time ?? cue.start.advanced(by: .seconds(10))
            cues.append(cue)
        }
    }
    return (decoder.header, cues)
}

@Suite(.requiresCorpus()) struct WebVTTCorpusTests {
    @Test(arguments: [
        ("webvtt-py/tests/subtitles/sample.vtt", 16, []),
        ("webvtt-py/tests/subtitles/captions_with_bom.vtt", 4, []),
        ("webvtt-py/tests/subtitles/comments.vtt", 3, []),
        ("webvtt-py/tests/subtitles/cue_tags.vtt", 3, []),
        ("webvtt-py/tests/subtitles/empty.vtt", 0, ["no-signature"]),
        ("webvtt-py/tests/subtitles/invalid.vtt", 0, ["no-signature"]),
        ("webvtt-py/tests/subtitles/invalid_timeframe.vtt", 6, ["bad-timing"]),
        (
            "webvtt-py/tests/subtitles/invalid_timeframe_in_cue_text.vtt", 4,
            ["missing-blank-line"]
        ),
        ("webvtt-py/tests/subtitles/metadata_headers.vtt", 2, []),
        ("webvtt-py/tests/subtitles/metadata_headers_multiline.vtt", 2, []),
        ("webvtt-py/tests/subtitles/missing_caption_text.vtt", 5, []),
        ("webvtt-py/tests/subtitles/missing_timeframe.vtt", 6, ["stray-block"]),
        ("webvtt-py/tests/subtitles/no_captions.vtt", 0, []),
        ("webvtt-py/tests/subtitles/one_caption.vtt", 1, []),
        ("webvtt-py/tests/subtitles/styles.vtt", 1, []),
        ("webvtt-py/tests/subtitles/using_identifiers.vtt", 6, []),
        ("mantas-subtitles/tests/files/vtt.vtt", 2, []),
        ("mantas-subtitles/tests/files/vtt_with_html.vtt", 1, []),
        ("mantas-subtitles/tests/files/vtt_with_missing_text.vtt", 3, []),
        // The text follows empty lines, which end a cue: the standard drops it.
        (
            "mantas-subtitles/tests/files/vtt_with_multiple_new_lines.vtt", 2,
            ["stray-block", "stray-block", "stray-block"]
        ),
        ("mantas-subtitles/tests/files/vtt_with_name.vtt", 1, []),
        ("mantas-subtitles/tests/files/vtt_with_styles.vtt", 1, []),
        ("mantas-subtitles/tests/files/vtt_without_hours_in_timestamp.vtt", 1, []),
        ("go-astisub/testdata/broken-1-in.vtt", 0, ["no-signature"]),
        ("go-astisub/testdata/example-in-carriage-return.vtt", 3, []),
        ("go-astisub/testdata/example-in-html-entities.vtt", 3, []),
        ("go-astisub/testdata/example-out-html-entities.vtt", 3, []),
        ("go-astisub/testdata/example-out-styled.vtt", 10, []),
        // Regions in the syntax of a draft of 2013 are a block that means nothing.
        ("go-astisub/testdata/example-out.vtt", 6, ["stray-block"]),
        // Times without three digits after the point are malformed.
        (
            "go-astisub/testdata/example-in.vtt", 0,
            ["stray-block", "stray-block"] + Array(repeating: "bad-timing", count: 6)
        ),
    ])
    func samples(_ name: String, _ count: Int, _ codes: [String]) throws {
        let file = try read(name)
        #expect(file.packets.count == count)
        #expect(file.diagnostics.map(\.code) == codes, "\(file.notes)")
    }

    @Test func details() throws {
        let comments = try read("webvtt-py/tests/subtitles/comments.vtt")
        let styles = try read("mantas-subtitles/tests/files/vtt_with_styles.vtt")
        let metadata = try read("webvtt-py/tests/subtitles/metadata_headers.vtt")
        #expect(comments.side(.webVTTIdentifier, 2) == "3")
        #expect(comments.side(.webVTTComment, 0)?.hasPrefix("NOTE\nThis translation") == true)
        #expect(comments.side(.webVTTComment, 2) == "NOTE This last line may not translate well.")
        let header = try cues(styles).0
        #expect(header.styleSheets.count == 2)
        #expect(
            String(decoding: styles.stream.codecPrivate, as: UTF8.self).contains(
                "NOTE comment blocks can be used between style blocks.\n\nSTYLE"))
        #expect(metadata.stream.language == LanguageTag("en"))
    }

    /// The output for any file of the corpus conforms to the syntax for authors.
    @Test func writtenFilesConform() throws {
        var (checked, written) = (0, 0)
        for folder in [
            "webvtt-py", "mantas-subtitles", "go-astisub", "wpt-webvtt", "androidx-media/subrip",
            "subtitleedit",
        ] {
            let path = try #require(corpusPath(folder))
            for name in files(below: path) {
                guard let bytes = fileBytes(name), bytes.count < 1 << 20,
                    String(validating: bytes, as: UTF8.self) != nil
                else { continue }
                let file: ReadTextFile
                if name.hasSuffix(".vtt") {
                    file = try ReadTextFile(WebVTTFileReader.self, bytes)
                } else if name.hasSuffix(".srt") || name.contains("/subrip/") {
                    file = try ReadTextFile(SubRipFileReader.self, bytes)
                } else {
                    continue
                }
                let (header, list) = try cues(file)
                guard !list.isEmpty else { continue }
                var writer = WebVTTWriter(header: header)
                var output: [UInt8] = []
                writer.begin(into: &output)
                for cue in list.sorted(by: { ($0.start, $0.order) < ($1.start, $1.order) })
                where cue.start >= .zero {
                    writer.write(cue, into: &output)
                }
                writer.finish(into: &output)
                // Text, identifiers and style sheets of WebVTT are written as they are: faults in
                // them stay.
                let kept = [
                    "tag", "reference", "annotation", "class", "timestamp", "identifier", "style",
                ]
                let faults = WebVTTValidator.faults(in: output).filter { fault in
                    file.stream.codec != .webVTT || !kept.contains(fault.rule)
                }
                #expect(faults == [], "\(name)")
                checked += 1
                written += list.count
            }
        }
        print("written and validated: \(checked) files, \(written) cues")
        #expect(checked > 150)
    }
}
