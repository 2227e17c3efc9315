import TestSupport
import Testing
import UndertextCore
import UndertextIO

@testable import UndertextStreaming

/// Servers that fail partly or permanently: few requests, readable content is kept, and losses are reported.
@Suite struct FaultTests {
    @Test(arguments: [1, 4])
    func playlistsOfASilentServerAreNotAllRequested(parallel: Int) throws {
        let client = ScriptedFetcher { request, _ in
            request.url.hasSuffix("master.m3u8")
                ? SamplePresentation.answer(SamplePresentation.master(400), to: request)
                : .failure(UndertextError(.timeout, "late"))
        }
        let presentation = try Presentation(SamplePresentation.fetcher(client, parallel: parallel))
        // Eight resources are requested four times if sequentially, and then one every five seconds.
        #expect(client.requests.count < 100)
        let note = presentation.diagnostics.first { $0.code == "server-gone" }
        #expect(note?.severity == .error)
        #expect(parallel > 1 || note?.message.states("393") == true)
        #expect(
            (1...400).allSatisfy {
                [.io, .timeout].contains(presentation.refusal(ofStream: $0)?.code)
            })
    }

    @Test(arguments: [1, 4])
    func playlistsOfARefusingServerAreRequestedOnce(parallel: Int) throws {
        let client = ScriptedFetcher { request, _ in
            request.url.hasSuffix("master.m3u8")
                ? SamplePresentation.answer(SamplePresentation.master(400), to: request)
                : request.url.hasSuffix("t399.m3u8")
                    ? SamplePresentation.answer(SamplePresentation.list(1), to: request)
                    : .success(HTTPResponse(status: 503))
        }
        let presentation = try Presentation(SamplePresentation.fetcher(client, parallel: parallel))
        // The last segment exists, and it is also requested for the clock.
        #expect(parallel > 1 || client.requests.count == 1 + 8 * 4 + 392 + 1 + 4)
        #expect(client.requests.count < 500)
        #expect((1...399).allSatisfy { presentation.refusal(ofStream: $0)?.code == .io })
        #expect(presentation.refusal(ofStream: 400) == nil)
    }

    @Test func segmentsThatNeverComeTakeAsLongAsOne() throws {
        let clock = NotedClock()
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("m3u8") {
                return SamplePresentation.answer(SamplePresentation.list(50), to: request)
            }
            clock.clock.sleep(
                min(request.timeout, request.stallTimeout ?? request.timeout), Cancellation())
            return .failure(UndertextError(.timeout, "no answer in time"))
        }
        let reader = try Presentation(
            SamplePresentation.fetcher(client, clock: clock, "list.m3u8", parallel: 1)
        ).reader(for: [0])
        #expect(try SamplePresentation.texts(reader).isEmpty)
        #expect(clock.waits.reduce(.zero, +) <= .seconds(30))
        #expect(reader.takeDiagnostics().contains { $0.severity == .error })
    }

    /// Failures of one kind of resource do not affect the others.
    @Test func mediaThatCannotBeReadCostNoSubtitles() throws {
        let stretches = "#EXT-X-DISCONTINUITY\n"
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("master.m3u8") {
                return SamplePresentation.answer(SamplePresentation.master(1), to: request)
            }
            if request.url.hasSuffix("m3u8") {
                let end = request.url.hasSuffix("video.m3u8") ? "ts" : "vtt"
                return SamplePresentation.answer(
                    SamplePresentation.list(60, end, before: stretches), to: request)
            }
            guard request.url.hasSuffix("vtt") else {
                return .failure(UndertextError(.timeout, "late"))
            }
            return SamplePresentation.answer(
                SamplePresentation.segment(SamplePresentation.number(of: request) ?? 0),
                to: request)
        }
        let reader = try Presentation(SamplePresentation.fetcher(client)).reader(for: [1])
        #expect(try SamplePresentation.texts(reader) == (0..<60).map(String.init))
        #expect(reader.takeDiagnostics().allSatisfy { $0.code == "no-media-time" })
    }

    @Test func segmentsInARowThatAreLostAreNotTheEnd() throws {
        let lost = 20..<50
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("m3u8") {
                return SamplePresentation.answer(SamplePresentation.list(100), to: request)
            }
            let number = SamplePresentation.number(of: request) ?? 0
            return lost.contains(number)
                ? .success(HTTPResponse(status: 503))
                : SamplePresentation.answer(SamplePresentation.segment(number), to: request)
        }
        // Immediate responses take no time.
        var options = StreamFetchOptions()
        options.clock = NotedClock().clock
        options.firstDelay = .zero
        let reader = try Presentation(
            StreamFetcher(client, named: SamplePresentation.base + "list.m3u8", options: options)
        ).reader(for: [0])
        #expect(
            try SamplePresentation.texts(reader)
                == (0..<100).filter { !lost.contains($0) }.map(String.init))
    }

    @Test func listsOfWhatNeverWasHaveAnEnd() throws {
        let client = ScriptedFetcher { request, _ in
            request.url.hasSuffix("m3u8")
                ? SamplePresentation.answer(SamplePresentation.list(20_000), to: request)
                : .success(HTTPResponse(status: 404))
        }
        let reader = try Presentation(SamplePresentation.fetcher(client, "list.m3u8")).reader(
            for: [0])
        #expect(try SamplePresentation.texts(reader).isEmpty)
        #expect(reader.takeDiagnostics().contains { $0.code == "server-gone" })
        #expect(client.requests.count < 1100)
    }

    @Test func initializationSectionsAreRequestedAgain() throws {
        let client = ScriptedFetcher { request, count in
            request.url.hasSuffix("init.mp4") && count > 8
                ? SamplePresentation.answer("map", to: request)
                : .failure(UndertextError(.io, "reset"))
        }
        let fetcher = SamplePresentation.fetcher(client)
        let resource = StreamResource(SamplePresentation.base + "init.mp4")
        let store = InitializationStore()
        var cache = InitializationCache()
        let places = [TextPiece.Place(index: 0, resource: resource)]
        #expect(throws: UndertextError.self) { try store.bytes(of: resource, fetcher) }
        #expect(throws: UndertextError.self) { try cache.bytes(of: places, fetcher) }
        #expect(try store.bytes(of: resource, fetcher) == Array("map".utf8))
        #expect(try cache.bytes(of: places, fetcher) == Array("map".utf8))
        // Four attempts each; one of the next two succeeds; the cache retries its own request.
        #expect(client.requests.count == 4 + 4 + 2 + 1)
    }

    @Test func beginningsFromASilentServerAreNotAllRequested() throws {
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("master.m3u8") {
                return SamplePresentation.answer(SamplePresentation.master(400), to: request)
            }
            return request.url.hasSuffix("m3u8")
                ? SamplePresentation.answer(SamplePresentation.list(1), to: request)
                : .failure(UndertextError(.timeout, "late"))
        }
        let presentation = try Presentation(SamplePresentation.fetcher(client, parallel: 1))
        #expect(client.requests.count < 1 + 401 + 8 * 4 + 20)
        #expect(presentation.diagnostics.map(\.code) == ["server-gone"])
    }

    @Test func slowResponsesAreAbandonedAndTheRestIsKept() throws {
        let clock = NotedClock()
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("m3u8") {
                return SamplePresentation.answer(SamplePresentation.list(20), to: request)
            }
            let number = SamplePresentation.number(of: request) ?? 0
            guard number == 7 else {
                return SamplePresentation.answer(SamplePresentation.segment(number), to: request)
            }
            clock.clock.sleep(request.timeout, Cancellation())
            return .failure(UndertextError(.timeout, "took longer than allowed", byteOffset: 60))
        }
        let presentation = try Presentation(
            SamplePresentation.fetcher(client, clock: clock, "list.m3u8", parallel: 1))
        let reader = presentation.reader(for: [0])
        #expect(
            try SamplePresentation.texts(reader) == (0..<20).filter { $0 != 7 }.map(String.init))
        #expect(reader.takeDiagnostics().map(\.code) == ["lost-segment"])
        #expect(client.requests.count { SamplePresentation.number(of: $0) == 7 } == 1)
        #expect(clock.waits == [.seconds(60)])
    }

    @Test func cuesReadBeforeTheServerFailedAreKept() throws {
        let clock = NotedClock()
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("m3u8") {
                return SamplePresentation.answer(SamplePresentation.list(300), to: request)
            }
            let number = SamplePresentation.number(of: request) ?? 0
            guard number >= 20 else {
                return SamplePresentation.answer(SamplePresentation.segment(number), to: request)
            }
            // Failing takes a while: the clock advances even without waiting requests.
            clock.clock.sleep(.milliseconds(500), Cancellation())
            return .failure(UndertextError(.io, "connection refused"))
        }
        let presentation = try Presentation(
            SamplePresentation.fetcher(client, clock: clock, "list.m3u8"))
        let reader = presentation.reader(for: [0])
        #expect(try SamplePresentation.texts(reader) == (0..<20).map(String.init))
        let notes = reader.takeDiagnostics()
        #expect(notes.allSatisfy { $0.severity == .error })
        let lost = notes.count { $0.code == "lost-segment" }
        let rest = notes.first { $0.code == "server-gone" }?.message.statedNumbers.last
        #expect(lost + (rest ?? 0) == 280)
        #expect(client.requests.count < 200)
    }

    @Test func aLongPlaylistCostsNoMoreRequests() throws {
        let count = 100_000
        let long = Array(SamplePresentation.list(count).utf8)
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("t0.m3u8") {
                return .success(HTTPResponse(status: 200, body: long, url: request.url))
            }
            if request.url.hasSuffix("master.m3u8") {
                return SamplePresentation.answer(SamplePresentation.master(1), to: request)
            }
            return request.url.hasSuffix("m3u8")
                ? SamplePresentation.answer(SamplePresentation.list(2, "ts"), to: request)
                : SamplePresentation.answer("WEBVTT\n", to: request)
        }
        let presentation = try Presentation(SamplePresentation.fetcher(client))
        // The master, the media, the subtitles and the first of their segments.
        #expect(client.requests.count == 4)
        #expect(presentation.diagnostics.isEmpty)
        let window = TimeWindow(from: .seconds(500_000), until: .seconds(500_100))
        let reader = presentation.reader(for: [1], window: window)
        #expect(try SamplePresentation.texts(reader).isEmpty)
        // Those of a hundred seconds and of the minute before, and the media's times.
        #expect(client.requests.count { $0.url.hasSuffix("vtt") } == 1 + 16)
        #expect(client.requests.count < 30)
    }
}
