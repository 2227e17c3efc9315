import Testing
import Undertext
import UndertextCore
import UndertextFormats

@Suite struct FormatRequestTests {
    @Test func theKindNotNamedKeepsItsDefault() throws {
        #expect(
            try FormatRequest(parsing: "srt")
                == FormatRequest(text: .subRip, bitmap: .png, onlyKind: .text))
        #expect(
            try FormatRequest(parsing: "sup")
                == FormatRequest(text: .webVTT, bitmap: .pgs, onlyKind: .bitmap))
        #expect(try FormatRequest(parsing: "srt,sup") == FormatRequest(text: .subRip, bitmap: .pgs))
        #expect(try FormatRequest(parsing: "json") == FormatRequest(text: .json, bitmap: .json))
        #expect(try FormatRequest(parsing: "native") == .native)
    }

    @Test func caseDoesNotMatter() throws {
        #expect(try FormatRequest(parsing: "SRT,Sup") == FormatRequest(parsing: "srt,sup"))
        #expect(try FormatRequest(parsing: "Native") == .native)
        #expect(try SubtitleFormat.input(named: "VTT") == .webVTT)
    }

    /// Names of codecs and extensions, and mistyped names.
    @Test(arguments: [
        ("subrip", "srt"), ("webvtt", "vtt"), ("srtt", "srt"), ("vt", "vtt"), ("dfxp", "ttml"),
        ("hdmv_pgs_subtitle", "sup"),
    ])
    func suggests(_ name: String, _ format: String) {
        let error = #expect(throws: UndertextError.self) { try FormatRequest(parsing: name) }
        #expect(error?.message.contains("did you mean '\(format)'? Choose one of vtt srt") == true)
    }

    /// A name is repeated as written, in any case; formats that are only read have no suggestion.
    @Test func messagesRepeatNames() {
        let unknown = #expect(throws: UndertextError.self) { try FormatRequest(parsing: "SRTT") }
        #expect(unknown?.message.hasPrefix("'SRTT' is not a format; did you mean 'srt'?") == true)
        let unwritten = #expect(throws: UndertextError.self) { try FormatRequest(parsing: "mcc") }
        #expect(unwritten?.message.contains("did you mean") == false)
        #expect(throws: UndertextError.self) { try FormatRequest(parsing: "Native,srt") }
    }

    @Test func suggestsNothingFarFetched() {
        let error = #expect(throws: UndertextError.self) { try FormatRequest(parsing: "word") }
        #expect(error?.message.contains("did you mean") == false)
    }

    /// With recognition a format for text is one for bitmaps, too.
    @Test func recognitionTakesBothKinds() throws {
        let request = try FormatRequest(parsing: "srt", recognizing: true)
        #expect(request == FormatRequest(text: .subRip, bitmap: .subRip))
        #expect(FormatRequest(only: .subRip).onlyKind == .text)
        #expect(FormatRequest(only: .subRip, recognizing: true).onlyKind == nil)
        #expect(FormatRequest(only: .png, recognizing: true).onlyKind == .bitmap)
        #expect(FormatRequest(only: .jsonLines).onlyKind == nil)
    }

    @Test func jsonIsBothKinds() throws {
        #expect(
            try FormatRequest(parsing: "jsonl")
                == FormatRequest(text: .jsonLines, bitmap: .jsonLines))
        #expect(
            try FormatRequest(parsing: "jsonl,sup") == FormatRequest(text: .jsonLines, bitmap: .pgs)
        )
    }

    @Test(arguments: ["", "srt,vtt", "sup,png", "native,vtt", "doc"])
    func refuses(_ text: String) {
        #expect(throws: UndertextError.self) { try FormatRequest(parsing: text) }
    }
}
