import TestSupport
import Testing
import UndertextCore
import UndertextIO

/// Requests with methods, headers and bodies, and what servers may do to who makes them.
@Suite struct HTTPClientTests {
    private let client = HTTPClient()

    private func fetch(_ request: HTTPRequest) throws(UndertextError) -> HTTPResponse {
        try client.fetch(request, cancellation: Cancellation())
    }

    private func expectError(
        _ code: UndertextError.Code, _ request: HTTPRequest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do throws(UndertextError) {
            let response = try fetch(request)
            Issue.record("no error but \(response.status)", sourceLocation: sourceLocation)
        } catch {
            #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        }
    }

    @Test(.requires("python3")) func methodHeadersAndBodyArrive() throws {
        let server = try ProviderServer.start()
        for method in [HTTPRequest.Method.get, .post, .delete] {
            var request = HTTPRequest(method, "\(server.address)/a/http/echo")
            request.headers = [
                HTTPHeader("X-Test", "värde"), HTTPHeader("User-Agent", "Own v1"),
            ]
            if method == .post { request.body = Array("a body".utf8) }
            let response = try fetch(request)
            #expect(response.status == 200)
            #expect(response.isSuccess)
            #expect(response.headers["content-type"] == "application/json")
            let answer = try JSON(parsing: response.body)
            #expect(answer["method"]?.text == method.rawValue)
            #expect(answer["body"]?.text == (method == .post ? "a body" : nil))
        }
        #expect(server.lines.count == 3)
        #expect(server.lines.allSatisfy { $0.contains("Own v1") && $0.contains("gzip") })
    }

    @Test(.requires("python3")) func aConnectionIsKept() throws {
        let server = try WebServer.hostile(serving: "/nowhere")
        for _ in 0..<3 { _ = try fetch(HTTPRequest(.get, "\(server.address)/plain/x")) }
        #expect(Set(server.requests.map(\.connection)).count == 1)
    }

    @Test(.requires("python3")) func anyStatusIsAnAnswer() throws {
        let server = try ProviderServer.start()
        for status in [200, 401, 406, 429, 500, 503] {
            let response = try fetch(
                HTTPRequest(.get, "\(server.address)/a/http/status?\(status)"))
            #expect(response.status == status)
            #expect(response.body == Array("said".utf8))
        }
    }

    @Test(.requires("python3")) func rangesAreRequested() throws {
        let server = try ProviderServer.start()
        var request = HTTPRequest(.get, "\(server.address)/a/http/range")
        request.range = ByteRange(offset: 10, count: 5)
        let response = try fetch(request)
        #expect(response.status == 206)
        #expect(response.body == [10, 11, 12, 13, 14])
        request.range = ByteRange(offset: 10, count: 0)
        expectError(.unsupported, request)
        request.range = ByteRange(offset: .max, count: 5)
        expectError(.unsupported, request)
    }

    @Test(.requires("python3")) func packedBodiesAreUnpackedWithinTheLimit() throws {
        let server = try ProviderServer.start()
        #expect(
            try fetch(HTTPRequest(.get, "\(server.address)/a/http/gzip")).body
                == Array("plain text".utf8))
        var bomb = HTTPRequest(.get, "\(server.address)/a/http/gzip-bomb")
        bomb.bodyLimit = 1 << 20
        expectError(.limit, bomb)
        expectError(.io, HTTPRequest(.get, "\(server.address)/a/http/odd-packed"))
    }

    @Test(.requires("python3")) func bodiesEnd() throws {
        let server = try ProviderServer.start()
        var endless = HTTPRequest(.get, "\(server.address)/a/http/endless")
        endless.bodyLimit = 300_000
        expectError(.limit, endless)
        expectError(.io, HTTPRequest(.get, "\(server.address)/a/http/cut"))
        var exact = HTTPRequest(.get, "\(server.address)/a/http/status?200")
        exact.bodyLimit = 4
        #expect(try fetch(exact).body.count == 4)
        exact.bodyLimit = 3
        expectError(.limit, exact)
    }

    @Test(.requires("python3")) func floodsOfHeadersAreBounded() throws {
        let server = try ProviderServer.start()
        let response = try fetch(HTTPRequest(.get, "\(server.address)/a/http/headers"))
        #expect(response.headers["x-answer"] == "yes")
        #expect(response.headers["x-149"] == nil)
        #expect(response.headers["content-length"] == "4" || response.headers.count <= 102)
    }

