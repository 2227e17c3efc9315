import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

/// Pages of teletext in one stream are tracks of their own.
@Suite struct TeletextTrackTests {
    private static func media(_ path: String, tracks: String? = nil) throws -> Media {
        var options = Media.Options()
        options.tracks = try tracks.map { try TrackSelection(parsing: $0) }
        return try Media(path, options: options)
    }

    private static let stream = fixture("captions/teletext.ts")

    private static func texts(_ media: Media, _ service: String) throws -> [String] {
        let track = try #require(media.subtitleTracks.first { $0.stream.service == service })
        return try track.document().cues.map { $0.plainText ?? "" }
    }

    @Test func pagesOfTheDescriptorAreTracks() throws {
        let media = try Self.media(Self.stream)
        let tracks = media.subtitleTracks
        #expect(tracks.map(\.stream.service) == ["page888", "page777"])
        #expect(tracks.map(\.language) == [LanguageTag("sv"), LanguageTag("en")])
        #expect(tracks.map(\.isHearingImpaired) == [false, true])
        #expect(tracks.map(\.stream.carrier) == [nil, 0])
        #expect(tracks.map(\.id) == [0, 1 + (6 << 8 | 0x77)])
        #expect(
            try Self.texts(media, "page888") == ["Fyren är tänd", "Ingen vet vem\nsom tände den"])
        #expect(
            try Self.texts(media, "page777") == [
                "The lighthouse is lit", "Nobody knows who\ndid it",
            ])
        let text = media.content.streams.filter { $0.type == .text }
        #expect(text.map(\.inStreamID) == ["page888", "page777"])
    }

    @Test func pagesAreReadInOnePass() throws {
        let media = try Self.media(Self.stream)
        let reader = try media.packetReader(of: media.subtitleTracks)
        var counts: [Int: Int] = [:]
        while let packet = try reader.nextPacket() { counts[packet.streamIndex, default: 0] += 1 }
        #expect(Set(counts.values) == [6] && counts.count == 2, "\(counts)")
    }

    @Test(arguments: ["probe", "deep"]) func probeListsPages(depth: String) throws {
        let json = try Self.media(Self.stream).probe(deep: depth == "deep").json
        let streams = json["streams"]?.elements ?? []
        #expect(streams.map { $0["undertext"]?["service"]?.text } == ["page888", "page777"])
        #expect(streams.map { $0["undertext"]?["language"]?.text } == ["sv", "en"])
        #expect(json["format"]?["nb_streams"]?.wholeNumber == 1)
        #expect(json["undertext"]?["content"]?["captionType"]?.text == "teletext")
    }

    /// A page that is named is a track, wherever it is listed.
    @Test func otherPagesHaveToBeNamed() throws {
        let media = try Self.media(Self.stream, tracks: "page100,page777")
        #expect(
            Set(media.subtitleTracks.map(\.stream.service)) == ["page888", "page777", "page100"])
        let track = try #require(
            media.subtitleTracks.first { $0.stream.service == "page100" })
        let reader = try track.cueReader()
        #expect(try reader.next() == nil)
        #expect(reader.takeDiagnostics().map(\.code) == ["teletext-page"])
    }

    /// The descriptor lists no subtitles: those with the control bit are found in the beginning of the file.
    @Test func pagesAreFoundWithoutDescriptor() throws {
        let folder = TemporaryDirectory()
        folder.write(try Self.withoutSubtitles(fixtureBytes("captions/teletext.ts")), to: "a.ts")
        let media = try Self.media(folder / "a.ts")
        #expect(media.subtitleTracks.map(\.stream.service) == ["page777", "page888"])
        #expect(try Self.texts(media, "page888").first == "Fyren är tänd")
        #expect(try Self.texts(media, "page777").first == "The lighthouse is lit")
        var options = Media.Options()
        options.language = LanguageTag("fi")
        let stated = try Media(folder / "a.ts", options: options)
        #expect(stated.subtitleTracks.map(\.language) == [LanguageTag("fi"), LanguageTag("fi")])
    }

    /// libavformat recognizes the stream by its contents.
    @Test func pagesAreFoundWithoutAnyDescriptor() throws {
        let folder = TemporaryDirectory()
        let bytes = try Self.withMap(fixtureBytes("captions/teletext.ts")) { body, descriptor in
            body[descriptor] = 0xC0
        }
        folder.write(bytes, to: "a.ts")
        let media = try Self.media(folder / "a.ts")
        #expect(media.subtitleTracks.map(\.stream.service) == ["page777", "page888"])
        #expect(try Self.texts(media, "page888").first == "Fyren är tänd")
    }

    /// All pages of the descriptor become those of additional information.
    private static func withoutSubtitles(_ bytes: [UInt8]) throws -> [UInt8] {
        try withMap(bytes) { body, descriptor in
            for page in 0..<3 { body[descriptor + 5 + page * 5] = 3 << 3 }
        }
    }

    /// Changes the program map after its numbers; the function gets the place of the teletext_descriptor, too.
    private static func withMap(
        _ bytes: [UInt8], _ change: (inout [UInt8], Int) -> Void
    ) throws -> [UInt8] {
        let descriptor = try #require(bytes.firstRange(of: [0x56, 15])).lowerBound
        let section = descriptor / 188 * 188 + 5
        let end = section + 3 + Int(bytes[section + 2])
        var body = Array(bytes[section + 8..<end - 4])
        change(&body, descriptor - section - 8)
        let map = ProgramTables.section(2, 1, body)
        let last = section + 183
        return bytes[..<section] + map
            + [UInt8](repeating: 0xFF, count: last - section - map.count) + bytes[last...]
    }

    /// The recording's descriptor names a page that is not sent; the caption is on another one.
    @Test(.requiresCorpus("tsduck-test/input/test-143.ts"))
    func captionOfTSDuck() throws {
        let path = try #require(corpusPath("tsduck-test/input/test-143.ts"))
        let media = try Self.media(path, tracks: "page691,page888")
        let pages = media.subtitleTracks.filter { $0.codec == .teletext }
        #expect(pages.map(\.stream.service) == ["page888", "page691"])
        #expect(try Self.texts(media, "page888").isEmpty)
        let expected = try #require(
            corpusPath("tsduck-test/reference/test-143/test-143.srt").flatMap(fileText))
        let words = try Self.texts(media, "page691").flatMap { $0.split { " \n".contains($0) } }
        let reference = expected.split { " \n\r".contains($0) }.dropFirst(4)
        #expect(words.count { word in reference.contains { $0 == word } } >= 7, "\(words)")
    }

    /// Captions of ARIB are found, and skipped where FFmpeg has no decoder of them.
    @Test func captionsOfARIBAreListed() throws {
        let bytes = try Self.withMap(fixtureBytes("captions/teletext.ts")) { body, descriptor in
            body = Array(body[..<(descriptor - 1)]) + [8, 0x52, 1, 0x30, 0xFD, 3, 0, 8, 0x3D]
        }
        let folder = TemporaryDirectory()
        folder.write(bytes, to: "arib.ts")
        let media = try Self.media(folder / "arib.ts")
        let track = try #require(media.subtitleTracks.first)
        #expect(track.codec.rawValue == "arib_caption")
        // Its bytes are no text whose charset may be guessed.
        #expect(media.diagnostics.isEmpty && media.charset == nil)
    }
}
