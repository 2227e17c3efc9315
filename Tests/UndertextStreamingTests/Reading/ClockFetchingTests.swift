import TestSupport
import Testing
import UndertextCore
import UndertextIO

@testable import UndertextStreaming

/// Media clocks are fetched once, several at a time, and only if they are needed.
@Suite struct ClockFetchingTests {
    /// A presentation of stretches of fragmented MP4 whose media are not there.
    private static func stretches(_ count: Int) -> ScriptedFetcher.Script {
        let map = "#EXT-X-MAP:URI=\"init.mp4\"\n"
        return { request, _ in
            if request.url.hasSuffix("master.m3u8") {
                return SamplePresentation.answer(SamplePresentation.master(1), to: request)
            }
            if request.url.hasSuffix("video.m3u8") {
                let list = SamplePresentation.list(count, "m4s", before: "#EXT-X-DISCONTINUITY\n")
                return SamplePresentation.answer(
                    list.replacing("#EXT-X-TARGET", with: map + "#EXT-X-TARGET"), to: request)
            }
            if request.url.hasSuffix("m3u8") {
                return SamplePresentation.answer(
                    SamplePresentation.list(count, before: "#EXT-X-DISCONTINUITY\n"), to: request)
            }
            return request.url.hasSuffix("vtt")
                ? SamplePresentation.answer(
                    SamplePresentation.segment(SamplePresentation.number(of: request) ?? 0),
                    to: request)
                : request.url.hasSuffix("init.mp4")
                    ? SamplePresentation.answer("map", to: request)
                    : .success(HTTPResponse(status: 404))
        }
    }

    @Test func eachPartAndItsInitializationIsFetchedOnce() throws {
        let client = ScriptedFetcher(Self.stretches(30))
        let reader = try Presentation(SamplePresentation.fetcher(client)).reader(for: [1])
        #expect(try SamplePresentation.texts(reader).count == 30)
        #expect(client.requests.count { $0.url.hasSuffix("init.mp4") } == 1)
        #expect(
            client.requests.filter { $0.url.hasSuffix("m4s") }.compactMap(
                SamplePresentation.number(of:)
            ).sorted()
                == Array(0..<30))
    }

    @Test func onlyStretchesThatAreReadAreAsked() throws {
        let client = ScriptedFetcher(Self.stretches(30))
        let window = TimeWindow(from: .seconds(100), until: .seconds(120))
        let reader = try Presentation(SamplePresentation.fetcher(client)).reader(
            for: [1], window: window)
        _ = try SamplePresentation.texts(reader)
        let asked = client.requests.filter { $0.url.hasSuffix("m4s") }.compactMap(
            SamplePresentation.number(of:))
        #expect(asked.sorted() == Array(4..<12))
    }

    @Test func severalStretchesAreAskedAtOnce() throws {
        let waiting = Monitor(0)
        let script = Self.stretches(8)
        let client = ScriptedFetcher { request, count in
            guard request.url.hasSuffix("m4s") else { return script(request, count) }
            waiting.with { $0 += 1 }
            waiting.wakeAll(.consumers)
            // No request is answered before two have arrived.
            _ = waiting.wait(.consumers, timeout: .seconds(20)) { $0 > 1 ? true : nil }
            return script(request, waiting.with { $0 })
        }
        let fetcher = SamplePresentation.fetcher(client)
        let media = try PlaylistSamples.media(
            SamplePresentation.list(8, "m4s", before: "#EXT-X-DISCONTINUITY\n"),
            url: SamplePresentation.base + "video.m3u8")
        let clocks = MediaClocks(fetcher, media)
        clocks.expect(media.segments.map(\.discontinuity))
        #expect(clocks.clock(of: 1) == nil)
        #expect(client.requests.count == 8)
        #expect(clocks.clock(of: 8) == nil)
        #expect(client.requests.count == 8)
    }

    @Test func mediaAreLookedForOnceForAStretchThatTheyDoNotHave() throws {
        let list = SamplePresentation.list(40, before: "").replacing("#EXT-X-ENDLIST\n", with: "")
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("master.m3u8") {
                return SamplePresentation.answer(SamplePresentation.master(1), to: request)
            }
            if request.url.hasSuffix("video.m3u8") {
                let text = SamplePresentation.list(2, "ts", before: "").replacing(
                    "#EXT-X-ENDLIST\n", with: "")
                return SamplePresentation.answer(
                    text.replacing(
                        "#EXT-X-TARGET",
                        with: "#EXT-X-DISCONTINUITY-SEQUENCE:5\n#EXT-X-TARGET"), to: request)
            }
            return request.url.hasSuffix("m3u8")
                ? SamplePresentation.answer(list, to: request)
                : SamplePresentation.answer(
                    SamplePresentation.segment(SamplePresentation.number(of: request) ?? 0),
                    to: request)
        }
        let reader = try Presentation(SamplePresentation.fetcher(client)).reader(for: [1])
        #expect(try SamplePresentation.texts(reader).count == 40)
        #expect(client.requests.count { $0.url.hasSuffix("video.m3u8") } == 2)
    }

    @Test func initializationSectionsAreKeptUpToALimit() throws {
        let body = [UInt8](repeating: 0, count: 16 << 20)
        let client = ScriptedFetcher { request, _ in
            .success(HTTPResponse(status: 200, body: body, url: request.url))
        }
        let fetcher = SamplePresentation.fetcher(client)
        var cache = InitializationCache()
        func ask(_ number: Int) throws -> Int {
            let resource = StreamResource(SamplePresentation.base + "\(number).mp4")
            _ = try cache.bytes(of: [.init(index: 0, resource: resource)], fetcher)
            return client.requests.count
        }
        for number in 1...5 { #expect(try ask(number) == number) }
        #expect(try ask(5) == 5)
        #expect(try ask(2) == 5)
        #expect(try ask(1) == 6)
    }
}
