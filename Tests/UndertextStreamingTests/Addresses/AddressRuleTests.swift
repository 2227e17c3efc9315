import Testing
import UndertextCore

@testable import UndertextStreaming

@Suite struct AddressRuleTests {
    private func address(
        _ reference: String, in parent: String = "http://example.com/a/master.m3u8?x=1",
        named: String = "http://example.com/a/master.m3u8"
    ) -> String? {
        try? AddressRule(named: named).address(of: reference, in: parent)
    }

    @Test func openedInputs() {
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
    func inputsThatAreNotOpened(_ reference: String) {
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
