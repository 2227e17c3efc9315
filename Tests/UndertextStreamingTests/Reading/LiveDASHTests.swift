import TestSupport
import Testing
import UndertextCore
import UndertextFormats
import UndertextIO

@testable import UndertextStreaming

/// Live presentations of DASH, followed over several loads of a manifest, on a clock that does not wait.
@Suite struct LiveDASHTests {
    /// The forms of segment names in a manifest.
    enum Naming: CaseIterable {
        case number
        case time
        /// A timeline that continues.
        case open
    }

    /// A server whose segments of two seconds are available `lag` seconds after they are complete.
    private struct Server {
        static let base = "https://example.org/live/"
        /// 2026-01-01, a whole number of segments after the beginning of the presentation in 1970.
        static let opened: Int64 = 1_767_225_600

        var naming = Naming.number
        /// Seconds that segments come late.
        var lag: Int64 = 0
        /// Seconds that segments are kept.
        var kept: Int64 = 6
        /// Seconds until it is worth while to load the manifest again.
        var update: Int64 = 2
        /// Additional content of the manifest.
        var extra = ""
        /// Seconds after the opening when the presentation ends.
        var end: Int64?
        /// Numbers of segments, counted from the one that is made at the opening, which never come.
        var missing: Set<Int64> = []
        /// Seconds that each segment takes on the way.
        var slowness: Int64 = 0
        /// `true` if a header states the time of day instead of the manifest.
        var tellsDate = false
        let clock = NotedClock()

        private var now: Int64 { Self.opened + clock.clock.now().components.seconds }

        private func manifest(at now: Int64) -> String {
            let isOver = end.map { now >= Self.opened + $0 } ?? false
            let last = min(now, end.map { Self.opened + $0 } ?? now) / 2 * 2
            let first = max(0, last - kept)
            let timeline =
                "<SegmentTimeline><S t=\"\(first)\" d=\"2\" r=\"\((last - first) / 2 - 1)\"/></SegmentTimeline>"
            let segments =
                switch naming {
                case .number: "<SegmentTemplate duration=\"2\" media=\"$Number$.ttml\"/>"
                case .time: "<SegmentTemplate media=\"t$Time$.ttml\">\(timeline)</SegmentTemplate>"
                case .open:
                    "<SegmentTemplate media=\"$Number$.ttml\"><SegmentTimeline><S t=\"0\" d=\"2\" r=\"-1\"/>"
                        + "</SegmentTimeline></SegmentTemplate>"
                }
            let attributes =
                isOver
                ? "type=\"static\" mediaPresentationDuration=\"PT\(last)S\""
                : "type=\"dynamic\" availabilityStartTime=\"1970-01-01T00:00:00Z\" minimumUpdatePeriod=\"PT\(update)S\" "
                    + "timeShiftBufferDepth=\"PT\(kept)S\""
            let time =
                "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:direct:2014\" value=\"\(ISO8601.text(.seconds(now)))\"/>"
            return "<MPD \(attributes)>\(extra)\(tellsDate ? "" : time)"
                + "<Period start=\"PT0S\"><AdaptationSet contentType=\"text\" "
                + "mimeType=\"application/ttml+xml\">\(segments)<Representation id=\"t\" bandwidth=\"1\"/>"
                + "</AdaptationSet></Period></MPD>"
        }

        private func document(at time: Int64, _ now: Int64) -> String? {
            let number = (time - Self.opened) / 2
            guard time % 2 == 0, time + 2 + lag <= now, time + 2 > now - kept - 2 || end != nil,
                !missing.contains(number)
            else { return nil }
            return
                "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body><div><p begin=\"\(time)s\" end=\"\(time + 1)s\">\(number)"
                + "</p></div></body></tt>"
        }

        var client: ScriptedFetcher {
            ScriptedFetcher { request, _ in
                let now = now
                let name =
                    request.url.split(separator: "/").last.map { $0.prefix { $0 != "?" } } ?? ""
                var text: String?
                if name.hasSuffix(".mpd") {
                    text = manifest(at: now)
                } else if name.first == "t", let time = Int64(name.dropFirst().dropLast(5)) {
                    text = document(at: time, now)
                } else if let number = Int64(name.dropLast(5)) {
                    text = document(at: (number - 1) * 2, now)
                }
                if !name.hasSuffix(".mpd") {
                    clock.clock.sleep(.seconds(slowness), Cancellation())
                }
                guard let text else { return .success(HTTPResponse(status: 404)) }
                let second = String(now - Self.opened + 100).dropFirst()
                let headers = ["date": "Thu, 01 Jan 2026 00:00:\(second) GMT"]
                return .success(
                    HTTPResponse(
                        status: 200, headers: tellsDate ? headers : [:], body: Array(text.utf8),
                        url: request.url))
            }
        }
    }

