import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

/// Captions within video are tracks of their own: which ones there are, their cues, their names.
@Suite struct CaptionTrackTests {
    private static let files = ["h264", "h264_groups", "mpeg2", "mpeg2_groups"]

    private static func media(
        _ name: String, io: ReadPathPreference = .auto, tracks: String? = nil
    ) throws -> Media {
        var options = Media.Options()
        options.io = io
        options.tracks = try tracks.map { try TrackSelection(parsing: $0) }
        return try Media(name, options: options)
    }

    /// The services of line 21 among some.
    private static func line21(_ services: [String?]) -> [String] {
        services.compactMap { $0 }.filter { $0.hasPrefix("CC") }
    }

    private static func video(_ name: String) -> String { fixture("captions/video/\(name).ts") }

    /// Text, position and times of cues that begin with the first frame.
    private static func cues(
        _ service: String, of media: Media, from start: Timestamp = .zero
    ) throws -> [String] {
        let track = try #require(media.subtitleTracks.first { $0.stream.service == service })
        return try track.document().cues.map { cue in
            func time(_ time: Timestamp) -> Int64 {
                // Files of SCC round the time of a frame down.
                time.advanced(by: .zero - Timestamp.zero.duration(to: start)).nanoseconds / 1000
            }
            let frame = 1_001_000.0 / 30
            let first = (Double(time(cue.start)) / frame).rounded()
            let last = (Double(time(cue.end)) / frame).rounded()
            return "\(first) \(last) \(cue.layout) \(cue.plainText ?? "")"
        }
    }

    /// The captions of video are those of the files of SCC that it was made of, whose first frame is number 30.
    @Test(arguments: files, [ReadPathPreference.auto, .scan])
    func cuesAreThoseOfTheSource(name: String, io: ReadPathPreference) throws {
        let media = try Self.media(Self.video(name), io: io)
        #expect(Self.line21(media.subtitleTracks.map(\.stream.service)) == ["CC1", "CC3"])
        let start = Timestamp(nanoseconds: 1_001_000_000)
        for (service, source) in [("CC1", "pop_on"), ("CC3", "field_2")] {
            let expected = try Self.cues(
                service, of: Media(fixture("captions/\(source).scc")), from: start)
            let found = try Self.cues(service, of: media)
            #expect(!found.isEmpty && found == expected, "\(service)")
        }
    }

    @Test func timesAreThoseOfTheirFrames() throws {
        let media = try Self.media(Self.video("h264"))
        let track = try #require(media.subtitleTracks.first)
        let first = try #require(try track.document().cues.first)
        // End Of Caption is in the fourteenth frame.
        #expect(first.start == Timestamp(ticks: 13 * 3003, timeBase: .mpeg))
    }

    @Test func declaredServicesHaveLanguages() throws {
        let media = try Self.media(Self.video("h264"))
        let track = try #require(media.subtitleTracks.first)
        #expect(track.language == LanguageTag("en"))
        #expect(track.isHearingImpaired)
        let text = media.content.streams.filter { $0.type == .text }
        #expect(Self.line21(text.map(\.inStreamID)) == ["CC1", "CC3"])
        #expect(track.stream.carrier == 0)
        #expect(track.stream.tags == [MetadataTag("wide_aspect_ratio", "1")])
    }

    /// The event table of the program's channel declares them; the program map does not.
    @Test func eventsDeclareServices() throws {
        let media = try Self.media(Self.video("events"))
        let tracks = media.subtitleTracks.map {
            "\($0.stream.service ?? "") \($0.language ?? "und")"
        }
        #expect(tracks.prefix(2) == ["CC1 en", "CC3 und"])
        #expect(tracks.contains("SERVICE1 es"))
    }

