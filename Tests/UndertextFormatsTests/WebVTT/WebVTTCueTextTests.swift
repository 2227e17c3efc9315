import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Test(
    arguments: [
        ("plain &amp; &lt;simple&gt;", "plain & <simple>"),
        ("a<i>b</i>c", "a|b[i]|c"),
        ("<b>a<u>b</b>c", "a[b]|bc[b u]"),
        (
            "<c.yellow.bg_blue.x>a</c>",
            "a[color=ffff00ff background=0000ffff class=yellow.bg_blue.x]"
        ),
        ("<v.loud Ann  &amp;\tBob >hi</v> there", "hi[class=loud voice=Ann & Bob]| there"),
        ("<lang en-GB>colour</lang>", "colour[lang=en-GB]"),
        ("<ruby>base<rt>ruby</rt></ruby>!", "base[ruby=ruby]|!"),
        ("x<ruby>a<rt>1</rt>b<rt>2</ruby>y", "x|a[ruby=1]|b[ruby=2]|y"),
        ("<ruby><b>a</b>b<rt>r<i>u</i></rt></ruby>", "a[b]|b[ruby=ru]"),
        ("<ruby><rt>alone</rt></ruby>x", "x"),
        ("a<00:00:01.000>b<i>c</i><00:02.500>d", "a|b[at=1.0]|c[i at=1.0]|d[at=2.5]"),
        ("a<1:00.000>b<00:00:61.000>c<00:01.00>d", "abcd"),
        ("<unknown>kept</unknown>", "kept"),
        ("a </i> b", "a  b"),
        ("lost <i", "lost "),
        ("a\nb", "a\nb"),
    ] as [(String, String)])
func webVTTCueText(text: String, expected: String) {
    #expect(dump(WebVTTCueText(text).styledText) == expected)
}

@Test(
    arguments: [
        ("&lrm;&rlm;&nbsp;", "\u{200E}\u{200F}\u{A0}"), ("&#65;&#x42;&#X43;&#68", "ABCD"),
        ("&#0;&#xD800;&#x110000;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("&#128;&#x9f;&#x81;", "€Ÿ\u{81}"), ("&#;&#x;&#xg;", "&#;&#x;&#xg;"),
        ("&CounterClockwiseContourIntegral;", "\u{2233}"), ("&NotSubset;", "\u{2282}\u{20D2}"),
        ("&ampere &notin &ampx; &am;", "&ere ¬in &x; &am;"),
        ("&zwnj;&hellip;&mdash;", "\u{200C}…—"),
        ("& &&", "& &&"), ("&AMP &GT;", "& >"), ("&frac12&sup3", "½³"),
        (
            "&abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz;",
            "&abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz;"
        ),
    ] as [(String, String)])
func characterReferences(text: String, expected: String) {
    let plain = WebVTTCueText(text).styledText.plainText
    #expect(Array(plain.unicodeScalars) == Array(expected.unicodeScalars))
}

@Test func deepNestingIsBounded() {
    let deep = String(repeating: "<b>", count: 100_000) + "x"
    let tree = WebVTTCueText(deep)
    #expect(dump(tree.styledText) == "x[b]")
    var depth = 0
    var nodes = tree.nodes
    while case .element(let element)? = nodes.first {
        depth += 1
        nodes = element.children
    }
    #expect(depth == 64)
}

@Test(
    arguments: [
        ("00:00.000", 0), ("01:02.003", 62_003), ("00:00:00.500", 500), ("1:02:00.000", 3_720_000),
        ("100:00:00.000", 360_000_000), ("000:00:01.000", 1000), ("60:00:00.000", 216_000_000),
        ("0:00:00.001", 1),
    ] as [(String, Int64)])
func webVTTTimestamps(text: String, milliseconds: Int64) {
    #expect(WebVTTTimestamp.parse(Array(text.utf8)[...]) == .milliseconds(milliseconds))
}

@Test(arguments: [
    "", "0", "00:00", "0:00.000", "00:00,000", "00:00.00", "00:00.0000", "00:60.000",
    "60:00.000", "00:60:00.000", "00:0:00.000", "-00:00.000", "00:00.000 ", "00:00:00:00.000",
])
func notTimestamps(text: String) {
    #expect(WebVTTTimestamp.parse(Array(text.utf8)[...]) == nil)
}

@Test func timestampsBeyondTheRangeSaturate() {
    let text = String(repeating: "9", count: 40) + ":59:59.999"
    #expect(WebVTTTimestamp.parse(Array(text.utf8)[...]) == .distantFuture)
    #expect(
        WebVTTTimestamp.parse(Array("2562046:59:59.999".utf8)[...])
            == .milliseconds(2_562_046 * 3_600_000 + 3_599_999))
}

@Test func timestampsAreWritten() {
    func text(_ time: Timestamp) -> String {
        var bytes: [UInt8] = []
        WebVTTTimestamp.append(time, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
    #expect(text(.milliseconds(3_723_004)) == "01:02:03.004")
    #expect(text(.seconds(360_000)) == "100:00:00.000")
    #expect(text(.seconds(-1)) == "00:00:00.000")
    #expect(text(Timestamp(nanoseconds: 1_500_000)) == "00:00:00.002")
}

// MARK: The W3C's tests

/// The tree as the W3C's tests write it: indented DOM nodes, attributes sorted.
private func domDump(_ nodes: [WebVTTNode], indent: Int = 0) -> String {
    let margin = "| " + String(repeating: "  ", count: indent)
    var lines = ""
    for node in nodes {
        switch node {
        case .text(let text): lines += "\(margin)\"\(text)\"\n"
        case .timestamp(let time):
            var bytes: [UInt8] = []
            WebVTTTimestamp.append(time, to: &bytes)
            lines += "\(margin)<?timestamp \(String(decoding: bytes, as: UTF8.self))>\n"
        case .element(let element):
            let isSpan = [.classSpan, .voice, .language].contains(element.tag)
            lines += "\(margin)<\(isSpan ? "span" : element.tag.rawValue)>\n"
            if !element.classes.isEmpty {
                lines += "\(margin)  class=\"\(element.classes.joined(separator: " "))\"\n"
            }
            if element.tag == .language { lines += "\(margin)  lang=\"\(element.annotation)\"\n" }
            if element.tag == .voice { lines += "\(margin)  title=\"\(element.annotation)\"\n" }
            lines += domDump(element.children, indent: indent + 1)
        }
    }
    return lines
}

@Test(.requiresCorpus()) func treesOfTheW3C() throws {
    let name = "wpt-webvtt/expected/cue_text_trees.json"
    let groups = try CorpusJSON.load(name).members
    var count = 0
    for (group, cases) in groups {
        for item in cases.elements {
            guard let text = item["text"]?.string, let expected = item["expectedTree"]?.string
            else { continue }
            // The file parser's share: NUL becomes U+FFFD, an empty line ends the cue.
            var bytes = Array(text.replacing("\0", with: "\u{FFFD}").utf8)
            if let end = bytes.indices.dropLast().first(where: {
                bytes[$0] == 0x0A && bytes[$0 + 1] == 0x0A
            }) {
                bytes.removeSubrange(end...)
            }
            while bytes.last == 0x0A { bytes.removeLast() }
            #expect(domDump(WebVTTCueText(bytes).nodes) == expected, "\(group): \(text)")
            count += 1
        }
    }
    #expect(count == 77)
}
