import Testing
import UndertextCore

@testable import UndertextStreaming

@Suite struct URIReferenceTests {
    /// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
    @Test(
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
        ])
    func resolves(_ reference: String, _ expected: String) {
        let base = URIReference("http://a/b/c/d;p?q")
        #expect(URIReference(reference).resolved(against: base).description == expected)
        #expect(URIReference(reference).description == reference)
    }

    /// What is put together of relative references is the same address in the end.
    @Test(
        arguments: [
            ("../subs/", "x.vtt", "../subs/x.vtt"), ("", "../x", "../x"), ("a/", "../../x", "../x"),
            ("..", "", ".."), ("../", "..", "../../"), ("a/b/", "../c/../../x", "x"),
            ("", "./x:1.vtt", "./x:1.vtt"), ("a/", "..//b", ".//b"), ("/", "..//b/c", "/.//b/c"),
            ("/a/", "../../x", "/x"),
        ])
    func staysRelative(_ base: String, _ reference: String, _ expected: String) {
        let both = URIReference(reference).resolved(against: URIReference(base))
        #expect(both.description == expected)
        let outer = URIReference("http://h/1/2/3/m.mpd")
        #expect(
            URIReference(both.description).resolved(against: outer)
                == URIReference(reference).resolved(
                    against: URIReference(base).resolved(against: outer)))
    }
}

@Suite struct AddressRuleTests {
    private func address(
        _ reference: String, in parent: String = "http://example.com/a/master.m3u8?x=1",
        named: String = "http://example.com/a/master.m3u8"
    ) -> String? {
        try? AddressRule(named: named).address(of: reference, in: parent)
    }

    @Test func whatIsOpened() {
        #expect(address("b/c.m3u8") == "http://example.com/a/b/c.m3u8")
        #expect(address("https://cdn.example.net/x") == "https://cdn.example.net/x")
        #expect(address(" a b\u{e9}.vtt#t=1 ") == "http://example.com/a/a%20b%C3%A9.vtt")
        #expect(address("//cdn.example.net/x") == "http://cdn.example.net/x")
        #expect(address("HTTPS://CDN/x") == "https://CDN/x")
    }

    @Test(
        arguments: [
            "file:///etc/passwd", "FILE:/etc/passwd", "ftp://example.com/x", "data:text/vtt,WEBVTT",
            "skd://key", "concat:a|b", "http://localhost/x", "http://LOCALHOST./x",
            "http://a.localhost/", "http://127.0.0.1:8080/x", "http://u@127.0.0.1/",
            "http://10.1.2.3/x", "http://192.168.0.1/", "http://169.254.169.254/latest",
            "http://[::1]/x", "http://[fe80::1]/", "http://[::ffff:10.0.0.1]/", "http://[1::2::3]/",
            "http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/",
            "http://%6cocalhost/", "http:///x", "http:x", "http://[::1/",
        ])
    func whatIsNotOpened(_ reference: String) {
        #expect(address(reference) == nil)
    }

    @Test func aNamedHostMayBePrivate() {
        let named = "http://127.0.0.1:9000/m.m3u8"
        #expect(address("x.ts", in: named, named: named) == "http://127.0.0.1:9000/x.ts")
        #expect(address("http://127.0.0.2/x", in: named, named: named) == nil)
        #expect(address("http://localhost/x", in: named, named: named) == nil)
    }

    @Test func httpsIsNotLeft() {
        let named = "https://example.com/m.m3u8"
        #expect(address("http://example.com/x", in: named, named: named) == nil)
        #expect(address("x", in: "/local/master.m3u8", named: "/local/master.m3u8") == nil)
        #expect(throws: UndertextError.self) {
            try AddressRule(named: named).address(of: "file:///x", in: named)
        }
    }
}