    /// The audience of captions does not depend on their carrier.
    @Test(arguments: [
        "video/c608.mp4", "video/c708.mov", "pop_on.scc", "708-several.mcc", "video/h264.ts",
        "segments/master.m3u8",
    ])
    func captionsAreForTheHardOfHearing(name: String) throws {
        let media = try Self.media(fixture("captions/\(name)"))
        let captions = media.subtitleTracks.filter { $0.stream.service != nil }
        #expect(!captions.isEmpty)
        for track in captions {
            #expect(track.stream.disposition.isSuperset(of: [.captions, .hearingImpaired]))
        }
        let listed = media.content.streams.filter { $0.inStreamID != nil }
        #expect(!listed.isEmpty)
        #expect(listed.allSatisfy { $0.disposition.contains(.hearingImpaired) })
    }

    @Test func indicesDoNotDependOnWhatIsFound() throws {
        let all = try Self.media(Self.video("h264"), tracks: "cc4,t1")
        let indices = all.subtitleTracks.map { ($0.stream.service ?? "", $0.id) }
            .filter { !$0.0.hasPrefix("SERVICE") }
        #expect(
            Dictionary(uniqueKeysWithValues: indices) == ["CC1": 1, "CC3": 3, "CC4": 4, "T1": 5])
        // A service that is named and not there is a track without cues.
        let empty = try #require(all.subtitleTracks.first { $0.id == 4 })
        #expect(try empty.document().cues.isEmpty)
    }

    @Test func probeKeepsTheStreamsOfTheContainer() throws {
        let report = try Self.media(Self.video("h264")).probe()
        let json = report.json
        #expect(json["format"]?["nb_streams"]?.wholeNumber == 1)
        let streams = json["streams"]?.elements ?? []
        #expect(streams.prefix(3).compactMap { $0["index"]?.wholeNumber } == [0, 1, 3])
        #expect(Self.line21(streams.map { $0["undertext"]?["service"]?.text }) == ["CC1", "CC3"])
        let carriers = streams.dropFirst().map { $0["undertext"]?["carrier"]?.wholeNumber }
        #expect(carriers.allSatisfy { $0 == 0 })
        #expect(json["undertext"]?["content"]?["captionType"]?.text == "cea")
    }

    @Test func packetsThatAreMissingAreReported() throws {
        let bytes = try fixtureBytes("captions/video/h264.ts")
        var packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<$0 + 188] }
        // The first packet of a frame in the middle of the file.
        let starts = packets.indices.filter { packets[$0].dropFirst().prefix(2) == [0x41, 0x01] }
        packets.remove(at: starts[starts.count / 2])
        let folder = TemporaryDirectory()
        folder.write(Array(packets.joined()), to: "lost.ts")
        let media = try Media(folder / "lost.ts")
        let reader = try #require(media.subtitleTracks.first).packetReader()
        var count = 0
        while try reader.nextPacket() != nil { count += 1 }
        #expect(count == starts.count - 1)
        let codes = Set(reader.takeDiagnostics().map(\.code))
        #expect(codes.isSuperset(of: ["discontinuity", "corrupt-packet"]), "\(codes)")
    }

    @Test func damageNeverStopsTheReading() throws {
        let bytes = try fixtureBytes("captions/video/h264_groups.ts")
        var random = SeededGenerator(seed: 708)
        let folder = TemporaryDirectory()
        for round in 0..<8 {
            var damaged = bytes
            for _ in 0..<200 {
                // Tables and headers of packets stay, so that the stream is still found.
                let index = Int(random.next() % UInt64(damaged.count / 188)) * 188
                damaged[index + 20 + Int(random.next() % 160)] ^= 1 << UInt8(random.next() % 8)
            }
            folder.write(damaged, to: "\(round).ts")
            guard let media = try? Media(folder / "\(round).ts") else { continue }
            for track in media.subtitleTracks { _ = try track.document() }
        }
    }

    /// A window needs what was loaded before it.
    @Test func windowsShowWhatIsOnScreen() throws {
        let media = try Self.media(Self.video("h264"))
        let track = try #require(media.subtitleTracks.first)
        let window = TimeWindow(
            from: Timestamp(nanoseconds: 1_000_000_000),
            until: Timestamp(nanoseconds: 2_000_000_000))
        #expect(
            try track.document(in: window).cues.map(\.plainText) == ["First caption", "At the top"])
    }
}
