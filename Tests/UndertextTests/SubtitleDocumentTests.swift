import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextFormats

/// Documents from files and back, and the hook between.
@Suite struct SubtitleDocumentTests {
    let folder = TemporaryDirectory()

    private var file: String {
        folder.write(
            "1\n00:00:01,000 --> 00:00:02,000\n<i>Colour</i> & more\n\n"
                + "2\n00:00:03,000 --> 00:00:04,000\nADVERTISEMENT\n\n", to: "a.srt")
    }

    private func textDocument(_ path: String) throws -> TextDocument {
        try #require(Media(path).subtitleTracks.first).textDocument()
    }

    @Test func readAndEncoded() throws {
        let document = try textDocument(file)
        #expect(try SubtitleDocument(contentsOf: file) == .text(document))
        #expect(document.header.codec == .subRip)
        #expect(document.cues.map(\.plainText) == ["Colour & more", "ADVERTISEMENT"])
        #expect(document.cues[0].endSource == .explicit)
        let vtt = document.encoded(as: .webVTT)
        #expect(
            String(decoding: vtt.bytes, as: UTF8.self).hasPrefix(
                "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>Colour</i> &amp; more\n"))
        #expect(vtt.losses.isEmpty && vtt.diagnostics.isEmpty)
        #expect(vtt.files.map(\.fileExtension) == ["vtt"])
        let back = try textDocument(folder.write(vtt.bytes, to: "b.vtt"))
        let again = back.encoded(as: .subRip)
        #expect(String(decoding: again.bytes, as: UTF8.self) == fileText(file))
        let lines = document.encoded(as: .jsonLines)
        #expect(lines.bytes.starts(with: "{\"type\":\"track\"".utf8))
        let json = try JSON(parsing: document.encoded(as: .json).bytes)
        #expect(json["cues"]?.elements.count == document.cues.count)
        #expect(json["summary"] == .null)
    }

    /// Each format that tracks of text, or of images as files, can be written in is one that documents can be encoded in.
    @Test func formatsAreOfTextOrOfImages() throws {
        let document = try textDocument(file)
        for format in SubtitleFormat.all {
            guard let text = TextFormat(format) else { continue }
            #expect(!document.encoded(as: text).bytes.isEmpty, "\(format)")
            #expect(BitmapFormat(format) == nil)
        }
        let known: [TextFormat] = [
            .webVTT, .subRip, .ass, .ssa, .ttml, .scc, .ebuSTL, .json, .jsonLines,
        ]
        #expect(Set(known).isSubset(of: SubtitleFormat.outputs.compactMap { TextFormat($0) }))
        #expect(TextFormat(.pgs) == nil && TextFormat(.mpl2) == nil)
        #expect(BitmapFormat(.pgs) == .sup && BitmapFormat(.vobSub) == .vobSub)
        #expect(BitmapFormat(.png) == nil && BitmapFormat(.webVTT) == nil)
    }

    /// The documents of a track are those of its kind, whether they are read with or without blocking.
    @Test func documentsHaveTheKindOfTheTrack() async throws {
        let media = try await Media.open(fixture("containers/movie.mkv"))
        for track in media.subtitleTracks {
            let document = try await track.document()
            #expect(document.cues.count > 0)
            func blocking() throws -> SubtitleDocument { try track.document() }
            #expect(try blocking() == document)
            switch document {
            case .text(let text):
                #expect(try await track.textDocument() == text)
                let error = await #expect(throws: UndertextError.self) {
                    try await track.bitmapDocument()
                }
                #expect(error?.code == .unsupported && error?.streamIndex == track.id)
            case .bitmap(let bitmap):
                #expect(try await track.bitmapDocument() == bitmap)
                let error = await #expect(throws: UndertextError.self) {
                    try await track.textDocument()
                }
                #expect(error?.code == .unsupported && error?.streamIndex == track.id)
            }
        }
        #expect(Set(media.subtitleTracks.map(\.kind)) == [.text, .bitmap])
    }

    /// Images of one format in the other one are the files that an extraction writes.
    @Test func imagesAreEncoded() async throws {
        let media = try await Media.open(fixture("containers/movie.mkv"))
        for (codec, format) in [(CodecID.dvd, BitmapFormat.sup), (.pgs, .vobSub)] {
            let track = try #require(media.subtitleTracks.first { $0.codec == codec })
            let document = try await track.bitmapDocument()
            var options = ExtractionOptions()
            options.images.frameRate = FrameRate(canvas: PixelSize(width: 1920, height: 1080))
            let encoded = try document.encoded(as: format, images: options.images)
            #expect(
                encoded.files.map(\.fileExtension) == (format == .sup ? ["sup"] : ["idx", "sub"]))
            options.tracks = .stream(track.id)
            options.format = FormatRequest(text: nil, bitmap: format.format)
            options.destination = .directory(folder.path)
            let report = try await media.extract(options)
            let outputs = try #require(report.tracks.first).outputs
            #expect(outputs.map { fileBytes($0.file) } == encoded.files.map(\.bytes))
            #expect(report.tracks.first?.losses == encoded.losses)
            let back = try await Media.open(outputs[0].file).subtitleTracks[0].bitmapDocument()
            #expect(back.cues.first?.start == document.cues.first?.start)
        }
    }

    /// Cues of the other kind are a loss and do not trap.
    @Test func cuesOfTheOtherKindAreLost() async throws {
        let media = try await Media.open(fixture("subtitles/bitmaps.sup"))
        let images = try await media.subtitleTracks[0].document()
        let text = try textDocument(file)
        let mixed = TextDocument(header: text.header, cues: text.cues + images.cues)
        let encoded = mixed.encoded(as: .webVTT)
        #expect(encoded.bytes == text.encoded(as: .webVTT).bytes)
        #expect(encoded.losses.entries.map(\.kind) == [.image])
        #expect(encoded.losses.entries.map(\.count) == [images.cues.count])
        let words = try BitmapDocument(cues: text.cues).encoded(as: .sup)
        #expect(words.files.isEmpty && words.bytes.isEmpty)
        #expect(words.losses.entries.map(\.kind) == [.text])
        #expect(SubtitleDocument(cues: images.cues) == .bitmap(BitmapDocument(cues: images.cues)))
    }

    /// Cues that a caller adds in any order are written by their start.
    @Test func cuesAreWrittenInOrder() throws {
        var document = try textDocument(file)
        let expected = document.encoded(as: .webVTT)
        document.cues.reverse()
        #expect(document.encoded(as: .webVTT) == expected)
    }

    @Test func aCancelledTaskReadsNoDocument() async throws {
        let media = try await Media.open(fixture("containers/movie.mkv"))
        let track = UncheckedTrack(track: media.subtitleTracks[0])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await track.track.document()
        }
        task.cancel()
        let error = await #expect(throws: UndertextError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    /// Handed to one task, which alone uses it.
    private struct UncheckedTrack: @unchecked Sendable { let track: SubtitleTrack }

    @Test(arguments: [TextFormat.ass, .ssa]) func encodedAsScripts(_ format: TextFormat) throws {
        let document = try textDocument(file)
        let script = document.encoded(as: format)
        let name = "a." + format.format.name
        let back = try textDocument(folder.write(script.bytes, to: name))
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
        #expect(back.encoded(as: format).bytes == script.bytes)
    }

    /// The content of a script is reported by each of its readers.
    @Test func largeFontsAreReported() throws {
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
        options.textHook = { text, origin in
            origin.extent == .file
                ? text.split(separator: "\n\n").dropLast().joined(separator: "\n\n") : "?"
        }
        let document = try SubtitleDocument(contentsOf: file, options: options)
        #expect(document.cues.map(\.plainText) == ["Colour & more"])
    }

    @Test func hookSeesEachPacket() throws {
        var options = Media.Options()
        options.textHook = { text, origin in
            origin.extent == .packet && origin.codec == .subRip ? "<u>" + text + "</u>" : text
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
        options.textHook = { text, origin in
            origin.codec == CodecID(rawValue: "pjs") ? text.replacing("one", with: "two") : text
        }
        let path = folder.write("10,20,\"one\"\n30,40,\"one more\"\n50,60,\"x\"\n", to: "m.pjs")
        let document = try SubtitleDocument(contentsOf: path, options: options)
        #expect(document.cues.map(\.plainText) == ["two", "two more", "x"])
    }

    @Test func diagnosticsAreReported() throws {
        var found: [Diagnostic] = []
        let bad = folder.write(
            Array("1\n00:00:01,000 --> 00:00:02,000\nÄÖÜäöüßéèà".utf8) + [0xFF], to: "c.srt")
        let document = try SubtitleDocument(contentsOf: bad) { found.append($0) }
        #expect(document.cues.count == 1)
        #expect(found.map(\.code) == ["invalid-utf8"])
    }
}
