import TestSupport
import Testing
import UndertextCore
import UndertextIO
import UndertextStreaming

@testable import UndertextServer

/// An upstream in memory, which can be changed and counts what it is asked.
final class FakeUpstream: Fetcher {
    struct State: Sendable {
        var files: [String: [UInt8]] = [:]
        var failure: UndertextError?
        var asked: [String] = []
    }
    let state = Monitor(State())
    static let base = "https://example.com/"

    init(_ files: [String: String]) {
        for (name, text) in files { self[name] = text }
    }

    subscript(name: String) -> String? {
        get { state.with { $0.files[name] }.map { String(decoding: $0, as: UTF8.self) } }
        set { state.with { $0.files[name] = newValue.map { Array($0.utf8) } } }
    }

    var asked: [String] { state.with { $0.asked } }

    func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        let name = String(request.url.dropFirst(Self.base.count))
        let result = state.with { state -> Result<[UInt8]?, UndertextError> in
            state.asked.append(name)
            if let failure = state.failure { return .failure(failure) }
            return .success(state.files[name])
        }
        guard let body = try result.get() else {
            return HTTPResponse(status: 404, url: request.url)
        }
        return HTTPResponse(status: 200, body: body, url: request.url)
    }
}

@Suite struct SideLoadedSiteTests {
    static let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"

