import Glibc
import TestSupport
import Testing
import UndertextCore
import UndertextIO

@testable import UndertextStreaming

/// Fetching: again where that helps, in order, within limits, and nothing that must not be opened.
@Suite struct StreamFetcherTests {
    private let master = "https://example.org/a/master.m3u8"

    private func fetcher(
        _ client: ScriptedFetcher, clock: NotedClock = NotedClock(),
        named: String? = nil, _ change: (inout StreamFetchOptions) -> Void = { _ in }
    ) -> StreamFetcher {
        var options = StreamFetchOptions()
        options.clock = clock.clock
        change(&options)
        return StreamFetcher(client, named: named ?? master, options: options)
    }

    private func code<Value>(
        _ work: () throws(UndertextError) -> Value
    ) -> UndertextError.Code? {
        do throws(UndertextError) {
            _ = try work()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func failuresThatMayPassAreRepeated() throws {
        let clock = NotedClock()
        let client = ScriptedFetcher { _, count in
            switch count {
            case 0: .success(HTTPResponse(status: 503))
            case 1: .success(HTTPResponse(status: 429, headers: ["retry-after": "7"]))
            case 2: .failure(UndertextError(.timeout, "late"))
            default: .success(HTTPResponse(status: 200, body: [1, 2, 3]))
            }
        }
        let answer = try fetcher(client, clock: clock).fetch(StreamResource(master))
        #expect(answer.bytes == [1, 2, 3])
        #expect(clock.waits == [.milliseconds(500), .seconds(7), .seconds(2)])
        #expect(client.requests.count == 4)
    }

    @Test func otherFailuresAreNot() {
        for (status, expected) in [
            (404, UndertextError.Code.notFound), (403, .permission), (500, .io), (301, .io),
        ] {
            let client = ScriptedFetcher { _, _ in .success(HTTPResponse(status: status)) }
            let found = code { () throws(UndertextError) in
                try fetcher(client).fetch(StreamResource(master))
            }
            #expect(found == expected)
            #expect(client.requests.count == (status == 500 ? 4 : 1))
        }
        // A server that requests a wait of half an hour is not used again.
        let clock = NotedClock()
        let client = ScriptedFetcher { _, _ in
            .success(HTTPResponse(status: 503, headers: ["retry-after": "1800"]))
        }
        #expect(
            code { () throws(UndertextError) in
                try fetcher(client, clock: clock).fetch(StreamResource(master))
            } == .io)
        #expect(clock.waits.isEmpty)
        let refused = ScriptedFetcher { _, _ in .failure(UndertextError(.nestedOpen, "no")) }
        #expect(
            code { () throws(UndertextError) in try fetcher(refused).fetch(StreamResource(master)) }
                == .nestedOpen)
        #expect(refused.requests.count == 1)
    }