    /// The result of following: cues as `start text`, the codes of diagnostics, and the requested addresses.
    private func follow(
        _ server: Server, for duration: Duration?
    ) throws -> (cues: [String], codes: [String], asked: [String]) {
        let client = server.client
        var options = StreamFetchOptions()
        options.clock = server.clock.clock
        let presentation = try Presentation(
            StreamFetcher(client, named: Server.base + "show.mpd", options: options))
        #expect(presentation.isLive)
        #expect(presentation.description.streams.map(\.codec) == [.ttml])
        let stream = try #require(presentation.description.streams.first)
        var decoder = TTMLDecoder(stream: stream)
        let reader = presentation.reader(for: [0], following: duration)
        var events: [DecodedEvent] = []
        while let packet = try reader.nextPacket() { events += decoder.decode(packet) }
        events += decoder.finish()
        let cues = events.compactMap { event -> String? in
            guard case .cue(let draft) = event, case .text(let text) = draft.content else {
                return nil
            }
            return "\(draft.start.roundedMilliseconds) " + text.runs.map(\.text).joined()
        }
        return (
            cues, reader.takeDiagnostics().map(\.code),
            client.requests.map { String($0.url.dropFirst(Server.base.count)) }
        )
    }

    private static func lines(_ numbers: some Sequence<Int>) -> [String] {
        numbers.map { "\(($0 + 3) * 2000) \($0)" }
    }

    @Test(arguments: Naming.allCases)
    func onlyWhatIsThereIsReadUnlessAsked(_ naming: Naming) throws {
        let (cues, codes, asked) = try follow(Server(naming: naming), for: nil)
        #expect(cues == Self.lines(-3..<0))
        #expect(codes.isEmpty)
        // The manifest, the beginning of the first segment, and three segments.
        #expect(asked.count == 5)
    }

    @Test(arguments: Naming.allCases)
    func eachSegmentIsReadOnceWhenItIsComplete(_ naming: Naming) throws {
        let (cues, codes, asked) = try follow(Server(naming: naming), for: .seconds(10))
        #expect(cues == Self.lines(-3..<4))
        #expect(codes.isEmpty)
        let segments = asked.filter { $0.hasSuffix(".ttml") }.dropFirst()
        #expect(segments.count == 7)
        #expect(Set(segments).count == 7)
        // Once when it was opened, and then every two seconds.
        #expect(asked.count { $0 == "show.mpd" } == 6)
    }

    @Test(arguments: Naming.allCases)
    func lateSegmentsAreRequestedAgain(_ naming: Naming) throws {
        let (cues, codes, asked) = try follow(Server(naming: naming, lag: 1), for: .seconds(10))
        #expect(cues == Self.lines(-3..<4))
        #expect(codes.isEmpty)
        #expect(asked.filter { $0.hasSuffix(".ttml") }.count > 8)
    }

    @Test(arguments: Naming.allCases)
    func aSegmentThatNeverComesIsLostAndNoOther(_ naming: Naming) throws {
        let (cues, codes, asked) = try follow(
            Server(naming: naming, kept: 20, missing: [1]), for: .seconds(40))
        let numbers = (-10..<19).filter { $0 != 1 }
        #expect(cues == numbers.map { "\(($0 + 10) * 2000) \($0)" })
        #expect(codes == ["lost-segment"])
        #expect(asked.count < 100)
    }

    @Test(arguments: Naming.allCases)
    func aPresentationThatEndsIsReadToItsEnd(_ naming: Naming) throws {
        let (cues, codes, _) = try follow(Server(naming: naming, end: 8), for: .seconds(1000))
        #expect(cues == Self.lines(-3..<4))
        #expect(codes.isEmpty)
    }

    @Test(arguments: Naming.allCases)
    func segmentsThatVanishUnseenAreReported(_ naming: Naming) throws {
        let (cues, codes, _) = try follow(
            Server(naming: naming, update: 20), for: .seconds(30))
        #expect(cues == Self.lines(-3..<0) + Self.lines(7..<10))
        #expect(codes == ["lost-segments"])
    }

    @Test func aHeaderStatesTheTime() throws {
        let (cues, codes, _) = try follow(Server(tellsDate: true), for: .seconds(10))
        #expect(cues == Self.lines(-3..<4))
        #expect(codes.isEmpty)
    }

    @Test func theEndOfTheTimeEndsTheFetching() throws {
        let (cues, codes, asked) = try follow(
            Server(kept: 1000, slowness: 1), for: .seconds(10))
        #expect(!cues.isEmpty)
        #expect(codes.contains("time-over"))
        #expect(asked.count < 50)
    }

    @Test func theEndOfTheTimeEndsTheWaiting() throws {
        let (cues, codes, _) = try follow(Server(lag: 100), for: .seconds(3))
        #expect(cues.isEmpty)
        // Segments that may still arrive are not lost.
        #expect(codes == ["time-over"])
    }

    @Test func theManifestSaysWhereTheNextOneIs() throws {
        let (cues, codes, asked) = try follow(
            Server(extra: "<Location>v/next.mpd?s=1</Location>"), for: .seconds(3))
        #expect(cues.count == 4)
        #expect(codes.isEmpty)
        let manifests = asked.filter { $0.contains(".mpd") }
        #expect(manifests == ["show.mpd", "v/next.mpd?s=1", "v/v/next.mpd?s=1"])
    }

    @Test(arguments: ["http://127.0.0.1/x.mpd", "file:///etc/x.mpd", "http://example.org/x.mpd"])
    func itMustNotLeadAnywhere(_ location: String) throws {
        let (_, codes, asked) = try follow(
            Server(extra: "<Location>\(location)</Location>"), for: .seconds(5))
        #expect(codes == ["location-refused"])
        #expect(Set(asked.filter { $0.contains("mpd") }) == ["show.mpd"])
    }
}
