import Testing
import UndertextCore
import UndertextServer

@Suite struct ServerRulesTests {
    private struct Site: ServerSite {
        func answer(_ request: ServerRequest) -> ServerAnswer {
            ServerAnswer(Array("here".utf8), type: "text/plain", maxAge: 5)
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1:8080", 200), ("127.0.0.1", 200), ("localhost:80", 200), ("LOCALHOST", 200),
            ("[::1]:8080", 200), ("192.168.1.7", 200), ("video.example.org:8000", 200),
            ("Video.Example.ORG", 200), ("evil.example", 421), ("127.0.0.1.evil.example", 421),
            ("localhost.evil.example", 421), ("1.2.3", 421), ("1.2.3.400", 421), ("", 400),
            (nil, 400), ("[evil].com", 400), ("[evil]", 421), ("[::1]evil", 400), ("[::1", 400),
            ("localhost:x@evil.com", 400), ("localhost@evil.com", 400), ("localhost:8o", 400),
            ("localhost:", 200), (":80", 400), ("+1.2.3.4", 421), ("::1", 400),
        ] as [(String?, Int)])
    func hosts(_ host: String?, _ status: Int) {
        let rules = ServerRules(Site(), names: ["video.example.org"])
        #expect(rules.answer(ServerRequest("GET", "/x", host: host)).status == status)
    }

    @Test func severalHosts() {
        let rules = ServerRules(Site())
        for hosts in [["localhost", "evil.example"], ["localhost", "localhost"], []] {
            #expect(rules.answer(ServerRequest("GET", "/x", hosts: hosts)).status == 400)
        }
    }

    @Test func targetsInAbsoluteForm() {
        struct Echo: ServerSite {
            func answer(_ request: ServerRequest) -> ServerAnswer {
                ServerAnswer(Array(request.target.utf8), type: "text/plain", maxAge: 5)
            }
        }
        let rules = ServerRules(Echo())
        func answer(_ target: String, _ host: String) -> ServerAnswer {
            rules.answer(ServerRequest("GET", target, host: host))
        }
        #expect(answer("http://evil.example/x", "localhost").status == 421)
        #expect(answer("http://localhost@evil.example/x", "localhost").status == 400)
        for (target, path) in [
            ("http://localhost:80/x?y=/z", "/x?y=/z"), ("http://127.0.0.1", "/"), ("/x:y", "/x:y"),
        ] {
            guard case .bytes(let bytes) = answer(target, "localhost").body else { return }
            #expect(String(decoding: bytes, as: UTF8.self) == path)
        }
        #expect(answer("http://localhost/x", "evil.example").status == 200)
    }

    @Test func methods() {
        let rules = ServerRules(Site())
        for (method, status) in [
            ("GET", 200), ("HEAD", 200), ("POST", 405), ("OPTIONS", 405), ("CONNECT", 405),
            ("get", 405),
        ] {
            let answer = rules.answer(ServerRequest(method, "/x", host: "localhost"))
            #expect(answer.status == status)
            #expect(answer["X-Content-Type-Options"] == "nosniff")
            #expect((answer["Allow"] == "GET, HEAD") == (status == 405))
            #expect(answer["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test func otherOrigins() {
        let some = ServerRules(Site(), origin: "https://example.com")
        let answer = some.answer(ServerRequest("GET", "/x", host: "localhost"))
        #expect(answer["Access-Control-Allow-Origin"] == "https://example.com")
        #expect(answer["Vary"] == "Origin")
        let all = ServerRules(Site(), origin: "*")
        #expect(
            all.answer(ServerRequest("GET", "/x", host: "localhost"))["Access-Control-Allow-Origin"]
                == "*")
        let asked = all.answer(ServerRequest("OPTIONS", "/x", host: "localhost"))
        #expect(asked.status == 204)
        #expect(asked["Access-Control-Allow-Headers"] == "Range")
        #expect(all.answer(ServerRequest("OPTIONS", "/x", host: "evil.example")).status == 421)
    }

    @Test(
        arguments: [
            ("/", []), ("/a", ["a"]), ("/a/b.vtt?x=/../c", ["a", "b.vtt"]), ("/a%20b", ["a b"]),
            ("/%C3%A4", ["ä"]), ("/..", nil), ("/a/../b", nil), ("/%2e%2e/b", nil), ("/.x", nil),
            ("/a%2Fb", nil), ("/a%00", nil), ("//a", nil), ("/a//b", nil), ("/a/", nil),
            ("/%ff", nil), ("/%4", nil), ("/%zz", nil), ("a", nil), ("", nil),
            ("http://other/x", nil), ("/%252e%252e", ["%2e%2e"]), ("/a/.", nil),
        ] as [(String, [String]?)])
    func paths(_ target: String, _ path: [String]?) {
        #expect(ServerRequest("GET", target).path == path)
    }
}
