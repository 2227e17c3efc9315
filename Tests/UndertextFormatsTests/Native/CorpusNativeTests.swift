import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Independent files through `mkvmerge`, against `mkvextract` and libavformat.
@Suite(.requires("ffprobe"), .requiresCorpus()) struct CorpusNativeTests {
    private func muxed(_ path: String, _ folder: TemporaryDirectory) -> String? {
        let result = run("mkvmerge", ["-q", "-o", folder / "in.mkv", path])
        return result.status < 2 ? folder / "in.mkv" : nil
    }

    private func writer(
        _ codec: CodecID, _ probed: ProbedStream
    ) throws -> any PacketWriter {
        try #require(
            SubtitleFormat.packetWriter(
                of: StreamDescription(
                    index: 0, kind: .text, codec: codec, language: LanguageTag("en"),
                    codecPrivate: probed.extradata), diagnostics: DiagnosticSink()))
    }

    private func ours(_ codec: CodecID, _ probed: ProbedStream) throws -> [[UInt8]] {
        var writer = try writer(codec, probed)
        var output = [[UInt8]](repeating: [], count: writer.fileExtensions.count)
        writer.begin(into: &output)
        for packet in probed.packets { writer.write(packet, into: &output) }
        writer.finish(into: &output)
        #expect(writer.diagnostics.take().isEmpty)
        return output
    }

    @Test(
        .requires("mkvmerge", "mkvextract"),
        arguments: [
            "subtitleedit/tests/seconv/Fixtures/test.srt", "go-astisub/testdata/example-in.srt",
            "go-astisub/testdata/example-in-styled.srt", "webvtt-py/tests/subtitles/sample.srt",
            "mantas-subtitles/tests/files/srt.srt", "subtitles-rs/fixtures/tiny.srt",
        ])
    func subRip(_ name: String) throws {
        let path = try #require(corpusPath(name))
        let folder = TemporaryDirectory()
        let file = try #require(muxed(path, folder))
        let probed = try #require(ProbedStream(file))
        #expect(
            String(decoding: try ours(.subRip, probed)[0], as: UTF8.self)
                == withoutMark(mkvextract(file, extension: "srt")))
    }

    @Test(
        .requires("mkvmerge", "mkvextract"),
        arguments: [
            "subtitleedit/tests/seconv/Fixtures/test.ass", "c0bra5-pgs/sample/ass1.ass",
            "mantas-subtitles/tests/files/ass.ass",
            "mantas-subtitles/tests/files/ass_different_format.ass",
            "mantas-subtitles/tests/files/ass_different_format2.ass",
            "subtitleedit/tests/seconv/Fixtures/test.ssa", "go-astisub/testdata/example-in.ssa",
            "go-astisub/testdata/example-out-v4plus.ssa",
        ])
    func ass(_ name: String) throws {
        let path = try #require(corpusPath(name))
        let folder = TemporaryDirectory()
        let file = try #require(muxed(path, folder))
        let probed = try #require(ProbedStream(file))
        // Line ends are kept as stored; mkvextract makes them line feeds.
        let text = String(decoding: try ours(.ass, probed)[0], as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline)
        let theirs = try #require(withoutMark(mkvextract(file, extension: "ass")))
        #expect(lines == theirs.split(whereSeparator: \.isNewline))
    }

    /// The columns that the original has, where mkvextract writes others.
    @Test(.requires("mkvmerge", "mkvextract")) func assWithFewColumns() throws {
        let name = "mantas-subtitles/tests/files/ass_different_format3.ass"
        let path = try #require(corpusPath(name))
        let folder = TemporaryDirectory()
        let file = try #require(muxed(path, folder))
        let probed = try #require(ProbedStream(file))
        let text = String(decoding: try ours(.ass, probed)[0], as: UTF8.self)
        let original = try #require(fileText(path))
        let dialogues = { (text: String) in
            text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("Dialogue") }
        }
        // The original writes its hours with two digits.
        #expect(
            dialogues(text) == dialogues(original.replacing("00:00:", with: "0:00:")))
    }

    @Test(
        .requires("mkvmerge", "mkvextract"),
        arguments: [
            "bdsup2sub/test.sup", "c0bra5-pgs/sample/sup1.sup", "libpgs-js/tests/files/test.sup",
            "subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup",
        ])
    func pgs(_ name: String) throws {
        let path = try #require(corpusPath(name))
        let folder = TemporaryDirectory()
        let file = try #require(muxed(path, folder))
        let probed = try #require(ProbedStream(file))
        let written = try ours(.pgs, probed)[0]
        #expect(written == mkvextract(file, extension: "sup"))
        // libavformat reads what we wrote: the same segments, one a packet.
        let again = try #require(ProbedStream(folder.write(written, to: "out.sup")))
        #expect(again.packets.flatMap(\.data) == probed.packets.flatMap(\.data))
    }

    /// A .sup through libavformat and back is the same file but for decoding times.
    @Test(arguments: ["bdsup2sub/test.sup", "libpgs-js/tests/files/test.sup"])
    func supToSup(_ name: String) throws {
        let path = try #require(corpusPath(name))
        let probed = try #require(ProbedStream(path))
        let written = try ours(.pgs, probed)[0]
        var original = try #require(fileBytes(path))
        try #require(written.count == original.count)
        var offset = 0
        var kept = 0
        while offset + 13 <= original.count {
            if written[offset + 6..<offset + 10] == original[offset + 6..<offset + 10] {
                kept += 1
            }
            original.replaceSubrange(
                offset + 6..<offset + 10, with: written[offset + 6..<offset + 10])
            offset += 13 + Int(original[offset + 11]) << 8 + Int(original[offset + 12])
        }
        #expect(written == original)
        #expect(kept > 0)
    }

    @Test(
        .requires("mkvmerge", "mkvextract"),
        arguments: [
            "subtitles-rs/fixtures/example.idx", "subtitles-rs/fixtures/tiny.idx",
        ])
    func vobSub(_ name: String) throws {
        let path = try #require(corpusPath(name))
        let folder = TemporaryDirectory()
        let file = try #require(muxed(path, folder))
        let theirs: [[UInt8]] = try #require(mkvextractVobSub(file))
        try compareVobSub(file, folder, theirs: theirs)
    }

    @Test(
        .requires("mkvmerge", "mkvextract"),
        arguments: [
            ("androidx-media/mkv/sample_with_vobsub.mkv", "s:0"),
            ("subtitleedit/tests/libse/Files/sample_MKV_VobSub_PGS.mkv", "s:0"),
        ])
    func vobSubOfMatroska(_ name: String, _ stream: String) throws {
        let path = try #require(corpusPath(name))
        let folder = TemporaryDirectory()
        let result = run(
            "ffmpeg",
            ["-v", "error", "-i", path, "-map", "0:\(stream)", "-c", "copy", folder / "in.mkv"])
        try #require(result.status == 0)
        let codec = run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0",
                folder / "in.mkv",
            ])
        try #require(codec.text.contains("dvd_subtitle"))
        try compareVobSub(folder / "in.mkv", folder, theirs: nil)
    }

    /// libavformat and libavcodec decode the written pair like the input.
    private func compareVobSub(
        _ file: String, _ folder: TemporaryDirectory, theirs: [[UInt8]]?
    ) throws {
        let probed = try #require(ProbedStream(file))
        let written = try ours(.dvd, probed)
        if let theirs { #expect(written[1].count == theirs[1].count) }
        folder.write(written[0], to: "out.idx")
        folder.write(written[1], to: "out.sub")
        let again = try #require(ProbedStream(folder / "out.idx"))
        try #require(again.packets.count == probed.packets.count)
        for (packet, original) in zip(again.packets, probed.packets) {
            #expect(packet.start == original.start)
            let isEqual = packet.data == original.data
            let hasStop = packet.data.count == original.data.count + 6
            #expect(isEqual || hasStop)
        }
        #expect(images(folder / "out.idx") == images(file))
        #expect(images(folder / "out.idx")?.isEmpty == false)
    }

    /// Hashes of the frames on which the subtitles are drawn.
    private func images(_ file: String) -> [Substring]? {
        let graph = "color=s=720x576:r=2:d=60[v];[v][0:s:0]overlay=eof_action=pass:shortest=0"
        let result = run(
            "ffmpeg",
            [
                "-v", "error", "-i", file, "-filter_complex", graph, "-t", "60", "-f", "framemd5",
                "-",
            ])
        guard result.status == 0 else { return nil }
        return result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
}
