import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Rules of STYLE blocks, and what they make of text.
@Suite struct WebVTTStyleSheetTests {
    private let red = RGBA(rawValue: 0xFF00_00FF)

    /// `true` if a rule that makes things red makes a run so.
    private func reddens(_ selector: String, id: String = "", _ run: TextRun) -> Bool {
        let sheet = WebVTTStyleSheet(["\(selector) { color: red }"])
        return sheet.styled(StyledText(runs: [run]), id: id).runs.first?.style.color == red
    }

    private func run(_ change: (inout TextStyle) -> Void) -> TextRun {
        var style = TextStyle()
        change(&style)
        return TextRun("words", style: style)
    }

    @Test func selectors() {
        let bold = run { $0.isBold = true }
        let loud = run { $0.classes = ["very", "loud"] }
        let bob = run { $0.voice = "Bob \"B\"" }
        let english = run { $0.language = "en-GB" }
        for selector in [
            "::cue", "::CUE(b)", "video::cue(B)", "::cue(i, b)", "::cue(i), ::cue( b )",
        ] {
            #expect(reddens(selector, bold), "\(selector)")
        }
        for selector in [
            "::cue(i)", "::cue(b.loud)", "::cue(*)", "::cue(b:past)", "cue(b)", "::cue-region(b)",
            "::cue(b > i)", "p", "::cue(b", "", "::cue()",
        ] {
            #expect(!reddens(selector, bold), "\(selector)")
        }
        #expect(reddens("::cue(.loud)", loud) && reddens("::cue(c.very.loud)", loud))
        #expect(reddens(#"::cue(v[voice="Bob \"B\""])"#, bob))
        #expect(!reddens("::cue([voice=Bob])", bob) && !reddens("::cue([voice^=Bob])", bob))
        #expect(reddens("::cue(:lang(en))", english) && reddens(#"::cue([lang="en-gb"])"#, english))
        #expect(
            !reddens(#"::cue(lang[lang="en"])"#, english) && !reddens("::cue(:lang(e))", english))
        #expect(reddens(#"::cue(#\31 2)"#, id: "12", bold) && !reddens("::cue(#a)", id: "b", bold))
        #expect(reddens("::cue(#a b)", id: "a", bold) && !reddens("::cue(#a i)", id: "a", bold))
    }

    /// More exact rules count, then those of inner classes, then later ones; what must be, above all.
    @Test(arguments: [
        ("::cue(b){color:red} ::cue(b){color:blue}", "blue"),
        ("::cue(.x){color:red} ::cue(b){color:blue}", "red"),
        ("::cue(.y){color:red} ::cue(.x){color:blue}", "red"),
        ("::cue(b){color:red!important} ::cue(#id b){color:blue}", "red"),
        ("::cue(#id){color:blue} ::cue{color:red}", "blue"),
        ("::cue(b){color:red} ::cue{color:blue !important}", "red"),
        ("@import 'x'; /* ::cue(b){color:blue} */ ::cue(b){;color : Red;}", "red"),
        ("::cue(b){color:red; color:nothing}", "red"), ("::cue(b){color:red", "red"),
    ])
    func precedence(_ sheet: String, _ expected: String) {
        let words = run {
            $0.isBold = true
            $0.classes = ["x", "y"]
        }
        let styled = WebVTTStyleSheet([sheet]).styled(StyledText(runs: [words]), id: "id")
        #expect(
            styled.runs.first?.style.color == (expected == "red" ? red : RGBA(rawValue: 0xFFFF)))
    }

    @Test func sizes() {
        let sheet = WebVTTStyleSheet(["::cue{font-size:150%} ::cue(b){font-size:2em}"])
        let text = StyledText(runs: [TextRun("a"), run { $0.isBold = true }])
        #expect(
            sheet.styled(text, id: "").runs.map(\.style.fontSize) == [.percent(150), .percent(300)])
        for wrong in ["0", "-1em", "1e300em", "12px", "big", "calc(1em)", ""] {
            #expect(WebVTTStyleSheet(["::cue{font-size:\(wrong)}"]).leftOut.count == 1)
        }
    }

    /// Reading any content ends, and the notes about it stay short.
    @Test func damage() {
        let sheet = """
            @import url("x;{"); ::cue { color: rgba(1,2,3,.5); font: bold 1em "a}b" !important }
            ::cue(v[voice="Bo\\"b"].x:lang(en) #\\31 x), video::cue(b, i) { background: #0f08 } /* } */
            @media (a) { ::cue(b) { opacity: 1 } }
            """
        let bytes = Array(sheet.utf8)
        for damaged in Array(truncations(of: bytes)) + Array(bitFlips(of: bytes, count: 500)) {
            let sheet = WebVTTStyleSheet([String(decoding: damaged, as: UTF8.self)])
            #expect(sheet.leftOut.count <= 20 && sheet.leftOut.allSatisfy { $0.count <= 61 })
            _ = sheet.styled(StyledText(runs: [run { $0.isBold = true }]), id: "1x")
        }
        for part in ["{", "}", "::cue(", "::cue{color:red}", "@", "\"", "\\", "/*", ",", "(["] {
            let sheet = WebVTTStyleSheet([String(repeating: part, count: 20_000)])
            #expect(sheet.rules.count <= 1000 && sheet.leftOut.count <= 20)
        }
    }
}
