import CueModel
import MediaCore
import SubtitleCodecs
import SystemIO
import TestSupport
import Testing

@testable import Streaming

/// DASH: text beside the media and within MP4, offsets, periods.
@Suite struct DASHPresentationTests {
    private static let base = "https://example.org/dash/"

    private func open(_ files: [String: [UInt8]]) throws -> Presentation {
        let all = files.reduce(into: [:]) { $0[Self.base + $1.key] = $1.value }
        var options = StreamFetchOptions()
        options.clock = NotedClock().clock
        return try Presentation(
            StreamFetcher(
                ScriptedFetcher(files: all), named: Self.base + "show.mpd", options: options))
    }

    private static func manifest(_ periods: String) -> [UInt8] {
        Array(
            "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\">\(periods)</MPD>"
                .utf8)
    }

    private static func set(_ mimeType: String, _ codecs: String, _ inner: String) -> String {
        "<AdaptationSet contentType=\"text\" lang=\"en\"><Representation id=\"t\" bandwidth=\"1\" "
            + "mimeType=\"\(mimeType)\" codecs=\"\(codecs)\">\(inner)</Representation></AdaptationSet>"
    }

    private func packets(
        _ presentation: Presentation
    ) throws -> (packets: [Packet], codes: [String]) {
        let reader = presentation.reader(for: [0])
        var packets: [Packet] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        return (packets, reader.takeDiagnostics().map(\.code))
    }

    private static func line(_ packet: Packet) -> String {
        "\(packet.start?.roundedMilliseconds ?? -1)-\(packet.end?.roundedMilliseconds ?? -1) "
            + String(decoding: packet.data, as: UTF8.self)
    }

    private static let cues = Array(
        """
        WEBVTT

        00:01.000 --> 00:02.000
        one

        00:09.000 --> 00:12.000
        two

        00:15.000 --> 00:16.000
        three

        """.utf8)

    @Test func aFileBesideTheMedia() throws {
        let presentation = try open([
            "show.mpd": Self.manifest(
                "<Period duration=\"PT20S\">\(Self.set("text/vtt", "wvtt", "<BaseURL>t.vtt</BaseURL>"))</Period>"
            ), "t.vtt": Self.cues,
        ])
        #expect(presentation.description.formatName == "dash")
        #expect(presentation.description.streams.map(\.codec) == [.webVTT])
        #expect(presentation.description.streams.first?.language == LanguageTag("en"))
        let (packets, codes) = try packets(presentation)
        #expect(packets.map(Self.line) == ["1000-2000 one", "9000-12000 two", "15000-16000 three"])
        #expect(codes.isEmpty)
    }

    @Test func aPeriodShowsItsPartOfAFile() throws {
        let offset = "<SegmentBase timescale=\"1000\" presentationTimeOffset=\"10000\"/>"
        func inner(_ more: String) -> String {
            Self.set("text/vtt", "wvtt", "<BaseURL>t.vtt</BaseURL>" + more)
        }
        let presentation = try open([
            "show.mpd": Self.manifest(
                "<Period id=\"a\" duration=\"PT10S\">\(inner(""))</Period>"
                    + "<Period id=\"b\" start=\"PT30S\" duration=\"PT10S\">\(inner(offset))</Period>"
            ),
            "t.vtt": Self.cues,
        ])
        let (packets, codes) = try packets(presentation)
        #expect(
            packets.map(Self.line) == [
                "1000-2000 one", "9000-10000 two", "30000-32000 two", "35000-36000 three",
            ])
        #expect(codes.allSatisfy { $0 == "outside-period" })
    }

    private static func document(_ begin: String, _ end: String, _ text: String) -> [UInt8] {
        Array(
            ("<tt xmlns=\"http://www.w3.org/ns/ttml\"><body><div><p begin=\"\(begin)\" end=\"\(end)\">"
                + "\(text)</p></div></body></tt>").utf8)
    }

    private func cues(_ presentation: Presentation) throws -> [String] {
        let stream = try #require(presentation.description.streams.first)
        var decoder = TTMLDecoder(stream: stream)
        var lines: [String] = []
        func take(_ events: [DecodedEvent]) {
            for case .cue(let draft) in events {
                guard case .text(let text) = draft.cue.content else { continue }
                lines.append(
                    "\(draft.cue.start.roundedMilliseconds)-\(draft.cue.end.roundedMilliseconds) "
                        + text.runs.map(\.text).joined())
            }
        }
        for packet in try packets(presentation).packets { take(decoder.decode(packet)) }
        take(decoder.finish())
        return lines
    }

    @Test func documentsAreMovedByTheOffset() throws {
        let inner =
            "<BaseURL>t.ttml</BaseURL><SegmentBase timescale=\"1000\" presentationTimeOffset=\"60000\"/>"
        let presentation = try open([
            "show.mpd": Self.manifest(
                "<Period duration=\"PT20S\">\(Self.set("application/ttml+xml", "stpp", inner))</Period>"
            ),
            "t.ttml": Self.document("61s", "62.5s", "late"),
        ])
        #expect(presentation.description.streams.map(\.codec) == [.ttml])
        #expect(try cues(presentation) == ["1000-2500 late"])
    }

    @Test func documentsInSegmentsOfMP4() throws {
        let builder = MP4Builder("stpp", entry: Array("http://www.w3.org/ns/ttml\0\0\0".utf8))
        let file = builder.fragmented([
            (0, [.init(Self.document("100s", "101s", "first"), 10_000)]),
            (10_000, [.init(Self.document("112s", "113s", "second"), 10_000)]),
        ])
        // One file is one segment, as SegmentBase without an index has it.
        let inner = "<BaseURL>t.mp4</BaseURL>"
        let presentation = try open([
            "show.mpd": Self.manifest(
                "<Period duration=\"PT20S\">\(Self.set("application/mp4", "stpp", inner))</Period>"),
            "t.mp4": file,
        ])
        #expect(presentation.description.streams.map(\.codec) == [.ttml])
        #expect(try packets(presentation).packets.count == 2)
    }
}
