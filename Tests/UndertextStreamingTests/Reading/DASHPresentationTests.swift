import TestSupport
import Testing
import UndertextCore
import UndertextFormats
import UndertextIO

@testable import UndertextStreaming

/// DASH: text beside the media and within MP4, offsets, periods.
@Suite struct DASHPresentationTests {
    private static let base = "https://example.org/dash/"

    private func open(_ files: [String: [UInt8]]) throws -> Presentation {
        let all = files.reduce(into: [:]) {
            $0[
                $1.key.hasPrefix("../")
                    ? "https://example.org/" + $1.key.dropFirst(3) : Self.base + $1.key] = $1.value
        }
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
                guard case .text(let text) = draft.content else { continue }
                lines.append(
                    "\(draft.start.roundedMilliseconds)-\(draft.cue().end.roundedMilliseconds) "
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

    @Test(arguments: ["", " duration=\"PT8S\""])
    func theLastPeriodShowsDocumentsOfALaterClock(_ length: String) throws {
        func period(_ attributes: String, _ zero: Int) -> String {
            let inner =
                "<SegmentTemplate timescale=\"1\" presentationTimeOffset=\"\(zero)\" media=\"$Time$.ttml\">"
                + "<SegmentTimeline><S t=\"\(zero)\" d=\"4\" r=\"1\"/></SegmentTimeline></SegmentTemplate>"
            return
                "<Period\(attributes)>\(Self.set("application/ttml+xml", "stpp", inner))</Period>"
        }
        let presentation = try open([
            "show.mpd": Self.manifest(period(" duration=\"PT8S\"", 0) + period(length, 100)),
            "0.ttml": Self.document("1s", "2s", "a"), "4.ttml": Self.document("5s", "9s", "b"),
            "100.ttml": Self.document("101s", "102s", "c"),
            "104.ttml": Self.document("107s", "109s", "d"),
        ])
        #expect(
            try cues(presentation) == [
                "1000-2000 a", "5000-8000 b", "9000-10000 c", "15000-16000 d",
            ])
    }

    @Test func anOpenPeriodEndsNoCue() throws {
        let inner =
            "<BaseURL>t.ttml</BaseURL><SegmentBase timescale=\"1\" presentationTimeOffset=\"100\"/>"
        let set = Self.set("application/ttml+xml", "stpp", inner)
        let presentation = try open([
            "show.mpd": Self.manifest(
                "<Period duration=\"PT8S\">\(set)</Period><Period>\(set)</Period>"),
            "t.ttml": Self.document("101s", "102s", "a"),
        ])
        #expect(try cues(presentation) == ["1000-2000 a", "9000-10000 a"])
    }

    @Test(
        arguments: [
            ("", "<BaseURL>../subs/t.vtt</BaseURL>"),
            ("<BaseURL>../subs/</BaseURL>", "<BaseURL>t.vtt</BaseURL>"),
            ("", "<SegmentTemplate duration=\"20\" media=\"../subs/t.vtt\"/>"),
            ("<BaseURL>x/</BaseURL>", "<BaseURL>../../subs/t.vtt</BaseURL>"),
            ("<BaseURL>x/</BaseURL>", "<BaseURL>/subs/t.vtt</BaseURL>"),
        ])
    func referencesMayLeadUp(_ outer: String, _ inner: String) throws {
        let presentation = try open([
            "show.mpd": Self.manifest(
                outer + "<Period duration=\"PT20S\">\(Self.set("text/vtt", "wvtt", inner))</Period>"
            ),
            "../subs/t.vtt": Self.cues,
        ])
        #expect(try packets(presentation).packets.count == 3)
    }

    @Test func filesOutsideOfTheFolderAreNotOpened() throws {
        let scratch = TemporaryDirectory()
        scratch.write(String(decoding: Self.cues, as: UTF8.self), to: "t.vtt")
        #expect(makeFolder(scratch / "show"))
        scratch.write(String(decoding: Self.cues, as: UTF8.self), to: "show/t.vtt")
        for (base, code) in [
            ("t.vtt", nil), ("x/../t.vtt", nil), ("../t.vtt", UndertextError.Code.nestedOpen),
            ("x/../../t.vtt", .nestedOpen), ("../show/t.vtt", nil),
            ("file://\(scratch / "show/t.vtt")", .nestedOpen),
            ("http://127.0.0.1/t.vtt", .nestedOpen),
        ] {
            let set = Self.set("text/vtt", "wvtt", "<BaseURL>\(base)</BaseURL>")
            scratch.write(
                String(
                    decoding: Self.manifest("<Period duration=\"PT20S\">\(set)</Period>"),
                    as: UTF8.self), to: "show/show.mpd")
            let presentation = try Presentation(
                StreamFetcher(
                    ScriptedFetcher(files: [:]),
                    named: URI(filePath: scratch / "show/show.mpd").description))
            #expect(presentation.refusal(ofStream: 0)?.code == code, "\(base)")
        }
    }

    @Test(
        arguments: [
            // Gone, refused, and both.
            "<BaseURL>a/</BaseURL><BaseURL>b/</BaseURL>",
            "<BaseURL>http://127.0.0.1/</BaseURL><BaseURL>b/</BaseURL>",
            "<BaseURL>a/</BaseURL><BaseURL>http://127.0.0.1/</BaseURL><BaseURL>b/</BaseURL>",
        ])
    func theNextBaseURLIsTried(_ bases: String) throws {
        let period =
            "<Period duration=\"PT40S\">"
            + Self.set(
                "text/vtt", "wvtt",
                "\(bases)<SegmentTemplate duration=\"10\" media=\"$Number$.vtt\"/>")
            + "</Period>"
        let base = Self.base
        let client = ScriptedFetcher(
            files: [base + "show.mpd": Self.manifest(period)].merging(
                (1...4).map { number in
                    (
                        base + "b/\(number).vtt",
                        Array("WEBVTT\n\n00:\(number)1.000 --> 00:\(number)2.000\nx\n".utf8)
                    )
                }
            ) { $1 })
        var options = StreamFetchOptions()
        options.clock = NotedClock().clock
        options.parallel = 1
        let presentation = try Presentation(
            StreamFetcher(client, named: base + "show.mpd", options: options))
        #expect(presentation.refusal(ofStream: 0) == nil)
        let (packets, codes) = try packets(presentation)
        #expect(packets.count == 4)
        #expect(codes.isEmpty)
        // The location that responded is preferred after the requests that were already in progress.
        #expect(!client.requests.map(\.url).contains(base + "a/4.vtt"))
    }

    /// An index (ISO/IEC 14496-12, section 8.16.3) of one part, which is all that follows.
    private static func indexed(_ file: [UInt8]) -> (bytes: [UInt8], base: String) {
        let split = file.count - file.suffix(from: moofPlace(of: file)).count
        let index = MP4Builder.box(
            "sidx", MP4Builder.words(0, 1, 1000, 0, 0, 1, file.count - split, 20_000, 0x9000_0000))
        let bytes = Array(file[..<split]) + index + file[split...]
        return (
            bytes,
            "<SegmentBase timescale=\"1000\" indexRange=\"\(split)-\(split + index.count - 1)\">"
                + "<Initialization range=\"0-\(split - 1)\"/></SegmentBase>"
        )
    }

    private static func moofPlace(of file: [UInt8]) -> Int {
        file.indices.first { file[$0...].dropFirst(4).starts(with: "moof".utf8) } ?? file.count
    }

    @Test func aFileWithAnIndexIsReadWhole() throws {
        let documents = MP4Builder("stpp", entry: Array("http://www.w3.org/ns/ttml\0\0\0".utf8))
            .fragmented([
                (0, [.init(Self.document("1s", "2s", "first"), 10_000)]),
                (10_000, [.init(Self.document("12s", "13s", "second"), 10_000)]),
            ])
        let cue = MP4Builder.box("vttc", MP4Builder.box("payl", Array("x".utf8)))
        let cues = MP4Builder("wvtt", entry: MP4Builder.box("vttC", Array("WEBVTT".utf8)))
            .fragmented([
                (0, [.init(cue, 2000), .init(MP4Builder.box("vtte"), 8000)]),
                (10_000, [.init(cue, 1000)]),
            ])
        for (file, codec, expected) in [
            (documents, "stpp", [Int64(0), 10_000]), (cues, "wvtt", [0, 10_000]),
        ] {
            let (bytes, segments) = Self.indexed(file)
            let inner = "<BaseURL>t.mp4</BaseURL>" + segments
            let presentation = try open([
                "show.mpd": Self.manifest(
                    "<Period duration=\"PT20S\">\(Self.set("application/mp4", codec, inner))</Period>"
                ),
                "t.mp4": bytes,
            ])
            let (packets, codes) = try packets(presentation)
            #expect(packets.map { $0.start?.roundedMilliseconds } == expected)
            #expect(codes.isEmpty)
        }
    }

    @Test func initializationOfAFileMayBeElsewhere() throws {
        let file = MP4Builder("stpp", entry: Array("http://www.w3.org/ns/ttml\0\0\0".utf8))
            .fragmented([(0, [.init(Self.document("1s", "2s", "x"), 10_000)])])
        let split = Self.moofPlace(of: file)
        let inner =
            "<BaseURL>t.mp4</BaseURL><SegmentBase><Initialization sourceURL=\"i.mp4\"/></SegmentBase>"
        let presentation = try open([
            "show.mpd": Self.manifest(
                "<Period duration=\"PT20S\">\(Self.set("application/mp4", "stpp", inner))</Period>"),
            "i.mp4": Array(file[..<split]), "t.mp4": Array(file[split...]),
        ])
        #expect(try cues(presentation) == ["1000-2000 x"])
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

    private static func longPlan(
        streams: Int, limits: StreamingLimits = StreamingLimits()
    ) throws -> DASHPlan {
        let sets = (0..<streams).map {
            "<AdaptationSet contentType=\"text\" lang=\"en\" mimeType=\"application/ttml+xml\">"
                + "<Label>\($0)</Label><Representation id=\"\($0)\"/></AdaptationSet>"
        }.joined()
        return try plan(
            "<SegmentTemplate media=\"abcdefghij\" duration=\"1\"/>\(sets)", limits: limits)
    }

    /// A plan of one period of 100 seconds.
    private static func plan(
        _ period: String, limits: StreamingLimits = StreamingLimits()
    ) throws -> DASHPlan {
        let bytes = manifest("<Period duration=\"PT100S\">\(period)</Period>")
        let client = ScriptedFetcher(files: [base + "show.mpd": bytes])
        let fetcher = StreamFetcher(client, named: base + "show.mpd", options: StreamFetchOptions())
        return try DASHPlan(
            fetcher.fetch(StreamResource(base + "show.mpd"), limit: 1 << 20), fetcher,
            limits: limits)
    }

    @Test func onlyTheFirstSegmentsAreListedToLookAt() throws {
        let plan = try Self.longPlan(streams: 2)
        #expect(plan.firstPieces(of: 0).count == TextPiece.lookedAt)
        #expect(plan.firstPieces(of: 0).first?.start == .zero)
        #expect(plan.pieces(of: 0).count == 100)
        #expect(plan.found.take().isEmpty)
    }

    @Test func addressesOfAllStreamsAreBoundedTogether() throws {
        var limits = StreamingLimits()
        limits.addressSize = 1500
        let plan = try Self.longPlan(streams: 2, limits: limits)
        #expect(plan.pieces(of: 0).count == 100)
        #expect(plan.pieces(of: 1).count == 50)
        #expect(plan.found.take().map(\.severity) == [.error])
        // Repeated entries are counted once.
        #expect(plan.pieces(of: 0).count == 100)
    }

    @Test func segmentsOfAllStreamsAreBoundedTogether() throws {
        var limits = StreamingLimits()
        limits.allSegments = 150
        let plan = try Self.longPlan(streams: 2, limits: limits)
        #expect(plan.pieces(of: 0).count == 100)
        #expect(plan.pieces(of: 1).count == 50)
        #expect(plan.found.take().map(\.severity) == [.error])
        #expect(plan.pieces(of: 0).count == 100)
    }

    /// The remaining entries after the limit is reached, for each form of segment names.
    @Test(arguments: [
        "<BaseURL>t.ttml</BaseURL>", "<SegmentTemplate media=\"$Number$\" duration=\"1\"/>",
        "<SegmentTemplate media=\"t\"/>",
        "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S d=\"1\" r=\"9\"/><S d=\"2\"/></SegmentTimeline>"
            + "</SegmentTemplate>",
        "<SegmentList><SegmentURL media=\"a\"/><SegmentURL media=\"b\"/></SegmentList>",
        "<SegmentList duration=\"1\"><SegmentURL media=\"a\"/><SegmentURL media=\"b\"/></SegmentList>",
    ])
    func nothingIsLeftForFurtherStreams(_ addressing: String) throws {
        func set(_ label: Int, _ addressing: String) -> String {
            "<AdaptationSet contentType=\"text\" lang=\"en\" mimeType=\"application/ttml+xml\">"
                + "<Label>\(label)</Label>\(addressing)<Representation id=\"\(label)\"/></AdaptationSet>"
        }
        var limits = StreamingLimits()
        limits.allSegments = 100
        let full = "<SegmentTemplate media=\"$Number$\" duration=\"1\"/>"
        let plan = try Self.plan(
            set(0, full) + set(1, addressing) + set(2, addressing), limits: limits)
        #expect(plan.pieces(of: 0).count == 100)
        #expect(plan.found.take().isEmpty)
        for stream in 1...2 {
            #expect(plan.pieces(of: stream).isEmpty)
            let reported = plan.found.take()
            #expect(reported.map(\.code) == ["too-many-segments"])
            #expect(reported.map(\.severity) == [.error])
            #expect(reported.map(\.streamIndex) == [stream])
        }
    }

    @Test func notMoreStreamsThanSensibleAreOpened() throws {
        let plan = try Self.longPlan(streams: 501)
        #expect(plan.texts.count == 500)
        #expect(plan.diagnostics.map(\.code) == ["too-many-streams"])
        #expect(plan.diagnostics.map(\.severity) == [.error])
        #expect(try Self.longPlan(streams: 500).diagnostics.isEmpty)
    }
}
