import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

/// Captions within the video of HLS and DASH presentations are tracks.
@Suite struct CaptionPresentationTests {
    private static let presentations = ["master.m3u8", "fragments.m3u8", "manifest.mpd"]

    private static func media(_ path: String, tracks: String? = nil) throws -> Media {
        var options = Media.Options()
        options.tracks = try tracks.map { try TrackSelection(parsing: $0) }
        return try Media(path, options: options)
    }

    private static func presentation(_ name: String) throws -> Media {
        try media(fixture("captions/segments/\(name)"))
    }

    /// Text, position and times of the cues of a service; playlists round the lengths of segments.
    private static func cues(
        _ media: Media, _ service: String, in window: TimeWindow = .all
    ) throws -> [String] {
        let track = try #require(media.subtitleTracks.first { $0.stream.service == service })
        return try track.document(in: window).cues.map { cue in
            func time(_ time: Timestamp) -> Int64 { (time.nanoseconds + 5_000_000) / 10_000_000 }
            return "\(time(cue.start)) \(time(cue.end)) \(cue.layout) \(cue.plainText ?? "")"
        }
    }

    @Test(arguments: presentations)
    func servicesAreDeclared(name: String) throws {
        let tracks = try Self.presentation(name).subtitleTracks
        #expect(tracks.map(\.stream.service) == ["CC1", "CC3", "SERVICE1"])
        #expect(tracks.map(\.codec) == [.cea608, .cea608, .cea708])
        #expect(tracks.map(\.language) == ["en", "sv", "fi"].map { LanguageTag($0) })
        #expect(tracks.map(\.stream.carrier) == [0, 0, 0])
        #expect(tracks.map(\.isHearingImpaired) == [true, true, true])
    }

