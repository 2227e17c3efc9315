import TestSupport
import Testing
import Undertext

/// Documents from files and back, and the hook between.
@Suite struct SubtitleDocumentTests {
    let folder = TemporaryDirectory()

    private var file: String {
        folder.write(
            "1\n00:00:01,000 --> 00:00:02,000\n<i>Colour</i> & more\n\n"
                + "2\n00:00:03,000 --> 00:00:04,000\nADVERTISEMENT\n\n", to: "a.srt")
    }

    @Test func readAndWritten() throws {
        let document = try SubtitleDocument(contentsOf: file)
        #expect(document.header.codec == .subRip)
        #expect(document.cues.map(\.plainText) == ["Colour & more", "ADVERTISEMENT"])
        #expect(document.cues[0].endSource == .explicit)
        let vtt = try #require(document.written(as: .webVTT))
        #expect(
            String(decoding: vtt.bytes, as: UTF8.self).hasPrefix(
                "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>Colour</i> &amp; more\n"))
        #expect(vtt.losses.isEmpty)
        let back = try SubtitleDocument(
            contentsOf: folder.write(vtt.bytes, to: "b.vtt"))
        let again = try #require(back.written(as: .subRip))
        #expect(String(decoding: again.bytes, as: UTF8.self) == fileText(file))
        #expect(document.written(as: .pgs) == nil)
        let lines = try #require(document.written(as: .jsonLines))
        #expect(lines.bytes.starts(with: "{\"type\":\"track\"".utf8))
        let json = try JSON(parsing: try #require(document.written(as: .json)).bytes)
        #expect(json["cues"]?.elements.count == document.cues.count)
        #expect(json["summary"] == .null)
    }

    @Test(arguments: [SubtitleFormat.ass, .ssa]) func writtenAsScripts(_ format: SubtitleFormat)
        throws
    {
        let document = try SubtitleDocument(contentsOf: file)
        let script = try #require(document.written(as: format))
        let name = "a." + format.name
        let back = try SubtitleDocument(contentsOf: folder.write(script.bytes, to: name))
        #expect(back.header.codec == (format == .ass ? .ass : .ssa))
        #expect(back.cues.map(\.plainText) == document.cues.map(\.plainText))
        #expect(back.cues.map(\.start) == document.cues.map(\.start))
        #expect(back.cues.map(\.end) == document.cues.map(\.end))
        let isItalic = back.cues.map { cue in
            guard case .text(let text) = cue.content else { return false }
            return text.runs.first?.style.isItalic == true
        }
        #expect(isItalic == [true, false])
        // A script stays the script that it was.
        #expect(back.written(as: format)?.bytes == script.bytes)
    }

    /// What a script holds is told whichever of its readers finds it.
    @Test func largeFontsAreTold() throws {
        let font = String(repeating: "!!!!\n", count: 100)
        let path = folder.write(
            "[Script Info]\n[Fonts]\nfontname: a.ttf\n\(font)\n[Events]\n"
                + "Format: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,hi\n", to: "f.ass")
        var options = Media.Options()
        options.limits.attachmentSize = 16
        var told: [Diagnostic] = []
        let document = try SubtitleDocument(contentsOf: path, options: options) { told.append($0) }
        #expect(document.cues.count == 1)
        #expect(told.map(\.code) == ["attachment-too-large"])
    }

    /// A file may be read twice, and says the same.
    @Test func readTwice() throws {
        let media = try Media(file)
        #expect(
            try media.subtitleTrack(id: 0).document().cues
                == media.subtitleTrack(id: 0).document().cues)
    }

    @Test func probingIsStopped() throws {
        var options = Media.Options()
        let cancellation = Cancellation()
        options.cancellation = cancellation
        let media = try Media(file, options: options)
        #expect(try media.probedDescription().streams.count == 1)
        cancellation.cancel()
        let error = #expect(throws: UndertextError.self) { try media.probedDescription() }
        #expect(error?.code == .cancelled)
    }

    @Test func hookSeesTheWholeFile() throws {
        var options = Media.Options()
        options.textHook = TextHook { text, scope in
            scope == .file
                ? text.split(separator: "\n\n").dropLast().joined(separator: "\n\n") : "?"
        }
        let document = try SubtitleDocument(contentsOf: file, options: options)
        #expect(document.cues.map(\.plainText) == ["Colour & more"])
    }

    @Test func hookSeesEachPacket() throws {
        var options = Media.Options()
        options.textHook = TextHook { text, scope in
            scope == .packet(.subRip) ? "<u>" + text + "</u>" : text
        }
        let film = try Media(fixture("containers/movie.mkv"), options: options)
        let track = try #require(film.subtitleTracks.first { $0.codec == .subRip })
        let plain = try Media(fixture("containers/movie.mkv")).subtitleTrack(id: track.id)
            .document().cues
        let changed = try track.document().cues
        #expect(!plain.isEmpty && changed.map(\.plainText) == plain.map(\.plainText))
        let underlined = changed.allSatisfy { cue in
            guard case .text(let text) = cue.content else { return false }
            return text.runs.allSatisfy(\.style.isUnderlined)
        }
        #expect(underlined)
    }

    /// Text that libavformat reads is text, too.
    @Test func hookSeesPacketsOfPJS() throws {
        var options = Media.Options()
        options.textHook = TextHook { text, scope in
            scope == .packet(CodecID(rawValue: "pjs")) ? text.replacing("one", with: "two") : text
        }
        let path = folder.write("10,20,\"one\"\n30,40,\"one more\"\n50,60,\"x\"\n", to: "m.pjs")
        let document = try SubtitleDocument(contentsOf: path, options: options)
        #expect(document.cues.map(\.plainText) == ["two", "two more", "x"])
    }

    @Test func diagnosticsAreTold() throws {
        var found: [Diagnostic] = []
        let bad = folder.write(
            Array("1\n00:00:01,000 --> 00:00:02,000\nÄÖÜäöüßéèà".utf8) + [0xFF], to: "c.srt")
        let document = try SubtitleDocument(contentsOf: bad) { found.append($0) }
        #expect(document.cues.count == 1)
        #expect(found.map(\.code) == ["invalid-utf8"])
    }
}
