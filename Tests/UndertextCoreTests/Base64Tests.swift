import Testing
import UndertextCore

/// RFC 4648, section 10, and what documents have.
@Suite struct Base64Tests {
    @Test(arguments: [
        ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectors(_ text: String, _ encoded: String) {
        #expect(Base64.encoded(Array(text.utf8)) == encoded)
        #expect(Base64.decoded(encoded) == Array(text.utf8))
        #expect(Base64.decoded(encoded.prefix { $0 != "=" }) == Array(text.utf8))
    }

    @Test func everyByte() {
        let bytes = (0...255).map { UInt8($0) }
        let text = Base64.encoded(bytes)
        #expect(Base64.decoded(text) == bytes)
        #expect(Base64.encoded([]).isEmpty)
        #expect(Base64.decoded(" /+8=\n") == Base64.decoded("_-8"))
    }

    @Test(arguments: ["", " ", "A", "====", "Zm9v!", "Zm=9v", "Zm9\u{B}v", "é"])
    func refuses(_ text: String) { #expect(Base64.decoded(text) == nil) }

    @Test func dataURLs() {
        #expect(Base64.text(ofDataURL: "data:text/plain;base64,Zm9v") == "Zm9v")
        #expect(Base64.text(ofDataURL: "data:;base64,") == "")
        for url in ["data:text/plain,foo", "data:;base64", "http://a/;base64,Zm9v", ""] {
            #expect(Base64.text(ofDataURL: url) == nil)
        }
    }
}