    static func media(_ first: Int, count: Int = 3, ended: Bool = false) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            + (first..<first + count).map { "#EXTINF:1.0,\n\($0).ts\n" }.joined()
            + (ended ? "#EXT-X-ENDLIST\n" : "")
    }

    static func document(_ seconds: Int) -> SubtitleDocument {
        SubtitleDocument(
            cues: (0..<seconds).map { second in
                Cue(
                    order: second, start: .milliseconds(Int64(second) * 1000 + 100),
                    end: .milliseconds(Int64(second) * 1000 + 900),
                    content: .text(StyledText("second \(second)")))
            })
    }

    private static func site(
        _ upstream: any Fetcher, mediaStart: Int64? = nil, clock: JobClock = .system,
        _ report: @escaping @Sendable (Diagnostic) -> Void = { _ in }
    ) -> SideLoadedSite {
        var options = SideLoadedSite.Options()
        options.mediaStart = mediaStart
        var fetching = UpstreamReader.options
        fetching.retries = 0
        fetching.clock = clock
        return SideLoadedSite(
            UpstreamReader(
                url: FakeUpstream.base + "m.m3u8", fetcher: upstream, options: fetching),
            SubtitleInjection([
                InjectedSubtitle(document(30), name: "English", language: LanguageTag("en"))
            ]),
            options: options, clock: clock, report: report)
    }

    private static func text(_ site: SideLoadedSite, _ path: String) -> String {
        let answer = site.answer(ServerRequest("GET", path))
        guard case .bytes(let bytes) = answer.body, answer.status == 200 else {
            return "status \(answer.status)"
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func presentContent() throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(5, ended: true)])
        let site = Self.site(upstream, mediaStart: 126_000, clock: SetClock().clock)
        try site.open()
        #expect(Self.text(site, "/master.m3u8").contains("URI=\"subtitles-0.m3u8\""))
        #expect(Self.text(site, "/master.m3u8").contains("\nhttps://example.com/v.m3u8\n"))
        #expect(Self.text(site, "/subtitles-0.m3u8").contains("\nsubtitles-0/5.vtt\n"))
        #expect(
            Self.text(site, "/subtitles-0/6.vtt") == """
                WEBVTT
                X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000

                00:00:01.100 --> 00:00:01.900
                second 1

                """)
        for path in [
            "/", "/master.m3u8x", "/subtitles-1.m3u8", "/subtitles-0/4.vtt", "/subtitles-0/8.vtt",
            "/subtitles-0/06.vtt", "/subtitles-0/+6.vtt", "/subtitles-1/5.vtt", "/subtitles-0/5",
            "/v.m3u8", "/5.ts", "/https://other.example/x", "/a/b/c",
        ] {
            #expect(Self.text(site, path) == "status 404", "\(path)")
        }
        let answer = site.answer(ServerRequest("GET", "/subtitles-0/5.vtt"))
        #expect(answer["Content-Type"] == "text/vtt")
        #expect(answer["Cache-Control"] == "max-age=60")
        // Each once: constant resources are not requested again.
        #expect(upstream.asked.filter { $0 == "v.m3u8" }.count == 1)
        #expect(upstream.asked.filter { $0 == "m.m3u8" }.count == 1)
    }

    /// The first segment of a window depends on when the server starts; an event keeps its own.
    @Test func aStartOfALiveStreamIsRefused() throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(100)])
        let error = #expect(throws: UndertextError.self) {
            try Self.site(upstream, mediaStart: 0).open()
        }
        #expect(error?.code == .unsupported)
        #expect(throws: Never.self) { try Self.site(upstream).open() }
        upstream["v.m3u8"] = Self.media(0).replacing(
            "#EXT-X-MEDIA-SEQUENCE:0\n", with: "#EXT-X-PLAYLIST-TYPE:EVENT\n")
        #expect(throws: Never.self) { try Self.site(upstream, mediaStart: 0).open() }
    }

    @Test func liveStreamsContinue() throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(100)])
        let site = Self.site(upstream, mediaStart: 0)
        #expect(Self.text(site, "/subtitles-0/102.vtt").contains("second 2"))
        let answer = site.answer(ServerRequest("GET", "/subtitles-0.m3u8"))
        #expect(answer["Cache-Control"] == "max-age=1")
        upstream["v.m3u8"] = Self.media(102)
        let end = ContinuousClock.now + .seconds(120)
        while Self.text(site, "/subtitles-0/104.vtt") == "status 404", .now < end {
            pause(milliseconds: 10)
        }
        #expect(Self.text(site, "/subtitles-0/104.vtt").contains("second 4"))
        #expect(Self.text(site, "/subtitles-0.m3u8").contains("#EXT-X-MEDIA-SEQUENCE:102\n"))
    }

    @Test func anUpstreamThatIsGone() throws {
        let upstream = FakeUpstream(["m.m3u8": "no playlist", "v.m3u8": Self.media(0)])
        let reported = Monitor<[String]>([])
        let site = Self.site(upstream, clock: SetClock().clock) { diagnostic in
            reported.with { $0.append(diagnostic.code) }
        }
        for _ in 0..<20 {
            #expect(site.answer(ServerRequest("GET", "/master.m3u8")).status == 502)
        }
        // A failure is cached for a moment, so that clients cannot cause many requests.
        #expect(upstream.asked.count < 5)
        #expect(reported.with { $0 } == ["upstream"])
        let slow = FakeUpstream([:])
        slow.state.with { $0.failure = UndertextError(.timeout, "too slow") }
        #expect(Self.site(slow).answer(ServerRequest("GET", "/master.m3u8")).status == 504)
        #expect(throws: UndertextError.self) { try Self.site(slow).open() }
        // Clients do not see upstream errors.
        let answer = site.answer(ServerRequest("GET", "/master.m3u8"))
        guard case .bytes(let bytes) = answer.body else { return }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("example.com"))
    }

    @Test func segmentsWithoutAClock() throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(0, ended: true)])
        let reported = Monitor<[String]>([])
        let site = Self.site(upstream) { diagnostic in reported.with { $0.append(diagnostic.code) }
        }
        #expect(!Self.text(site, "/subtitles-0/1.vtt").contains("X-TIMESTAMP-MAP"))
        #expect(reported.with { $0 } == ["segment-not-read", "no-media-start"])
    }

    @Test func manyAskAtOnce() async throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(0, ended: true)])
        let site = Self.site(upstream, mediaStart: 0)
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                group.addTask {
                    site.answer(ServerRequest("GET", "/subtitles-0/\(number % 3).vtt")).status
                }
            }
            // A client that finds too many waiting is asked to retry.
            for await status in group { #expect(status == 200 || status == 503) }
        }
        #expect(upstream.asked.filter { $0 == "m.m3u8" }.count == 1)
    }

    /// A clock that is set by hand.
    private final class SetClock: Sendable {
        let time = Monitor<Duration>(.zero)

        var clock: JobClock {
            JobClock(now: { self.time.with { $0 } }, sleep: { _, _ in })
        }

        func advance(_ span: Duration) { time.with { $0 += span } }
    }

    @Test func endedStreamsAreServedWithoutTheUpstream() throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(0, ended: true)])
        let clock = SetClock()
        let reported = Monitor<[String]>([])
        let site = Self.site(upstream, mediaStart: 0, clock: clock.clock) { diagnostic in
            reported.with { $0.append(diagnostic.code) }
        }
        try site.open()
        upstream.state.with { $0.failure = UndertextError(.io, "gone") }
        // Not every client causes a request for the continuation.
        clock.advance(.seconds(31))
        _ = Self.text(site, "/subtitles-0/1.vtt")
        let asked = upstream.asked
        clock.advance(.seconds(20))
        _ = Self.text(site, "/subtitles-0/1.vtt")
        #expect(upstream.asked == asked)
        for _ in 0..<3 {
            clock.advance(.seconds(100_000))
            // The master is not needed for what is known.
            #expect(Self.text(site, "/subtitles-0/1.vtt").contains("second 1"))
            #expect(Self.text(site, "/master.m3u8").contains("subtitles-0.m3u8"))
        }
        #expect(reported.with { $0 }.contains("upstream"))
        // As soon as it is available again, it is used.
        upstream.state.with { $0.failure = nil }
        upstream["m.m3u8"] = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nother.m3u8\n"
        clock.advance(.seconds(2))
        #expect(Self.text(site, "/master.m3u8").contains("other.m3u8"))
    }

    @Test func aLiveStreamIsBridgedForAMinute() throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(0)])
        let clock = SetClock()
        let site = Self.site(upstream, clock: clock.clock)
        try site.open()
        upstream["v.m3u8"] = nil
        clock.advance(.seconds(50))
        #expect(Self.text(site, "/subtitles-0/1.vtt").contains("second 1"))
        clock.advance(.seconds(50))
        #expect(Self.text(site, "/subtitles-0/1.vtt") == "status 502")
        upstream["v.m3u8"] = Self.media(0)
        clock.advance(.seconds(2))
        #expect(Self.text(site, "/subtitles-0/1.vtt").contains("second 1"))
    }

    @Test func aContinuingEncoderIsFollowed() throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(0, ended: true)])
        let clock = SetClock()
        let site = Self.site(upstream, mediaStart: 0, clock: clock.clock)
        let ended = Self.text(site, "/subtitles-0.m3u8")
        #expect(ended.contains("#EXT-X-ENDLIST"))
        #expect(!ended.contains("#EXT-X-PLAYLIST-TYPE"))
        upstream["v.m3u8"] = Self.media(1)
        clock.advance(.seconds(31))
        #expect(Self.text(site, "/subtitles-0/3.vtt").contains("second 3"))
        #expect(!Self.text(site, "/subtitles-0.m3u8").contains("#EXT-X-ENDLIST"))
        // A video that replaces another one is not appended.
        upstream["v.m3u8"] = Self.media(1, ended: true)
        clock.advance(.seconds(31))
        #expect(Self.text(site, "/subtitles-0.m3u8").contains("#EXT-X-ENDLIST"))
        upstream["v.m3u8"] = Self.media(0, ended: true).replacing(".ts", with: ".mp4")
        clock.advance(.seconds(31))
        #expect(Self.text(site, "/subtitles-0/1.vtt").contains("second 1"))
    }

    @Test func playlistsOfTypeVODAreNotReloaded() throws {
        let media = Self.media(0, ended: true).replacing(
            "#EXTM3U\n", with: "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:VOD\n")
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": media])
        for name in ["0.ts", "1.ts", "2.ts"] { upstream[name] = "no clock" }
        let clock = SetClock()
        let site = Self.site(upstream, mediaStart: 0, clock: clock.clock)
        for _ in 0..<3 {
            #expect(Self.text(site, "/subtitles-0/1.vtt").contains("second 1"))
            clock.advance(.seconds(100_000))
        }
        #expect(upstream.asked.filter { $0 == "v.m3u8" }.count == 1)
    }

    /// Segments of another encoder have the numbers of earlier ones, and must not be confused with them.
    @Test func aRestartedEncoderGetsOtherAddresses() throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(2)])
        let clock = SetClock()
        let site = Self.site(upstream, mediaStart: 0, clock: clock.clock)
        #expect(Self.text(site, "/subtitles-0/2.vtt").contains("second 0"))
        upstream["v.m3u8"] = Self.media(0).replacing(".ts", with: "-b.ts")
        clock.advance(.seconds(2))
        #expect(Self.text(site, "/subtitles-0.m3u8").contains("\nsubtitles-0/1-2.vtt\n"))
        #expect(Self.text(site, "/subtitles-0/1-2.vtt").contains("second 5"))
        for path in ["2.vtt", "01-2.vtt", "1-02.vtt", "2-2.vtt", "1-.vtt", "1.vtt", "-2.vtt"] {
            #expect(Self.text(site, "/subtitles-0/" + path) == "status 404", "\(path)")
        }
    }

    @Test(arguments: ["4294967296", "7"])
    func aTargetDurationThatLiesDoesNotFreezeTheStream(_ target: String) throws {
        func window(_ first: Int) -> String {
            Self.media(first).replacing("TARGETDURATION:1\n", with: "TARGETDURATION:\(target)\n")
        }
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": window(0)])
        let clock = SetClock()
        let site = Self.site(upstream, clock: clock.clock)
        try site.open()
        upstream["v.m3u8"] = window(1)
        clock.advance(.milliseconds(600))
        #expect(Self.text(site, "/subtitles-0/3.vtt").contains("second 3"))
    }

    @Test func playlistsAreMadeOnce() throws {
        let media = try MediaPlaylist(PlaylistText(Array(Self.media(0).utf8)))
        let prepared = PreparedTimeline(
            InjectionTimeline(media), isComplete: true, count: 2, mostKept: 20)
        var made = 0
        func ask(_ subtitle: Int, size: Int) -> Int {
            prepared.playlist(of: subtitle) {
                made += 1
                return [UInt8](repeating: 0, count: size)
            }.count
        }
        for _ in 0..<3 { #expect(ask(0, size: 10) == 10) }
        #expect(made == 1)
        // A playlist longer than its share of the cache is not kept.
        for _ in 0..<3 { #expect(ask(1, size: 11) == 11) }
        #expect(made == 4)
    }

    @Test func aVersionThatChangesNothingIsKept() throws {
        let upstream = FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(0)])
        for number in 0..<3 { upstream["\(number).ts"] = "no clock" }
        let clock = SetClock()
        let site = Self.site(upstream, clock: clock.clock)
        try site.open()
        let asked = upstream.asked.count
        for _ in 0..<3 {
            clock.advance(.seconds(2))
            _ = Self.text(site, "/subtitles-0.m3u8")
        }
        #expect(upstream.asked[asked...] == ["v.m3u8", "v.m3u8", "v.m3u8"])
    }

    @Test func fewWaitForAnUpstreamThatHangs() throws {
        let upstream = HangingUpstream(
            FakeUpstream(["m.m3u8": Self.master, "v.m3u8": Self.media(0, ended: true)]))
        let site = Self.site(upstream, mediaStart: 0)
        let answers = Monitor<[ServerAnswer]>([])
        let workers = OrderedWorkers<Int, Void>(threadCount: 20) { _ in
            let answer = site.answer(ServerRequest("GET", "/subtitles-0/1.vtt"))
            answers.with { $0.append(answer) }
            answers.wakeAll(.consumers)
        }
        for number in 0..<20 { _ = workers.add(number) }
        // One asks, four wait.
        let refused = answers.wait(.consumers) { $0.count >= 15 ? $0 : nil }
        #expect(refused.allSatisfy { $0.status == 503 && $0["Retry-After"] != nil })
        // The others are answered meanwhile.
        #expect(Self.text(site, "/master.m3u8").contains("subtitles-0.m3u8"))
        upstream.letGo()
        _ = workers.finish()
        let statuses = answers.with { $0.map(\.status) }
        #expect(statuses == Array(repeating: 503, count: 15) + Array(repeating: 200, count: 5))
    }

    @Test func messagesAreRepeatedBeforeTheyFillTheMemory() {
        var reported = ReportedDiagnostics()
        func isNew(_ number: Int) -> Bool {
            reported.isNew(Diagnostic(.error, "code", "\(number)"))
        }
        #expect(isNew(0))
        #expect(!isNew(0))
        #expect((1...10_000).allSatisfy(isNew))
        #expect(isNew(0))
    }
}

/// An upstream that answers only for its master, until it is let go.
private final class HangingUpstream: Fetcher {
    private let upstream: FakeUpstream
    private let isFree = Monitor(false)

    init(_ upstream: FakeUpstream) { self.upstream = upstream }

    func letGo() {
        isFree.with { $0 = true }
        isFree.wakeAll(.consumers)
    }

    func fetch(
        _ request: HTTPRequest, cancellation: Cancellation
    ) throws(UndertextError) -> HTTPResponse {
        if !request.url.hasSuffix("/m.m3u8") { isFree.wait(.consumers) { $0 ? () : nil } }
        return try upstream.fetch(request, cancellation: cancellation)
    }
}
