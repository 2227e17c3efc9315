import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextIO

/// A hook sees the text of every form in which it is stored, and where it comes from.
@Suite struct TextHookTests {
    private let folder = TemporaryDirectory()

    /// The cues of the first track of an input, in which a hook replaced a word, and the origins of what it saw.
    private func changed(
        _ path: String, _ word: String = "old", by other: String = "new"
    ) throws -> (texts: [String], origins: [TextOrigin]) {
        let origins = Monitor<[TextOrigin]>([])
        var options = Media.Options()
        options.textHook = { text, origin in
            origins.with { $0.append(origin) }
            return text.replacing(word, with: other)
        }
        let track = try #require(try Media(path, options: options).subtitleTracks.first)
        let cues = try track.document().cues
        return (cues.map { $0.plainText ?? "an image" }, origins.with { $0 })
    }

    private func document(_ text: String, _ begin: String, _ end: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div>
        <p begin="\(begin)" end="\(end)">\(text)</p></div></body></tt>
        """
    }

    @Test(arguments: ["f.ttml", "f.srt", "f.vtt", "f.ass"]) func files(_ name: String) throws {
        let texts = [
            "f.ttml": document("old words", "1s", "2s"),
            "f.srt": "1\n00:00:01,000 --> 00:00:02,000\nold words\n",
            "f.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nold words\n",
            "f.ass": """
            [Script Info]
            ScriptType: v4.00+

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,old words

            """,
        ]
        let path = folder.write(try #require(texts[name]), to: name)
        let (cues, origins) = try changed(path)
        #expect(cues == ["new words"])
        let origin = try #require(origins.first)
        #expect(origins.count == 1 && origin.extent == .file && origin.source == path)
        let codecs: [String: CodecID] = [
            "f.ttml": .ttml, "f.srt": .subRip, "f.vtt": .webVTT, "f.ass": .ass,
        ]
        #expect(origin.codec == codecs[name] && origin.segment == nil)
    }

    /// Samples of 3GPP timed text have a length before their text and boxes after it.
    @Test func samplesOfTimedText() throws {
        let film = fixture("containers/movie.mp4")
        let plain = try #require(try Media(film).subtitleTracks.first)
        let expected = try plain.document().cues.map { $0.plainText ?? "" }
        #expect(plain.codec == .movText && expected.contains { $0.contains("e") })
        let (texts, origins) = try changed(film, "e", by: "éé")
        #expect(texts == expected.map { $0.replacing("e", with: "éé") })
        let isOfPackets = origins.allSatisfy {
            $0.extent == .packet && $0.codec == .movText && $0.source == film && $0.segment == nil
        }
        #expect(isOfPackets && origins.count >= expected.count)
        // More than the length can say is cut between characters.
        let (long, _) = try changed(film, "e", by: String(repeating: "é", count: 40_000))
        #expect(long.allSatisfy { $0.utf8.count <= 65_535 && !$0.contains("\u{FFFD}") })
    }

    @Test func samplesOfDocuments() throws {
        let builder = MP4Builder("stpp", entry: Array("http://www.w3.org/ns/ttml\0\0\0".utf8))
        let units = document("old 2", "1s", "2s").replacing("UTF-8", with: "UTF-16").utf16
        var utf16: [UInt8] = [0xFF, 0xFE]
        for unit in units { utf16 += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let path = folder.write(
            builder.file([
                .init(Array(document("old 1", "0s", "1s").utf8), 1000), .init(utf16, 1000),
            ]), to: "d.mp4")
        let (texts, origins) = try changed(path)
        #expect(texts == ["new 1", "new 2"])
        #expect(origins.map(\.codec) == [.ttml, .ttml])
        #expect(origins.allSatisfy { $0.extent == .packet && $0.segment == nil })
    }

    private func sample(_ text: String?, _ duration: UInt32) -> MP4Builder.Sample {
        let box = MP4Builder.box
        return .init(
            text.map { box("vttc", box("payl", Array($0.utf8))) } ?? box("vtte"), duration)
    }

    private let webVTT = MP4Builder(
        "wvtt", entry: MP4Builder.box("vttC", Array("WEBVTT".utf8)))

    @Test func samplesOfWebVTT() throws {
        let path = folder.write(
            webVTT.file([sample("old <b>a</b>", 1000), sample(nil, 500), sample("b", 1000)]),
            to: "w.mp4")
        let (texts, origins) = try changed(path)
        #expect(texts == ["new a", "b"])
        #expect(origins.map(\.codec) == [.webVTT, .webVTT])
    }

    /// A cue that continues in the next segment belongs to the first one.
    @Test func segmentsOfSamples() throws {
        let whole = webVTT.fragmented([
            (0, [sample(nil, 8000), sample("old a", 2000)]),
            (10_000, [sample("old a", 2000), sample("old b", 1000), sample(nil, 7000)]),
        ])
        let starts = whole.indices.filter { whole[$0...].dropFirst(4).starts(with: "moof".utf8) }
        try #require(starts.count == 2)
        folder.write(Array(whole[..<starts[0]]), to: "i.mp4")
        folder.write(Array(whole[starts[0]..<starts[1]]), to: "0.m4s")
        folder.write(Array(whole[starts[1]...]), to: "1.m4s")
        let path = folder.write(
            """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:10
            #EXT-X-MAP:URI="i.mp4"
            #EXTINF:10,
            0.m4s
            #EXTINF:10,
            1.m4s
            #EXT-X-ENDLIST

            """, to: "list.m3u8")
        let (texts, origins) = try changed(path)
        #expect(texts == ["new a", "new b"])
        #expect(origins.map { $0.segment?.split(separator: "/").last } == ["0.m4s", "1.m4s"])
        #expect(origins.allSatisfy { $0.source == path && $0.codec == .webVTT })
    }

    @Test func segmentsOfWebVTT() throws {
        for number in 0..<2 {
            folder.write(
                "WEBVTT\n\n00:\(number)1.000 --> 00:\(number)2.000\nold \(number)\n",
                to: "\(number).vtt")
        }
        let path = folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n0.vtt\n#EXTINF:10,\n1.vtt\n"
                + "#EXT-X-ENDLIST\n", to: "list.m3u8")
        let (texts, origins) = try changed(path)
        #expect(texts == ["new 0", "new 1"])
        #expect(origins.map { $0.segment?.split(separator: "/").last } == ["0.vtt", "1.vtt"])
    }

    @Test func segmentsOfDocuments() throws {
        for number in 0..<2 {
            folder.write(
                document("old \(number)", "\(number * 10 + 1)s", "\(number * 10 + 2)s"),
                to: "\(number).ttml")
        }
        let path = folder.write(
            """
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT20S">
            <Period duration="PT20S">
            <AdaptationSet contentType="text" lang="en" mimeType="application/ttml+xml">
            <Representation id="t" bandwidth="1"><SegmentList duration="10">
            <SegmentURL media="0.ttml"/><SegmentURL media="1.ttml"/></SegmentList>
            </Representation></AdaptationSet></Period></MPD>
            """, to: "show.mpd")
        let (texts, origins) = try changed(path)
        #expect(texts == ["new 0", "new 1"])
        #expect(origins.map { $0.segment?.split(separator: "/").last } == ["0.ttml", "1.ttml"])
        #expect(origins.allSatisfy { $0.codec == .ttml && $0.extent == .packet })
    }

    /// Strings of different normalization are equal; a hook may change it nevertheless.
    @Test func normalizationIsAChange() throws {
        let path = folder.write("1\n00:00:01,000 --> 00:00:02,000\ne\u{301}\n", to: "n.srt")
        let film = folder / "n.mkv"
        #expect(run("ffmpeg", ["-v", "error", "-i", path, "-c:s", "copy", "-y", film]).status == 0)
        let (texts, _) = try changed(film, "e\u{301}", by: "\u{E9}")
        #expect(texts.map { Array($0.unicodeScalars) } == [["\u{E9}"]])
    }
}
