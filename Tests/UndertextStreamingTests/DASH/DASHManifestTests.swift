import TestSupport
import Testing
import UndertextCore

@testable import UndertextStreaming

@Suite struct DASHManifestTests {
    static let sample = """
        <?xml version="1.0"?>
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:cenc="urn:mpeg:cenc:2013" type="static"
             mediaPresentationDuration="PT30S">
          <BaseURL>media/</BaseURL>
          <Period id="a" duration="PT20S">
            <SegmentTemplate timescale="1000" duration="6000" startNumber="5"/>
            <AdaptationSet contentType="video" frameRate="30000/1001">
              <ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cbcs"/>
              <ContentProtection schemeIdUri="urn:uuid:EDEF8BA9-79D6-4ACE-A3C8-27DCD51D21ED"><cenc:pssh>AAEC</cenc:pssh></ContentProtection>
              <Accessibility schemeIdUri="urn:scte:dash:cc:cea-608:2015" value="CC1=eng;CC3=deu"/>
              <SegmentTemplate media="v-$RepresentationID$-$Number%05d$.m4s" initialization="v-$RepresentationID$.mp4"/>
              <Representation id="1" bandwidth="500000" codecs="avc1.64001e" width="640" height="360" mimeType="video/mp4"/>
              <Representation id="2" bandwidth="2000000" codecs="avc1.640028" width="1920" height="1080" mimeType="video/mp4"/>
            </AdaptationSet>
            <AdaptationSet contentType="audio" lang="eng" mimeType="audio/mp4" codecs="mp4a.40.2" audioSamplingRate="48000">
              <Label>English</Label>
              <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
              <Representation id="a1" bandwidth="128000">
                <AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="2"/>
                <BaseURL>audio/</BaseURL>
                <SegmentList timescale="1" duration="10">
                  <Initialization sourceURL="init.mp4" range="0-99"/>
                  <SegmentURL media="1.m4s" mediaRange="0-9"/>
                  <SegmentURL media="2.m4s"/>
                </SegmentList>
              </Representation>
            </AdaptationSet>
            <AdaptationSet mimeType="application/mp4" codecs="stpp.ttml.im1t" lang="de">
              <Role schemeIdUri="urn:mpeg:dash:role:2011" value="caption"/>
              <SegmentTemplate timescale="10" media="t/$Time$.m4s" presentationTimeOffset="100">
                <SegmentTimeline><S t="100" d="60" r="1"/><S d="40" r="-1"/></SegmentTimeline>
              </SegmentTemplate>
              <Representation id="t" bandwidth="1000"/>
            </AdaptationSet>
            <AdaptationSet mimeType="text/vtt" lang="fr">
              <Role schemeIdUri="urn:mpeg:dash:role:2011" value="forced-subtitle"/>
              <Representation id="f" bandwidth="256"><BaseURL>https://other.example/f.vtt</BaseURL></Representation>
            </AdaptationSet>
          </Period>
          <Period id="b">
            <AdaptationSet mimeType="application/mp4" codecs="stpp" lang="ger">
              <Role schemeIdUri="urn:mpeg:dash:role:2011" value="caption"/>
              <Representation id="t2"><BaseURL>t2.mp4</BaseURL></Representation>
            </AdaptationSet>
          </Period>
        </MPD>
        """

    private func manifest(_ text: String = sample) throws -> DASHManifest {
        try DASHManifest(Array(text.utf8), url: "http://example.com/d/m.mpd")
    }

    private func segments(
        _ body: String, duration: String = "PT20S", until: Timestamp? = nil,
        limits: StreamingLimits = StreamingLimits()
    ) throws -> DASHSegmentList {
        let manifest = try manifest(
            "<MPD mediaPresentationDuration=\"\(duration)\"><Period><AdaptationSet mimeType=\"text/vtt\">"
                + "<Representation id=\"r\" bandwidth=\"9\">\(body)</Representation></AdaptationSet></Period></MPD>"
        )
        let period = manifest.periods[0]
        return manifest.segments(
            of: period.adaptationSets[0].representations[0], in: period, until: until,
            limits: limits)
    }