    /// The timeout applies to the resource, regardless of the number of attempts.
    @Test func aSlowServerIsAbandoned() throws {
        let clock = NotedClock()
        let slow = ScriptedFetcher { request, _ in
            clock.clock.sleep(min(request.timeout, .seconds(25)), Cancellation())
            return .failure(UndertextError(.timeout, "no answer in time"))
        }
        #expect(
            code { () throws(UndertextError) in
                try fetcher(slow, clock: clock) { $0.progressTimeout = nil }
                    .fetch(StreamResource(master))
            } == .timeout)
        #expect(slow.requests.map(\.timeout) == [.seconds(60), .seconds(34.5), .seconds(8.5)])
        #expect(clock.waits.reduce(.zero, +) <= .seconds(60))
        // A longer wait is not accepted, even if the server requests it.
        let busy = NotedClock()
        let client = ScriptedFetcher { _, _ in
            .success(HTTPResponse(status: 503, headers: ["retry-after": "25"]))
        }
        #expect(
            code { () throws(UndertextError) in
                try fetcher(client, clock: busy) { $0.progressTimeout = nil }
                    .fetch(StreamResource(master))
            } == .io)
        #expect(busy.waits == [.seconds(25), .seconds(25)])
    }

    /// Many resources that never come take no longer than one.
    @Test func silenceEndsTheJob() throws {
        let clock = NotedClock()
        let client = ScriptedFetcher { request, count in
            guard request.url.hasSuffix("-"), count == 0 else {
                clock.clock.sleep(
                    min(request.timeout, request.stallTimeout ?? request.timeout), Cancellation())
                return .failure(UndertextError(.timeout, "no answer in time"))
            }
            return .success(HTTPResponse(status: 404))
        }
        let own = fetcher(client, clock: clock)
        for number in 0..<50 {
            #expect(
                code { () throws(UndertextError) in
                    try own.fetch(StreamResource("https://example.org/\(number)"))
                } == .timeout)
        }
        #expect(clock.waits == [.seconds(15), .seconds(15)])
        #expect(own.unasked == 48 && own.hasGivenUp)
        // A server that recovers is used again, and its response resets the count.
        clock.clock.sleep(.seconds(30), Cancellation())
        for expected in [UndertextError.Code.timeout, .notFound, .timeout, .timeout, .timeout] {
            let name = expected == .notFound ? "-" : "x"
            #expect(
                code { () throws(UndertextError) in
                    try own.fetch(StreamResource("https://example.org/" + name))
                } == expected)
        }
        #expect(client.requests.count == 2 + 4)
    }

    @Test func aSilentServerIsNotAskedAndOthersAre() throws {
        let clock = NotedClock()
        let client = ScriptedFetcher { request, _ in
            request.url.hasPrefix("https://gone.example/")
                ? .failure(UndertextError(.timeout, "late"))
                : .success(HTTPResponse(status: 404))
        }
        let own = fetcher(client, clock: clock)
        let gone = StreamResource("https://gone.example/a")
        for _ in 0..<20 {
            #expect(code { () throws(UndertextError) in try own.fetch(gone) } != nil)
        }
        #expect(client.requests.count == 8 * 4)
        #expect(own.unasked == 12)
        #expect(
            code { () throws(UndertextError) in try own.fetch(StreamResource(master)) } == .notFound
        )
        // After a while it is asked again.
        clock.clock.sleep(.seconds(5), Cancellation())
        #expect(code { () throws(UndertextError) in try own.fetch(gone) } == .timeout)
        #expect(client.requests.count == 8 * 4 + 2)
        // Its failures do not affect other kinds of resources.
        #expect(
            code { () throws(UndertextError) in try own.fetch(gone, for: .playlist) } == .timeout)
        #expect(client.requests.count == 8 * 4 + 2 + 4)
    }

    @Test func namesFromAServerFollowTheRules() throws {
        let client = ScriptedFetcher(files: [master: [1], "https://example.org/a/x.vtt": [2]])
        let own = fetcher(client)
        _ = try own.fetch(StreamResource(master))
        _ = try own.fetch(own.resource("x.vtt", in: master))
        #expect(client.requests.map(\.namedURL) == [nil, master])
        #expect(client.requests.map(\.url) == [master, "https://example.org/a/x.vtt"])
        for reference in ["http://example.org/x", "file:///etc/hostname", "//127.0.0.1/x"] {
            #expect(
                code { () throws(UndertextError) in try own.resource(reference, in: master) }
                    == .nestedOpen)
        }
    }

    @Test func partsAreCutFromServersWithoutRanges() throws {
        let bytes = (0..<100).map { UInt8($0) }
        let whole = ScriptedFetcher { _, _ in .success(HTTPResponse(status: 200, body: bytes)) }
        let part = StreamResource(master, range: ByteRange(offset: 10, count: 5))
        #expect(try fetcher(whole).fetch(part).bytes == Array(bytes[10..<15]))
        let behind = StreamResource(master, range: ByteRange(offset: 100, count: 5))
        #expect(code { () throws(UndertextError) in try fetcher(whole).fetch(behind) } == .io)
        let ranged = ScriptedFetcher(files: [master: bytes])
        #expect(try fetcher(ranged).fetch(part).bytes == Array(bytes[10..<15]))
        let end = StreamResource(master, range: ByteRange(offset: 98, count: 5))
        #expect(try fetcher(ranged).fetch(end).bytes == [98, 99])
        let other = ScriptedFetcher { _, _ in
            .success(
                HTTPResponse(
                    status: 206, headers: ["content-range": "bytes 11-15/100"], body: [1, 2]))
        }
        #expect(code { () throws(UndertextError) in try fetcher(other).fetch(part) } == .io)
    }

    @Test func aPartIsNoWayAroundTheLimit() throws {
        let client = ScriptedFetcher(files: [master: [UInt8](repeating: 7, count: 100)])
        let small = fetcher(client) { $0.segmentSize = 50 }
        let large = StreamResource(master, range: ByteRange(offset: 0, count: 51))
        #expect(code { () throws(UndertextError) in try small.fetch(large) } == .limit)
        let endless = StreamResource(master, range: ByteRange(offset: 9, count: .max))
        #expect(
            code { () throws(UndertextError) in try small.fetch(endless, limit: .max - 1) }
                == .limit)
        #expect(client.requests.isEmpty)
        #expect(try small.fetch(large, limit: 51).bytes.count == 51)
        #expect(client.requests.map(\.bodyLimit) == [51])
    }

    @Test func theServersTimeIsThatOfItsAnswer() throws {
        let client = ScriptedFetcher { _, count in
            let date = "Thu, 01 Jan 1970 00:01:00 GMT"
            return .success(
                HTTPResponse(
                    status: 200,
                    headers: [[:], ["date": date], ["date": date, "age": "30"]][count]))
        }
        let own = fetcher(client)
        for expected in [nil, Timestamp.seconds(60), .seconds(90)] {
            #expect(try own.fetch(StreamResource(master)).date == expected)
        }
    }

    @Test func limitsHold() throws {
        let client = ScriptedFetcher { _, _ in
            .success(HTTPResponse(status: 200, body: [UInt8](repeating: 0, count: 1000)))
        }
        let small = fetcher(client) { $0.segmentSize = 999 }
        #expect(
            code { () throws(UndertextError) in try small.fetch(StreamResource(master)) } == .limit)
        #expect(client.requests.first?.bodyLimit == 999)
        let total = fetcher(client) { $0.totalSize = 2500 }
        for _ in 0..<3 { _ = try total.fetch(StreamResource(master)) }
        #expect(
            code { () throws(UndertextError) in try total.fetch(StreamResource(master)) } == .limit)
        #expect(total.statistics == ReadStatistics(bytesRead: 3000, requests: 3))
    }

    @Test func answersComeInOrder() {
        let files = Dictionary(
            uniqueKeysWithValues: (0..<100).map { ("https://example.org/\($0)", [UInt8($0)]) })
        let client = ScriptedFetcher(files: files)
        let own = fetcher(client) { $0.parallel = 5 }
        let results = own.fetchAll((0...100).map { StreamResource("https://example.org/\($0)") })
        #expect(results.count == 101)
        #expect(results.prefix(100).map { try? $0.get().bytes } == (0..<100).map { [UInt8($0)] })
        #expect(throws: UndertextError.self) { try results[100].get() }
    }

    @Test func noMoreIsFetchedAheadThanMayWait() {
        let client = ScriptedFetcher { _, _ in .success(HTTPResponse(status: 200)) }
        let own = fetcher(client) { $0.parallel = 2 }
        var given = 0
        let fetching = OrderedFetching<Int>(own) {
            given += 1
            return .init(StreamResource("https://example.org/\(given)"), tag: given)
        }
        for number in 1...1000 { #expect(fetching.nextOutcome()?.tag == number) }
        #expect(given <= 1005)
    }

    @Test(.requires("python3")) func stoppingDoesNotWait() throws {
        let server = try WebServer.hostile(serving: Repository.root)
        let cancellation = Cancellation()
        let own = StreamFetcher(
            HTTPClient(), named: "\(server.address)/plain/a", cancellation: cancellation)
        cancellation.cancel()
        #expect(
            code { () throws(UndertextError) in
                try own.fetch(StreamResource("\(server.address)/plain/README.md"))
            } == .cancelled)
    }

    @Test(.requires("python3")) func redirectsAreChecked() throws {
        let server = try WebServer.hostile(serving: Repository.root)
        let named = "\(server.address)/plain/master.m3u8"
        var options = StreamFetchOptions()
        options.clock = NotedClock().clock
        let own = StreamFetcher(HTTPClient(), named: named, options: options)
        let moved = try own.fetch(own.resource("../to-plain/README.md", in: named))
        #expect(moved.url == "\(server.address)/plain/README.md")
        for mode in ["to-file", "to-private", "to-loop"] {
            #expect(
                code { () throws(UndertextError) in
                    try own.fetch(own.resource("../\(mode)/README.md", in: named))
                } == .nestedOpen)
        }
        // A redirect loop is not requested again.
        #expect(server.lines.count { $0.contains("to-loop") } < 2 * 11)
        let part = ByteRange(offset: 3, count: 9)
        let bytes = try own.fetch(own.resource("README.md", in: named, range: part)).bytes
        #expect(bytes.count == 9)
        #expect(
            try own.fetch(own.resource("../no-ranges/README.md", in: named, range: part)).bytes
                == bytes)
    }

    @Test func filesOfTheFolderAreReadAndNoOthers() throws {
        let scratch = TemporaryDirectory()
        scratch.write("outside", to: "secret.vtt")
        #expect(makeFolder(scratch / "show"))
        scratch.write("#EXTM3U", to: "show/m 1.m3u8")
        scratch.write("inside", to: "show/a b.vtt")
        #expect(unsafe symlink(scratch / "secret.vtt", scratch / "show/link.vtt") == 0)
        let named = URI(filePath: scratch / "show/m 1.m3u8").description
        let client = ScriptedFetcher(files: ["https://example.org/x": [7]])
        let own = StreamFetcher(client, named: named)
        #expect(try own.fetch(StreamResource(named)).bytes == Array("#EXTM3U".utf8))
        let inside = try own.fetch(own.resource("a%20b.vtt", in: named))
        #expect(inside.bytes == Array("inside".utf8))
        let part = ByteRange(offset: 2, count: 3)
        #expect(
            try own.fetch(own.resource("a b.vtt", in: named, range: part)).bytes
                == Array("sid".utf8))
        for reference in [
            "../secret.vtt", "%2e%2e/secret.vtt", "..%2Fsecret.vtt", "/etc/hostname",
            "file:///etc/hostname", "file://\(scratch / "show/a b.vtt")", "x/../../secret.vtt",
            "http://example.org/x",
        ] {
            let found = code { () throws(UndertextError) in
                try own.fetch(own.resource(reference, in: named))
            }
            #expect(found == .nestedOpen, "\(reference)")
        }
        #expect(
            code { () throws(UndertextError) in try own.fetch(own.resource("link.vtt", in: named)) }
                == .nestedOpen)
        #expect(
            code { () throws(UndertextError) in try own.fetch(own.resource("none.vtt", in: named)) }
                == .notFound)
        #expect(try own.fetch(own.resource("https://example.org/x", in: named)).bytes == [7])
        #expect(client.requests.map(\.namedURL) == ["https://nothing.invalid/"])
    }
}