    @Test(arguments: presentations)
    func probeListsServices(name: String) throws {
        let json = try Self.presentation(name).probe().json
        let streams = json["streams"]?.elements ?? []
        #expect(
            streams.map { $0["undertext"]?["service"]?.text } == [nil, "CC1", "CC3", "SERVICE1"])
        let content = json["undertext"]?["content"]?["streams"]?.elements ?? []
        #expect(content.compactMap { $0["inStreamID"]?.text } == ["CC1", "CC3", "SERVICE1"])
        #expect(json["undertext"]?["content"]?["captionType"]?.text == "cea")
    }

    /// The clock wraps in the second segment and begins again with the fourth.
    @Test(arguments: presentations)
    func cuesAreThoseOfTheWholeFile(name: String) throws {
        let whole = try Self.media(fixture("captions/video/h264.ts"))
        for service in ["CC1", "CC3"] {
            let media = try Self.presentation(name)
            let expected = try Self.cues(whole, service)
            #expect(try Self.cues(media, service) == expected && expected.count >= 6, "\(service)")
        }
        #expect(try Self.cues(Self.presentation(name), "SERVICE1").isEmpty)
    }

    @Test func servicesOfPlaylistsWithoutMasterAreNamed() throws {
        let path = fixture("captions/segments/media.m3u8")
        #expect(try Self.media(path).subtitleTracks.isEmpty)
        let media = try Self.media(path, tracks: "cc1,cc3")
        let whole = try Self.media(fixture("captions/video/h264.ts"))
        #expect(try Self.cues(media, "CC1") == Self.cues(whole, "CC1"))
        #expect(try Self.cues(media, "CC3") == Self.cues(whole, "CC3"))
    }

    @Test func captionsAreExtractedOnlyIfNamed() async throws {
        let media = try Self.presentation("master.m3u8")
        for text in ["all", "en", "text", "sdh"] {
            let tracks = try TrackSelection(parsing: text)
            #expect(media.streams(for: tracks).map(\.index) == [0], "\(text)")
            let notes = media.captionDiagnostics(tracks)
            #expect(notes.map(\.code) == ["captions-left-out"], "\(text)")
        }
        for (text, count) in [("cc", 3), ("en+cc", 1), ("cc3", 1), ("1,2", 2), ("service1", 1)] {
            let tracks = try TrackSelection(parsing: text)
            #expect(media.streams(for: tracks).count == 1 + count, "\(text)")
            #expect(media.captionDiagnostics(tracks).isEmpty, "\(text)")
        }
    }

    /// Files of others, as the only segment of a playlist.
    @Test(
        .requiresCorpus(),
        arguments: [
            ("shaka-player/captions-test.ts", nil, ["CC1"]),
            ("mux.js/segments/sintel-captions.ts", nil, ["CC1"]),
            ("mux.js/segments/multi-channel-608-captions.ts", nil, ["CC1", "CC2", "CC3", "CC4"]),
            (
                "mux.js/segments/dash-608-captions-seg.m4s",
                "mux.js/segments/dash-608-captions-init.mp4", ["CC1"]
            ),
        ] as [(String, String?, [String])])
    func segmentsOfOthers(path: String, initialization: String?, services: [String]) throws {
        let segment = try #require(corpusPath(path).flatMap(fileBytes))
        let initial = try initialization.map { try #require(corpusPath($0).flatMap(fileBytes)) }
        let folder = TemporaryDirectory()
        let name = "whole." + (initial == nil ? "ts" : "mp4")
        folder.write((initial ?? []) + segment, to: name)
        folder.write(segment, to: "segment")
        var playlist = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:60\n"
        if let initial {
            folder.write(initial, to: "init")
            playlist += "#EXT-X-MAP:URI=\"init\"\n"
        }
        playlist += "#EXTINF:60,\nsegment\n#EXT-X-ENDLIST\n"
        folder.write(Array(playlist.utf8), to: "list.m3u8")
        let tracks = services.joined(separator: ",")
        let media = try Self.media(folder / "list.m3u8", tracks: tracks)
        let whole = try Self.media(folder / name, tracks: tracks)
        for service in services {
            func texts(_ media: Media) throws -> [String] {
                let track = try #require(
                    media.subtitleTracks.first { $0.stream.service == service })
                let cues = try track.document().cues
                return cues.map { cue in
                    // The last one lasts as long as the container says, which the playlist does not know.
                    let length = cue.start.duration(to: cue == cues.last ? cue.start : cue.end)
                    let milliseconds = Timestamp.zero.advanced(by: length).roundedMilliseconds
                    return "\(milliseconds) \(cue.plainText ?? "")"
                }
            }
            let expected = try texts(whole)
            #expect(try texts(media) == expected, "\(service)")
            if service == "CC1" { #expect(!expected.isEmpty) }
        }
    }

    /// Whatever is damaged, reading ends, and what is lost is reported.
    @Test func damageNeverStopsTheReading() throws {
        let folder = TemporaryDirectory()
        let names = [
            "master.m3u8", "media.m3u8", "fragments.m3u8", "fragments_media.m3u8", "init.mp4",
        ]
        for name in names + (0..<6).flatMap({ ["\($0).ts", "\($0).m4s"] }) {
            folder.write(try fixtureBytes("captions/segments/\(name)"), to: name)
        }
        var random = SeededGenerator(seed: 608)
        for round in stride(from: 0, to: 40, by: damageShare) {
            for name in ["1.ts", "1.m4s", "init.mp4"] {
                var bytes = try fixtureBytes("captions/segments/\(name)")
                if round % 2 == 0 {
                    bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
                } else {
                    for _ in 0..<20 {
                        let place = Int.random(in: bytes.indices, using: &random)
                        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    }
                }
                folder.write(bytes, to: name)
            }
            for name in ["master.m3u8", "fragments.m3u8"] {
                let media = try Self.media(folder / name)
                let reader = try #require(media.subtitleTracks.first).cueReader()
                var last = Timestamp.zero
                while let cue = try reader.next() {
                    #expect(cue.end > cue.start)
                    last = max(last, cue.start)
                }
                #expect(last < .seconds(30 * 3600))
            }
        }
        // A segment that is not there costs what it holds.
        folder.write(try fixtureBytes("captions/segments/init.mp4"), to: "init.mp4")
        folder.write([0x47, 0x00], to: "1.ts")
        let media = try Self.media(folder / "master.m3u8")
        let reader = try #require(media.subtitleTracks.first).cueReader()
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count > 2)
        #expect(reader.takeDiagnostics().contains { $0.severity == .error })
    }
}