    @Test func periodsFollowEachOther() throws {
        let manifest = try manifest()
        #expect(manifest.duration == .seconds(30))
        #expect(manifest.periods.map(\.start.nanoseconds) == [0, 20_000_000_000])
        #expect(manifest.periods.map(\.duration) == [.seconds(20), .seconds(10)])
        #expect(manifest.diagnostics.isEmpty)
    }

    @Test func templatesGiveNumberedSegments() throws {
        let manifest = try manifest()
        let period = manifest.periods[0]
        let list = manifest.segments(of: period.adaptationSets[0].representations[1], in: period)
        #expect(list.initialization?.uri == "http://example.com/d/media/v-2.mp4")
        #expect(
            list.segments.map(\.uri)
                == (5...8).map { "http://example.com/d/media/v-2-0000\($0).m4s" })
        #expect(
            list.segments.map(\.start.nanoseconds) == [0, 6, 12, 18].map { $0 * 1_000_000_000 })
        #expect(list.segments[0].duration == .seconds(6))
    }

    @Test func listsGiveRanges() throws {
        let manifest = try manifest()
        let period = manifest.periods[0]
        let list = manifest.segments(of: period.adaptationSets[1].representations[0], in: period)
        #expect(list.initialization?.uri == "http://example.com/d/media/audio/init.mp4")
        #expect(list.initialization?.range == ByteRange(offset: 0, count: 100))
        #expect(
            list.segments.map(\.uri)
                == ["1", "2"].map { "http://example.com/d/media/audio/\($0).m4s" })
        #expect(list.segments.map(\.range) == [ByteRange(offset: 0, count: 10), nil])
        #expect(list.segments.map(\.start) == [.zero, .seconds(10)])
    }

    @Test func timelinesRepeatToTheEndOfThePeriod() throws {
        let manifest = try manifest()
        let period = manifest.periods[0]
        let list = manifest.segments(of: period.adaptationSets[2].representations[0], in: period)
        // 10 s of the media are the beginning of the period: 6, 6, 4, 4 s.
        #expect(
            list.segments.map(\.uri).map { $0.split(separator: "/").last ?? "" } == [
                "100.m4s", "160.m4s", "220.m4s", "260.m4s",
            ])
        #expect(list.segments.map(\.start) == [.zero, .seconds(6), .seconds(12), .seconds(16)])
        #expect(list.mediaOffset == .seconds(-10))
        let second = manifest.periods[1]
        let single = manifest.segments(of: second.adaptationSets[0].representations[0], in: second)
        #expect(single.segments.map(\.uri) == ["http://example.com/d/media/t2.mp4"])
        #expect(single.segments[0].start == .seconds(20))
        #expect(single.mediaOffset == .seconds(20))
    }

    @Test func describedProperties() throws {
        let manifest = try manifest()
        var content = ContentInfo(dash: manifest)
        #expect(content.fileFormat == .dash)
        #expect(content.totalPlayTime == .seconds(30))
        #expect(content.streams.map(\.type) == [.video, .text, .text, .audio, .text, .text])
        #expect(
            content.streams.map { $0.language?.rawValue } == [nil, "en", "de", "en", "de", "fr"])
        #expect(content.streams.map(\.inStreamID) == [nil, "CC1", "CC3", nil, nil, nil])
        #expect(
            content.streams.map { $0.representativeCodec?.rawValue } == [
                "h264", "eia_608", "eia_608", "aac", "ttml", "webvtt",
            ])
        #expect(content.streams[4].disposition == [.captions, .hearingImpaired])
        #expect(content.streams[5].disposition == [.forced])
        #expect(content.streams[0].tracks.map(\.height) == [360, 1080])
        #expect(content.streams[3].tracks[0].channels == 2)
        #expect(content.streams[3].tracks[0].sampleRate == 48_000)
        #expect(content.streams[0].tracks[0].frameRate.map { Int($0 * 1000) } == 29_970)
        #expect(
            content.drmInfo
                == DRMInfo(
                    scheme: "cbcs",
                    systems: [
                        .init(id: "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", initData: [0, 1, 2])
                    ]))
        #expect(content.currentTextStreamID == nil)
        try content.setTargetBandwidth(2_500_000)
        #expect(content.currentVideoStream?.currentTrack?.height == 1080)
        // The continuation in the second period is the same stream.
        let parts = manifest.representations(of: content.streams[4], in: content)
        #expect(parts.map(\.representation.id) == ["t", "t2"])
        let video = try #require(content.currentVideoStream)
        #expect(manifest.representations(of: video, in: content).map(\.representation.id) == ["2"])
    }

    @Test(
        arguments: [
            ("a$Number$b", "a7b"), ("$Number%03d$", "007"), ("$Time%05d$-$Number$", "00042-7"),
            ("$RepresentationID$/$Bandwidth$", "r/9"), ("$$x$$", "$x$"),
            ("$Unknown$ $Number$", "$Unknown$ 7"),
            ("$Number", "$Number"), ("$Number%99999999d$", "$Number%99999999d$"),
            ("$Number%d$", "$Number%d$"), ("$", "$"), ("", ""), ("$Number%-1d$", "$Number%-1d$"),
        ])
    func templates(_ template: String, _ expected: String) {
        #expect(
            DASHTemplate.address(template, id: "r", bandwidth: 9, number: 7, time: 42) == expected)
    }

    @Test func endlessInputIsBounded() throws {
        var limits = StreamingLimits()
        limits.segments = 1000
        let huge = try segments(
            "<SegmentTemplate media=\"$Number$\" timescale=\"1\"><SegmentTimeline><S t=\"0\" d=\"1\" r=\"9223372036854775807\"/><S d=\"1\"/></SegmentTimeline></SegmentTemplate>",
            limits: limits)
        #expect(huge.segments.count == 1000)
        #expect(huge.diagnostics.map(\.code) == ["too-many-segments"])
        let tiny = try segments(
            "<SegmentTemplate media=\"$Number$\" timescale=\"2147483647\" duration=\"1\"/>",
            duration: "P99999D", limits: limits)
        #expect(tiny.segments.count == 1000)
        let far = try segments(
            "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S t=\"9223372036854775806\" d=\"5\" r=\"3\"/></SegmentTimeline></SegmentTemplate>",
            limits: limits)
        #expect(far.segments.isEmpty)
        #expect(!far.diagnostics.isEmpty)
        limits.elements = 5
        #expect(throws: UndertextError.self) {
            try DASHManifest(Array(Self.sample.utf8), limits: limits)
        }
    }

    @Test func aLiveListEndsWhereMediaDo() throws {
        let text =
            "<MPD type=\"dynamic\" availabilityStartTime=\"2024-01-01T00:00:00Z\" minimumUpdatePeriod=\"PT2S\">"
            + "<Period start=\"PT0S\"><AdaptationSet mimeType=\"text/vtt\"><SegmentTemplate media=\"$Number$.vtt\" duration=\"4\"/>"
            + "<Representation id=\"r\"/></AdaptationSet></Period></MPD>"
        let manifest = try manifest(text)
        #expect(manifest.isLive)
        #expect(manifest.updatePeriod == .seconds(2))
        #expect(manifest.availabilityStart?.nanoseconds == 1_704_067_200_000_000_000)
        let period = manifest.periods[0]
        let representation = period.adaptationSets[0].representations[0]
        let open = manifest.segments(of: representation, in: period)
        #expect(open.segments.isEmpty)
        #expect(open.diagnostics.map(\.code) == ["no-length"])
        let list = manifest.segments(of: representation, in: period, until: .seconds(11))
        // The third is complete after twelve seconds.
        #expect(list.segments.map(\.number) == [1, 2])
        let complete = manifest.segments(of: representation, in: period, until: .seconds(12))
        #expect(complete.segments.map(\.number) == [1, 2, 3])
        #expect(ContentInfo(dash: manifest).totalPlayTime == nil)
    }

    private static func live(_ addressing: String, _ attributes: String = "") -> String {
        "<MPD type=\"dynamic\" availabilityStartTime=\"1970-01-01T00:00:00Z\"><Period id=\"p\" start=\"PT0S\" "
            + "\(attributes)><AdaptationSet mimeType=\"text/vtt\"><Representation id=\"r\">\(addressing)"
            + "</Representation></AdaptationSet></Period></MPD>"
    }

    private func numbers(
        _ text: String, from first: Timestamp? = nil, until end: Timestamp
    ) throws -> [Int64?] {
        let manifest = try manifest(text)
        let period = manifest.periods[0]
        let list = manifest.segments(
            of: period.adaptationSets[0].representations[0], in: period, from: first, until: end)
        #expect(list.diagnostics.isEmpty)
        return list.segments.map(\.number)
    }

    /// Fifty years lie before the window.
    @Test(
        arguments: [
            "<SegmentTemplate media=\"$Number$\" duration=\"2\"/>",
            "<SegmentTemplate media=\"$Number$\"><SegmentTimeline><S t=\"0\" d=\"2\" r=\"-1\"/></SegmentTimeline></SegmentTemplate>",
            "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S t=\"0\" d=\"2\" r=\"799999999\"/><S d=\"2\" r=\"999999999\"/></SegmentTimeline></SegmentTemplate>",
        ])
    func onlyAWindowIsListed(_ addressing: String) throws {
        let end = Timestamp.seconds(1_600_000_007)
        let found = try numbers(
            Self.live(addressing), from: end.advanced(by: .seconds(-7)), until: end)
        // A segment that the manifest lists may be incomplete by our clock, which may be slow.
        let isTold = addressing.contains("799999999")
        #expect(found == (800_000_001...(isTold ? 800_000_004 : 800_000_003)).map { $0 })
    }

    @Test func aWindowOfAListHasTheRightPlaces() throws {
        let list =
            "<SegmentList duration=\"2\">"
            + (1...9).map { "<SegmentURL media=\"s\($0)\"/>" }.joined() + "</SegmentList>"
        let manifest = try manifest(Self.live(list))
        let period = manifest.periods[0]
        let found = manifest.segments(
            of: period.adaptationSets[0].representations[0], in: period, from: .seconds(13),
            until: .seconds(20))
        #expect(found.segments.map(\.uri) == (7...9).map { "http://example.com/d/s\($0)" })
        #expect(found.segments.map(\.start) == [.seconds(12), .seconds(14), .seconds(16)])
    }

    @Test(
        arguments: [
            ("", "", "", 2), (" availabilityTimeOffset=\"1.5\"", "", "", 2),
            // Offsets of all levels add up.
            (
                " availabilityTimeOffset=\"1.5\"",
                "<BaseURL availabilityTimeOffset=\"1.5\">x/</BaseURL>", "", 3
            ),
            // Segments that have not begun are not available if no end is stated.
            (" availabilityTimeOffset=\"INF\"", "", "", 3),
            (" availabilityTimeOffset=\"INF\"", "", "duration=\"PT30S\"", 8),
            ("", "", "duration=\"PT30S\"", 2), (" endNumber=\"2\"", "", "", 2),
            (" endNumber=\"9\"", "", "", 2),
            // The last segment of a period may be a short one.
            ("", "", "duration=\"PT9S\"", 3),
        ])
    func segmentsAreThereWhenTheyAreComplete(
        _ attributes: String, _ base: String, _ period: String, _ count: Int64
    ) throws {
        let text = Self.live(
            base + "<SegmentTemplate media=\"$Number$\" duration=\"4\"\(attributes)/>", period)
        #expect(try numbers(text, until: .seconds(9)) == (1...count).map { $0 })
    }

    @Test func theTickAfterTheEndIsExcluded() throws {
        let text = Self.live("<SegmentTemplate media=\"$Number$\" duration=\"2\"/>")
        #expect(try numbers(text, until: .milliseconds(5900)) == [1, 2])
    }

    @Test func aTimelineOfManyRepresentationsIsTakenApartOnce() throws {
        let entries = "<S t=\"0\"/>" + String(repeating: "<S d=\"1\"/>", count: 9)
        let manifest = try manifest(
            "<MPD><Period duration=\"PT9S\"><SegmentTemplate media=\"$Time$\"><SegmentTimeline>\(entries)"
                + "</SegmentTimeline></SegmentTemplate><AdaptationSet mimeType=\"text/vtt\">"
                + (0..<50).map { "<Representation id=\"r\($0)\"/>" }.joined()
                + "</AdaptationSet></Period></MPD>")
        #expect(manifest.diagnostics.map(\.code) == ["bad-timeline"])
        let period = manifest.periods[0]
        #expect(
            period.adaptationSets[0].representations.allSatisfy {
                manifest.segments(of: $0, in: period).segments.count == 9
            })
    }

    @Test func aListOfManyRepresentationsIsTakenApartOnce() throws {
        let list = (0..<9).map { "<SegmentURL media=\"\($0)\"/>" }.joined()
        let manifest = try manifest(
            "<MPD><Period duration=\"PT9S\"><AdaptationSet mimeType=\"text/vtt\"><SegmentList duration=\"1\">\(list)"
                + "</SegmentList>" + (0..<50).map { "<Representation id=\"r\($0)\"/>" }.joined()
                + "</AdaptationSet></Period></MPD>")
        let places = manifest.periods[0].adaptationSets[0].representations.map { own in
            guard case .list(let places) = own.addressing.kind else { return 0 }
            #expect(places.count == 9)
            return unsafe places.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
        }
        #expect(places.count == 50 && Set(places).count == 1)
    }

    @Test(arguments: ["", " duration=\"1\""])
    func aListIsBounded(_ times: String) throws {
        let list = (0..<9).map { "<SegmentURL media=\"\($0)\"/>" }.joined()
        let manifest = try manifest(
            "<MPD><Period duration=\"PT9S\"><AdaptationSet mimeType=\"text/vtt\"><Representation>"
                + "<SegmentList\(times)>\(list)</SegmentList></Representation></AdaptationSet></Period></MPD>"
        )
        let period = manifest.periods[0]
        let own = period.adaptationSets[0].representations[0]
        var limits = StreamingLimits()
        limits.segments = 4
        let few = manifest.segments(of: own, in: period, limits: limits)
        #expect(few.segments.map { $0.uri.suffix(1) } == ["0", "1", "2", "3"])
        #expect(few.diagnostics.map(\.code) == ["too-many-segments"])
        limits.segments = 9
        let all = manifest.segments(of: own, in: period, limits: limits)
        #expect(all.segments.count == 9 && all.diagnostics.isEmpty)
    }

    @Test func codecsOfManyRepresentationsAreBounded() throws {
        func codecs(_ count: Int) throws -> (codecs: Int, notes: [String]) {
            let text = [String](repeating: "abc", count: count).joined(separator: ",")
            let manifest = try manifest(
                "<MPD><Period><AdaptationSet codecs=\"\(text)\"><Representation/></AdaptationSet></Period></MPD>"
            )
            return (
                manifest.periods[0].adaptationSets[0].representations[0].codecs.count,
                manifest.diagnostics.map(\.code)
            )
        }
        #expect(try codecs(256) == (256, []))
        #expect(try codecs(257) == (0, ["bad-codecs", "bad-codecs"]))
    }

    @Test func severalBaseURLsAreAlternatives() throws {
        let manifest = try manifest(
            "<MPD><BaseURL>http://a/</BaseURL><BaseURL>http://b/</BaseURL><Period duration=\"PT4S\"><AdaptationSet "
                + "mimeType=\"text/vtt\"><Representation id=\"r\"><BaseURL>x/</BaseURL><BaseURL>y/</BaseURL>"
                + "<BaseURL>http://c/</BaseURL><SegmentTemplate media=\"$Number$\" duration=\"4\"/></Representation>"
                + "</AdaptationSet></Period></MPD>")
        let period = manifest.periods[0]
        let representation = period.adaptationSets[0].representations[0]
        #expect(
            representation.baseURLs == ["http://a/x/", "http://a/y/", "http://c/", "http://b/x/"])
        let list = manifest.segments(of: representation, in: period)
        #expect(list.segments.map(\.uri) == ["http://a/x/1"])
        #expect(
            list.segments.map(\.alternatives) == [["http://a/y/1", "http://c/1", "http://b/x/1"]])
    }

    @Test(
        .requiresCorpus(),
        arguments: [
            "androidx-media/dash/standalone-webvtt/sample.mpd",
            "androidx-media/dash/ttml-in-mp4/sample.mpd",
        ])
    func realManifests(_ name: String) throws {
        let path = try #require(corpusPath(name))
        let bytes = try #require(fileBytes(path))
        let manifest = try DASHManifest(bytes, url: "http://example.com/x/sample.mpd")
        let content = ContentInfo(dash: manifest)
        let text = try #require(content.streams(ofType: .text).first)
        #expect(text.language == LanguageTag("en"))
        let isWebVTT = name.contains("webvtt")
        #expect(text.representativeCodec == (isWebVTT ? .webVTT : .ttml))
        let part = try #require(manifest.representations(of: text, in: content).first)
        let list = manifest.segments(of: part.representation, in: part.period)
        #expect(
            list.segments.map(\.uri) == [
                "http://example.com/x/" + (isWebVTT ? "sample.vtt" : "sample.text.mp4")
            ])
        #expect(content.totalPlayTime == .nanoseconds(1_001_000_046))
        #expect(content.videoFrameRate.map { Int($0 * 1000) } == 29_970)
    }

    @Test func otherDocumentsAreNotManifests() {
        for text in ["", "WEBVTT", "<html/>", "<MPD>", "<!DOCTYPE MPD><MPD/>"] {
            #expect(throws: UndertextError.self) { try DASHManifest(Array(text.utf8)) }
        }
    }

    @Test func damageDoesNotTrap() {
        let bytes = Array(Self.sample.utf8)
        var limits = StreamingLimits()
        limits.segments = 100
        for damaged in Array(truncations(of: bytes, step: 29))
            + Array(bitFlips(of: bytes, count: 150))
        {
            guard let manifest = try? DASHManifest(damaged, limits: limits) else { continue }
            let content = ContentInfo(dash: manifest)
            for stream in content.streams {
                for part in manifest.representations(of: stream, in: content) {
                    _ = manifest.segments(of: part.representation, in: part.period, limits: limits)
                }
            }
        }
    }

    private static func text(_ inner: String, count: Int = 1) -> [UInt8] {
        let sets = (0..<count).map {
            "<AdaptationSet contentType=\"text\"><Representation id=\"\($0)\"/></AdaptationSet>"
        }.joined()
        return Array(
            "<MPD mediaPresentationDuration=\"PT100S\"><Period>\(inner)\(sets)</Period></MPD>".utf8)
    }

    @Test(arguments: [
        "<BaseURL>#</BaseURL>", "<SegmentTemplate media=\"#\" duration=\"1\"/>",
        "<SegmentTemplate media=\"a\" initialization=\"#\" duration=\"1\"/>",
    ])
    func addressesOfManifestsAreNotLong(_ element: String) throws {
        func manifest(_ length: Int) throws -> DASHManifest {
            let parts = element.split(separator: "#")
            return try DASHManifest(
                Self.text(parts[0] + String(repeating: "x", count: length) + parts[1]))
        }
        #expect(try manifest(8192).periods.count == 1)
        #expect(#expect(throws: UndertextError.self) { try manifest(8193) }?.code == .limit)
    }

    @Test func baseURLsOfAllRepresentationsAreBounded() {
        var limits = StreamingLimits()
        limits.playlistSize = 20_000
        let base = "<BaseURL>\(String(repeating: "x", count: 1000))</BaseURL>"
        #expect(throws: Never.self) {
            try DASHManifest(Self.text(base, count: 10), limits: limits)
        }
        let error = #expect(throws: UndertextError.self) {
            try DASHManifest(Self.text(base, count: 21), limits: limits)
        }
        #expect(error?.code == .limit)
    }

    @Test func addressesOfAllSegmentsAreBounded() throws {
        var limits = StreamingLimits()
        limits.addressSize = 1000
        let manifest = try DASHManifest(
            Self.text(
                "<SegmentTemplate media=\"\(String(repeating: "x", count: 100))\" duration=\"1\"/>")
        )
        let period = try #require(manifest.periods.first)
        let list = manifest.segments(
            of: period.adaptationSets[0].representations[0], in: period, limits: limits)
        #expect(list.segments.count == 10)
        #expect(list.diagnostics.map(\.severity) == [.error])
    }

    @Test func aPeriodElsewhereIsALoss() throws {
        let manifest = try DASHManifest(
            Array(
                "<MPD><Period xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"p.xml\"/></MPD>"
                    .utf8))
        #expect(manifest.diagnostics.map(\.code) == ["remote-period"])
        #expect(manifest.diagnostics.map(\.severity) == [.error])
        let none = try DASHManifest(
            Array("<MPD><Period xlink:href=\"urn:mpeg:dash:resolve-to-zero:2013\"/></MPD>".utf8))
        #expect(none.periods.isEmpty && none.diagnostics.isEmpty)
    }
}
