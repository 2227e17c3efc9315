import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private func parse(_ text: String) -> SubRipText { SubRipText(Array(text.utf8)) }

@Test(
    arguments: [
        ("plain", "plain"),
        ("<i>a</i> b", "a[i]| b"),
        ("<I>a</I><B>b</b>", "a[i]|b[b]"),
        ("<b><i>x</b>y</i>z", "x[i b]|y[i]|z"),
        ("<u>never closed", "never closed[u]"),
        ("</i>stray", "stray"),
        ("<s>a</s><strike>b</strike><em>c</em><strong>d</strong>", "ab[s]|c[i]|d[b]"),
        ("I <3 you, a<b and b>c", "I <3 you, a<b and b>c"),
        ("<b class=\"x\" id='y'>a</b>b", "a[b]|b"),
        ("<x> <foo bar> <!-- --> <>", "<x> <foo bar> <!-- --> <>"),
        ("<bad>", "<bad>"),
        ("tail <i", "tail <i"),
        ("<i >a</i >b", "a[i]|b"),
        ("one<br>two<BR/>three<br />", "one\ntwo\nthree\n"),
        ("<font color=\"#FF0000\">r</font>", "r[color=ff0000ff]"),
        ("<font color=#f00>r</font>", "r[color=ff0000ff]"),
        (
            "<font color=lime size=24 face='Open Sans'>x</font>",
            "x[color=00ff00ff font=Open Sans size=pixels(24)]"
        ),
        ("<FONT COLOR = \"blue\" >x</FONT>", "x[color=0000ffff]"),
        (
            "<font color=red>a<font size=10>b</font>c</font>d",
            "a[color=ff0000ff]|b[color=ff0000ff size=pixels(10)]|c[color=ff0000ff]|d"
        ),
        ("<font>x</font>", "x"),
        ("<font color=\"unclosed>x", "<font color=\"unclosed>x"),
        ("<font size=+2>x", "x"),
        ("<fontcolor=red>x", "<fontcolor=red>x"),
        ("{line} {", "{line} {"),
        ("{\\i1}a{\\i0}b{\\b1\\u1}c{\\r}d", "a[i]|b|c[b u]|d"),
        ("{\\c&H0000FF&}red{\\c}not", "red[color=ff0000ff]|not"),
        ("{\\s1}a{\\fnArial\\fs20}b", "a[s]|b[s font=Arial size=pixels(20)]"),
        ("This {\\xyz}and{\\ an 2}", "This and"),
        ("{\\an8 unclosed", "{\\an8 unclosed"),
        ("{ \\an2} is text", "{ \\an2} is text"),
        ("a\nb", "a\nb"),
    ] as [(String, String)])
func subRipText(text: String, expected: String) {
    #expect(dump(parse(text).text) == expected)
}

@Test(
    arguments: [
        ("{\\an1}x", "position:5.0%,auto align:start"), ("{\\an2}x", ""),
        ("{\\an3}x", "position:95.0%,auto align:end"),
        ("{\\an4}x", "line:50.0%,center position:5.0%,auto align:start"),
        ("{\\an5}x", "line:50.0%,center"),
        ("{\\an6}x", "line:50.0%,center position:95.0%,auto align:end"),
        ("{\\an7}x", "line:0.0,start position:5.0%,auto align:start"),
        ("{\\an8}x", "line:0.0,start"), ("{\\AN8}x", ""),
        ("{\\an9}x", "line:0.0,start position:95.0%,auto align:end"),
        ("{\\a6}x", "line:0.0,start"), ("{\\a10}x", "line:50.0%,center"), ("{\\a4}x", ""),
        ("{\\an0}x", ""), ("{\\an8}{\\an2}x", "line:0.0,start"),
        ("{\\pos(192,72)}x", "line:25.0%,end position:50.0%,center"),
        ("{\\an7\\pos(96,144)}x", "line:50.0%,start position:25.0%,lineLeft align:start"),
        ("{\\pos(-5,9000)}x", "line:100.0%,end position:0.0%,lineLeft"),
    ] as [(String, String)])
func subRipLayout(text: String, expected: String) {
    #expect(dump(parse(text).layout) == expected)
}

@Test func coordinatesFromSideData() {
    func layout(_ values: [Int32], text: String = "x") -> String? {
        var bytes: [UInt8] = []
        for value in values { bytes.appendBigEndian(value.byteSwapped) }
        var decoder = SubRipDecoder(stream: stream(.subRip))
        let events = decoder.decode(packet(text, sideData: [SideData(.subtitlePosition, bytes)]))
        return drafts(events).first.map { dump($0.layout) }
    }
    #expect(layout([0, 0, 720, 480]) == "line:50.0%,center position:50.0%,center")
    #expect(
        layout([72, 48, -1, -1]) == "line:10.0%,start position:10.0%,lineLeft align:start")
    #expect(layout([-1, -1, 5, 5]) == "")
    #expect(layout([1, 2, 3]) == "")
    #expect(
        layout([.max, .max, .max, .max])
            == "line:100.0%,start position:100.0%,lineRight align:start"
    )
    // The position in the text has priority.
    #expect(layout([0, 0, 720, 480], text: "{\\an8}x") == "line:0.0,start")
}

@Test func subRipKeepsItsSource() throws {
    var decoder = SubRipDecoder(stream: stream(.subRip))
    let draft = try #require(drafts(decoder.decode(packet("<i>a</i>\r\nb\n"))).first)
    #expect(draft.source == .subRip("<i>a</i>\nb"))
    #expect(draft.cue().plainText == "a\nb")
    #expect(decoder.decode(packet("<i></i>")).isEmpty)
    #expect(decoder.decode(packet("")).isEmpty)
}

@Test func hostileMarkupIsCheap() {
    let open = String(repeating: "<font color=\"", count: 4000)
    #expect(parse(open).text.plainText == open)
    let braces = String(repeating: "{\\", count: 10_000)
    #expect(parse(braces).text.plainText == braces)
    let nested = String(repeating: "<i><b>", count: 4000) + "x"
    #expect(dump(parse(nested).text) == "x[i b]")
}

@Test(.requiresCorpus("androidx-media/subrip/typical_with_tags")) func subRipTagsOfAndroidX() throws
{
    let path = try #require(corpusPath("androidx-media/subrip/typical_with_tags"))
    let file = try #require(fileText(path))
    let blocks = file.replacing("\r\n", with: "\n").split(separator: "\n\n")
    let texts = blocks.map { block in
        parse(block.split(separator: "\n").dropFirst(2).joined(separator: "\n"))
    }
    #expect(texts.count == 14)
    let plain = texts.prefix(5).map { text in
        text.text.plainText.split(separator: " ").joined(separator: " ")
    }
    #expect(
        plain == [
            "This is the first subtitle.",
            "This is the second subtitle.\nSecond subtitle with second line.",
            "This is the third subtitle.",
            "This { \\an2} is not a valid tag due to the space after the opening bracket.",
            "This is the fifth subtitle with multiple valid tags.",
        ])
    #expect(texts.dropFirst(5).compactMap(\.alignment?.rawValue) == Array(1...9))
}
