import Testing
import UndertextCore

@Suite struct URLSecretsTests {
    @Test(arguments: [
        ("https://user:pass@example.org/a.mkv", "https://***@example.org/a.mkv"),
        ("https://token@example.org:8080", "https://***@example.org:8080"),
        ("https://a@b:c@example.org/@x", "https://***@example.org/@x"),
        ("https://us er:pa ss@example.org/", "https://***@example.org/"),
        ("https://user:pa/ss?w#o@example.org/a", "https://***@example.org/a"),
        ("rtmp://u:p@h/a and ftp://v:q@i/b", "rtmp://***@h/a and ftp://***@i/b"),
        (
            "https://b.s3.amazonaws.com/a.mkv?X-Amz-Date=1&X-Amz-Credential=AK%2F1&X-Amz-Signature=0f#t",
            "https://b.s3.amazonaws.com/a.mkv?X-Amz-Date=1&X-Amz-Credential=***&X-Amz-Signature=***#t"
        ),
        ("https://h/a?sig=b%2Bc&sv=1", "https://h/a?sig=***&sv=1"),
        ("https://h/a?ACCESS_TOKEN=b&Key=c&q=1", "https://h/a?ACCESS_TOKEN=***&Key=***&q=1"),
        ("https://h/a?token=", "https://h/a?token="),
        ("'https://h/a?token=b': not found (x).", "'https://h/a?token=***': not found (x)."),
        ("cannot open https://u:p@h/a: no host", "cannot open https://***@h/a: no host"),
        ("<a href=\"https://u:p@h/?auth=1\">", "<a href=\"https://***@h/?auth=***\">"),
    ])
    func areHidden(_ text: String, _ expected: String) {
        #expect(withoutSecrets(text) == expected)
        #expect(withoutSecrets(expected) == expected)
    }

    @Test(arguments: [
        "film@home.mkv", "a?token=b", "https://example.org/a.mkv?monkey=1&keys=2&tokens=3", "://",
        "https://example.org/@user/a", "https://[::1]:80/a@b", "https://h:80/a@b",
        "see h://x, mail a@b",
        "", "Straße://ä",
    ])
    func restStays(_ text: String) { #expect(withoutSecrets(text) == text) }

    @Test func errorsAndDiagnosticsShowNone() {
        var error = UndertextError(
            .io, "is redirected to https://u:p@h/", path: "https://u:p@h/a?token=x",
            underlying: "https://u:p@i/")
        #expect(!"\(error)".contains("u:p") && !"\(error)".contains("x"))
        error.path = "https://u:p@h/b"
        #expect(error.path == "https://***@h/b")
        #expect(
            Diagnostic(.error, "a", "https://u:p@h/ is gone").message == "https://***@h/ is gone")
        #expect(HTTPRequest(.get, "https://u:p@h/a?b").name == "https://***@h/a")
    }

    /// Whatever a text repeats, users are hidden and the text ends where it did.
    @Test func repeatedAddressesAreSearchedOnce() {
        let many = String(repeating: "a://b:c", count: 100_000)
        #expect(withoutSecrets(many) == many)
        #expect(withoutSecrets(many + "@h/").hasSuffix("***@h/"))
    }
}