    @Test(.requires("python3")) func waitingEnds() throws {
        let server = try ProviderServer.start()
        var request = HTTPRequest(.get, "\(server.address)/a/http/silent")
        request.timeout = .milliseconds(200)
        expectError(.timeout, request)
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: UndertextError.self) {
            try client.fetch(
                HTTPRequest(.get, "\(server.address)/a/http/silent"), cancellation: cancellation)
        }
        // The first one at most, if the server got round to it.
        #expect(server.lines.count <= 1)
    }

    @Test(.requires("python3")) func redirectsOfRequestsAreChecked() throws {
        let server = try ProviderServer.start()
        func request(
            _ method: HTTPRequest.Method, _ status: Int, _ target: String,
            _ redirects: HTTPRequest.Redirects = .anywhere
        ) -> HTTPRequest {
            var request = HTTPRequest(
                method, "\(server.address)/a/http/redirect/\(status)/\(target)")
            if method == .post { request.body = Array("secret body".utf8) }
            request.headers = [HTTPHeader("Api-Key", "KEY", isSecret: true), .init("X-Test", "t")]
            request.redirects = redirects
            return request
        }
        // 307 and 308 keep method and body, the others change to GET.
        for (status, method) in [
            (301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST"),
        ] {
            let response = try fetch(request(.post, status, "echo"))
            #expect(try JSON(parsing: response.body)["method"]?.text == method)
            #expect(response.url == "\(server.address)/a/http/echo")
        }
        #expect(server.lines.allSatisfy { $0.contains("KEY") })
        let before = server.lines.count
        // Another port is another server: no keys, no body, or nothing at all.
        #expect(try fetch(request(.get, 302, "other-port")).isSuccess)
        #expect(server.lines.count == before + 2)
        #expect(server.lines.last?.contains("KEY") == false)
        #expect(server.lines.last?.contains("\"X-Test\": \"t\"") == true)
        #expect(try fetch(request(.post, 303, "other-port")).isSuccess)
        #expect(server.lines.last?.contains("secret body") == false)
        expectError(.nestedOpen, request(.post, 307, "other-port"))
        expectError(.nestedOpen, request(.get, 302, "other-port", .sameOrigin))
        expectError(.nestedOpen, request(.get, 302, "private"))
        expectError(.nestedOpen, request(.get, 302, "file"))
        expectError(.nestedOpen, request(.get, 302, "loop"))
        #expect(try fetch(request(.get, 302, "echo", .sameOrigin)).isSuccess)
    }

    /// An address out of an answer is held to the rules of redirects.
    @Test(.requires("python3")) func addressesFromAServerAreChecked() throws {
        let server = try ProviderServer.start()
        let port = server.port
        func reported(_ url: String) -> HTTPRequest {
            var request = HTTPRequest(.get, url)
            request.namedURL = server.address
            return request
        }
        #expect(try fetch(reported("\(server.address)/a/http/echo")).isSuccess)
        expectError(.nestedOpen, reported("http://127.0.0.2:\(port)/a/http/echo"))
        expectError(.nestedOpen, reported("http://localhost:\(port)/a/http/echo"))
        expectError(.nestedOpen, reported("file:///etc/hostname"))
        expectError(.nestedOpen, reported("nonsense://x"))
        var downgrade = HTTPRequest(.get, server.address)
        downgrade.namedURL = "https://127.0.0.1/"
        expectError(.nestedOpen, downgrade)
        #expect(server.lines.count == 1)
    }

    @Test func unsendableRequestsAreRefused() {
        for header in [
            HTTPHeader("X-A", "b\r\nX-Evil: 1"), HTTPHeader("X A", "b"), HTTPHeader("", "b"),
            HTTPHeader("X:", "b"), HTTPHeader("X-A", "\u{0}"),
        ] {
            expectError(.unsupported, HTTPRequest(.get, "http://127.0.0.1:1/", headers: [header]))
        }
        expectError(.unsupported, HTTPRequest(.get, "ftp://127.0.0.1/"))
        expectError(.unsupported, HTTPRequest(.get, ""))
        expectError(.io, HTTPRequest(.get, "http://127.0.0.1:1/"))
    }

    @Test func secretsAreNeverPrinted() {
        var request = HTTPRequest(
            .post, "http://host/path?token=SECRET",
            headers: [HTTPHeader("Api-Key", "SECRET", isSecret: true)], body: Array("SECRET".utf8))
        #expect("\(request)" == "POST http://host/path")
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!dumped.contains("SECRET"))
        #expect(!String(reflecting: request).contains("SECRET"))
        #expect(!"\(request.headers)".contains("SECRET"))
        request.label = "the service"
        #expect(request.name == "the service")
    }
}
