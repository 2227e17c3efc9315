import TestSupport
import Testing

private func document(_ paragraph: String, head: String = "", attributes: String = "") -> [UInt8] {
    Array(
        """
        <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="en"
          ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.1/text" \(attributes)>
        <head><metadata><ttm:agent xml:id="a" type="character"><ttm:name>A</ttm:name></ttm:agent></metadata>
        <styling><style xml:id="s" tts:color="#ff0000"/>\(head)</styling>
        <layout><region xml:id="r" tts:origin="10% 10%" tts:extent="80% 26%"/></layout></head>
        <body><div>\(paragraph)</div></body></tt>
        """.utf8)
}

private func rules(_ bytes: [UInt8]) -> String {
    Set(TTMLValidator.faults(in: bytes).map(\.rule)).sorted().joined(separator: " ")
}

private let times = "begin=\"00:00:01.000\" end=\"00:00:02.000\""

struct TTMLValidatorTests {
    @Test func conforming() {
        #expect(
            rules(
                document(
                    "<p \(times) region=\"r\" style=\"s\">a<br/><span style=\"s\" ttm:agent=\"a\">b</span>"
                        + "<span tts:ruby=\"container\"><span tts:ruby=\"base\">c</span><span tts:ruby=\"text\">d</span></span></p>"
                )) == "")
    }

    @Test(arguments: [
        ("<p \(times)>a</p>", "reference"), ("<p region=\"r\">a</p>", "time"),
        ("<p begin=\"1s\" end=\"2s\" region=\"r\">a</p>", "time"),
        ("<p begin=\"00:00:02.000\" end=\"00:00:02.000\" region=\"r\">a</p>", "time"),
        ("<p \(times) region=\"r\" style=\"x\">a</p>", "reference"),
        ("<p \(times) region=\"r\" tts:color=\"red\">a</p>", "attribute"),
        ("<p \(times) region=\"r\" xml:id=\"1\">a</p>", "name"),
        ("<p \(times) region=\"r\" xml:id=\"s\">a</p>", "name"),
        ("<p \(times) region=\"r\"><span tts:ruby=\"base\">a</span></p>", "ruby"),
        ("<p \(times) region=\"r\"><span tts:ruby=\"container\">a</span></p>", "ruby stray-text"),
        ("<p \(times) region=\"r\"><p>a</p></p>", "structure"),
        ("<p \(times) region=\"r\"><span ttm:agent=\"b\">a</span></p>", "reference"),
        ("x", "stray-text"), ("<span>a</span>", "structure"),
    ])
    func faultsOfParagraphs(_ paragraph: String, _ expected: String) {
        #expect(rules(document(paragraph)) == expected)
    }

    @Test func faultsOfTheHead() {
        #expect(rules(document("", head: "<style xml:id=\"t\" tts:color=\"red\"/>")) == "value")
        #expect(rules(document("", head: "<style xml:id=\"t\" tts:zIndex=\"1\"/>")) == "attribute")
        #expect(rules(document("", attributes: "ttp:timeBase=\"smpte\"")) == "attribute")
        #expect(rules(Array("<tt/>".utf8)) == "lang namespace profile structure")
        #expect(rules([0xFF]) == "utf-8")
        #expect(rules(Array("<tt>".utf8)) == "xml")
    }

    @Test(arguments: [
        ("50% 10%", "40% 10%", false), ("50% 10%", "40% 11%", true), ("60% 30%", "30% 10%", false),
        ("50% 30%", "40% 10%", true), ("0% 0%", "100% 100%", true),
    ])
    func regionsThatOverlap(_ origin: String, _ extent: String, _ isFault: Bool) {
        let layout = [
            "<region xml:id=\"o\" tts:origin=\"\(origin)\" tts:extent=\"\(extent)\"/>",
            "<region xml:id=\"p\" tts:origin=\"50% 20%\" tts:extent=\"10% 20%\"/>",
        ].joined()
        let paragraphs = "<p \(times) region=\"o\">a</p><p \(times) region=\"p\">b</p>"
        let text = String(decoding: document(paragraphs), as: UTF8.self)
            .replacing("<layout>", with: "<layout>" + layout)
        #expect(rules(Array(text.utf8)) == (isFault ? "overlap" : ""))
    }

    @Test func noMoreThanFourRegions() {
        let regions = (1...5).map { number in
            document("<p \(times) region=\"r\(number)\">a</p>")
        }
        #expect(regions.allSatisfy { rules($0) == "reference" })
        let layout = (1...5).map {
            "<region xml:id=\"r\($0)\" tts:origin=\"0% \($0)0%\" tts:extent=\"9% 9%\"/>"
        }.joined()
        let text = String(decoding: document(""), as: UTF8.self)
        for count in 4...5 {
            let paragraphs = (1...count).map { "<p \(times) region=\"r\($0)\">a</p>" }.joined()
            let changed = text.replacing("<layout>", with: "<layout>" + layout)
                .replacing("<div></div>", with: "<div>\(paragraphs)</div>")
            #expect(rules(Array(changed.utf8)) == (count == 5 ? "regions" : ""))
        }
    }
}
