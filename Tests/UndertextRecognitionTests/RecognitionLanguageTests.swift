import Testing
import UndertextCore

@testable import UndertextRecognition

@Suite struct RecognitionLanguageTests {
    @Test(arguments: [
        ("en", "eng"), ("eng", "eng"), ("en-US", "eng"), ("de", "deu"), ("ger", "deu"),
        ("de-Latf", "frk"), ("pt-BR", "por"), ("zh", "chi_sim"), ("zh-Hans", "chi_sim"),
        ("zh-Hans-CN", "chi_sim"), ("zh-Hant", "chi_tra"), ("zh-TW", "chi_tra"), ("chi", "chi_sim"),
        ("sr-Latn", "srp_latn"), ("sr-Cyrl", "srp"), ("uz-Cyrl", "uzb_cyrl"), ("nb", "nor"),
        ("fil", "fil"), ("ku", "kmr"), ("grc", "grc"), ("iw", nil), ("xx", nil), ("tlh", nil),
    ])
    func names(_ tag: String, _ name: String?) throws {
        #expect(RecognitionLanguage(try #require(LanguageTag(tag)))?.tesseractName == name)
    }

    @Test func everyTagOfTheTableIsNormal() {
        for (tag, name) in RecognitionLanguage.names {
            #expect(LanguageTag(tag)?.rawValue == tag)
            #expect(name.utf8.count >= 3)
        }
        #expect(Set(RecognitionLanguage.names.values).count == 116)
    }

    @Test func packages() throws {
        #expect(RecognitionLanguage("zh-Hant")?.debianPackage == "tesseract-ocr-chi-tra")
    }

    @Test func lists() throws {
        let names = try RecognitionLanguage.list(parsing: "de+eng+en-GB").map(\.tesseractName)
        #expect(names == ["deu", "eng"])
        for bad in ["", "+", "en+", "en,de", "xx", "en+tlh", "e"] {
            #expect(throws: UndertextError.self, "\(bad)") {
                try RecognitionLanguage.list(parsing: bad)
            }
        }
    }
}
