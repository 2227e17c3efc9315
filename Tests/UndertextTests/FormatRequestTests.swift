import Testing
import Undertext

@Suite struct FormatRequestTests {
    @Test func theKindNotNamedKeepsItsDefault() throws {
        #expect(try FormatRequest(parsing: "srt") == FormatRequest(text: .srt, bitmap: .png))
        #expect(try FormatRequest(parsing: "sup") == FormatRequest(text: .vtt, bitmap: .sup))
        #expect(try FormatRequest(parsing: "srt,sup") == FormatRequest(text: .srt, bitmap: .sup))
        #expect(try FormatRequest(parsing: "json") == FormatRequest(text: .json, bitmap: .json))
        #expect(try FormatRequest(parsing: "native") == .native)
    }

    @Test func jsonIsBothKinds() throws {
        #expect(try FormatRequest(parsing: "jsonl") == FormatRequest(text: .jsonl, bitmap: .jsonl))
        #expect(
            try FormatRequest(parsing: "jsonl,sup") == FormatRequest(text: .jsonl, bitmap: .sup))
    }

    @Test(arguments: ["", "srt,vtt", "sup,png", "native,vtt", "doc", "TTML", "SRT"])
    func refuses(_ text: String) {
        #expect(throws: FormatRequest.SyntaxError.self) { try FormatRequest(parsing: text) }
    }
}
