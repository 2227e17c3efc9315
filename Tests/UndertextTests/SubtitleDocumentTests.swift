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
        let vtt = try #require(document.written(as: .vtt))
        #expect(
            String(decoding: vtt.bytes, as: UTF8.self).hasPrefix(
                "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>Colour</i> &amp; more\n"))
        #expect(vtt.losses.isEmpty)
        let back = try SubtitleDocument(
            contentsOf: folder.write(vtt.bytes, to: "b.vtt"))
        let again = try #require(back.written(as: .srt))
        #expect(String(decoding: again.bytes, as: UTF8.self) == fileText(file))
        #expect(document.written(as: .sup) == nil)
        #expect(document.written(as: .json)?.bytes.starts(with: "{\"type\":\"track\"".utf8) == true)
    }

    @Test func hookSeesTheWholeFile() throws {
        var options = MediaFile.Options()
        options.textHook = TextHook { text, scope in
            scope == .file
                ? text.split(separator: "\n\n").dropLast().joined(separator: "\n\n") : "?"
        }
        let document = try SubtitleDocument(contentsOf: file, options: options)
        #expect(document.cues.map(\.plainText) == ["Colour & more"])
    }

    @Test func hookSeesEachPacket() throws {
        var options = MediaFile.Options()
        options.textHook = TextHook { text, scope in
            scope == .packet(.subRip) ? "<u>" + text + "</u>" : text
        }
        let film = try MediaFile(fixture("containers/movie.mkv"), options: options)
        let stream = try #require(film.subtitleStreams.first { $0.codec == .subRip })
        let plain = try MediaFile(fixture("containers/movie.mkv")).cues(ofStream: stream.index)
        let changed = try film.cues(ofStream: stream.index)
        #expect(!plain.isEmpty && changed.map(\.plainText) == plain.map(\.plainText))
        let underlined = changed.allSatisfy { cue in
            guard case .text(let text) = cue.content else { return false }
            return text.runs.allSatisfy(\.style.isUnderlined)
        }
        #expect(underlined)
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
