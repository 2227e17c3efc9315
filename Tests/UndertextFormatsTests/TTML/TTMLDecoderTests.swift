import Testing
import UndertextCore
import UndertextFormats

struct TTMLDecoderTests {
    // MARK: Timing

    @Test(arguments: [
        // Nested offsets, and children cut by their parents.
        ("<div begin=\"10s\" dur=\"5s\"><p begin=\"1s\" end=\"9s\">a</p></div>", ["11000-15000 a"]),
        (
            "<div timeContainer=\"seq\"><p dur=\"1s\">a</p><p begin=\"1s\" dur=\"2s\">b</p></div>",
            ["0-1000 a", "2000-4000 b"]
        ),
        // The shorter of both counts; what ends before it begins is never shown.
        (
            "<div><p begin=\"1s\" dur=\"2s\" end=\"2s\">a</p><p begin=\"3s\" end=\"2s\">b</p></div>",
            ["1000-2000 a"]
        ),
        // Text that nothing ends in a sequence keeps what follows away; it lasts while the document does.
        (
            "<div timeContainer=\"seq\"><p>a</p><p dur=\"1s\">b</p></div><div end=\"7s\"/>",
            ["0-10000 a"]
        ),
        (
            "<div><p begin=\"2s\">a</p><p begin=\"1s\" end=\"8s\">b</p></div>",
            ["1000-8000 b", "2000-8000 a"]
        ),
        // A paragraph is cut where its spans change, and not where others do.
        (
            "<div><p begin=\"0s\" end=\"4s\">a<span begin=\"1s\" end=\"2s\"> b</span></p>"
                + "<p begin=\"1s\" end=\"3s\">c</p></div>",
            ["0-1000 a", "1000-2000 a b", "1000-3000 c", "2000-4000 a"]
        ),
        (
            "<div><p end=\"4s\">a<set begin=\"1s\" dur=\"1s\" tts:display=\"none\"/></p></div>",
            ["0-1000 a", "2000-4000 a"]
        ),
        // Invisible changes do not split cues.
        (
            "<div><p end=\"4s\">a<set begin=\"1s\" dur=\"1s\" tts:color=\"white\"/></p></div>",
            ["0-4000 a"]
        ),
        (
            "<div><set begin=\"1s\" end=\"2s\" tts:visibility=\"hidden\"/><p end=\"4s\">a</p></div>",
            ["0-1000 a", "2000-4000 a"]
        ),
        // The sequence of a paragraph itself; its own text lasts no time.
        (
            "<div><p timeContainer=\"seq\" end=\"5s\"><span dur=\"1s\">a</span>x<span dur=\"1s\">b</span></p></div>",
            ["0-1000 a", "1000-2000 b"]
        ),
        (
            "<div><p begin=\"99999999999999s\">a</p><p end=\"1s\">b</p></div>",
            ["0-1000 b"]
        ),
    ])
    func timing(_ body: String, _ expected: [String]) {
        #expect(decoded(ttml(body)).cues.map(line) == expected)
    }

    @Test func endSources() {
        let cues = decoded(
            ttml(
                "<div><p begin=\"1s\">a</p><p begin=\"2s\" end=\"5s\">b</p><p begin=\"5s\">c</p></div>"
            )
        ).cues
        #expect(cues.map(\.endSource) == [.endOfStream, .explicit, .clamped])
        #expect(cues.map(line) == ["1000-5000 a", "2000-5000 b", "5000-15000 c"])
    }

    // MARK: Styles

    /// Styles of a document: `a` refers to `b`, which refers to `c`.
    private static let sheet = """
        <styling>
          <style xml:id="a" style="b" tts:color="red"/>
          <style xml:id="b" style="c" tts:color="lime" tts:fontStyle="italic"/>
          <style xml:id="c" tts:color="blue" tts:fontWeight="bold" tts:textDecoration="underline"/>
          <style xml:id="x" style="y" tts:fontWeight="bold"/>
          <style xml:id="y" style="x nobody" tts:fontStyle="italic"/>
          <style xml:id="self" style="self" tts:color="#00ff0080"/>
        </styling>
        <layout><region xml:id="r" tts:color="yellow"><style tts:fontStyle="italic"/></region></layout>
        """

    @Test(arguments: [
        ("<p style=\"a\">t</p>", "t[i b u color=ff0000ff]"),
        ("<p style=\"a c\">t</p>", "t[i b u color=0000ffff]"),
        ("<p style=\"c a\">t</p>", "t[i b u color=ff0000ff]"),
        ("<p style=\"a\" tts:color=\"white\" tts:fontWeight=\"normal\">t</p>", "t[i u]"),
        ("<p style=\"x\">t</p>", "t[i b]"), ("<p style=\"y\">t</p>", "t[i]"),
        ("<p style=\"self\">t</p>", "t[color=00ff0080]"),
        (
            "<p tts:textDecoration=\"underline lineThrough\">a<span tts:textDecoration=\"noUnderline\">b</span></p>",
            "a[u s]|b[s]"
        ),
        (
            "<p tts:color=\"red\">a <span tts:color=\"rgba(0,0,255,128)\">b</span> c</p>",
            "a [color=ff0000ff]|b[color=0000ff80]| c[color=ff0000ff]"
        ),
        (
            "<p tts:backgroundColor=\"black\">a<span tts:backgroundColor=\"transparent\">b</span>"
                + "<span tts:backgroundColor=\"#102030\">c</span></p>",
            "ab[background=000000ff]|c[background=102030ff]"
        ),
        (
            "<p tts:fontSize=\"150%\">a<span tts:fontSize=\"50%\">b</span><span tts:fontSize=\"1c\">c</span></p>",
            "a[size=ofHeight(11250)]|b[size=ofHeight(5625)]|c"
        ),
        (
            "<p tts:fontSize=\"5rh\" tts:fontFamily=\"'Noto Sans', default\">a</p>",
            "a[font=Noto Sans size=ofHeight(5625)]"
        ),
        (
            "<p tts:fontFamily=\"proportionalSansSerif\">a<span tts:fontFamily=\"monospaceSerif\">b</span></p>",
            "a|b[font=monospace]"
        ),
        (
            "<p tts:opacity=\"0.5\">a<span tts:opacity=\"0.5\" tts:color=\"red\">b</span></p>",
            "a[color=ffffff80]|b[color=ff000040]"
        ),
        ("<p xml:lang=\"fr\">a<span xml:lang=\"en\">b</span></p>", "a[lang=fr]|b"),
        ("<p ttm:agent=\"who\">a</p>", "a[voice=Ann B]"),
        (
            "<p tts:color=\"purpel\" tts:fontStyle=\"x\" textAlign=\"left\" color=\"red\">a</p>",
            "a[color=ff0000ff]"
        ),
        (
            "<p>a<span tts:visibility=\"hidden\">b</span><span tts:display=\"none\">c</span>d</p>",
            "ad"
        ),
    ])
    func styles(_ paragraph: String, _ expected: String) {
        let agents =
            "<metadata><ttm:agent xml:id=\"who\" type=\"person\"><ttm:name type=\"full\">Ann\n B</ttm:name></ttm:agent></metadata>"
        let cues = decoded(ttml("<div>\(paragraph)</div>", head: agents + Self.sheet)).cues
        #expect(cues.map { look(styledText($0)) } == [expected])
    }

    @Test func inheritanceFromRegionAndContainers() {
        let body = """
            <div region="r" tts:fontWeight="bold"><p end="1s">a</p></div>
            <div><p region="r" end="1s" tts:color="white">b</p></div>
            """
        let cues = decoded(ttml(body, head: Self.sheet)).cues
        #expect(
            cues.map { look(styledText($0)) } == ["a[i b color=ffff00ff]", "b[i]"])
    }

    @Test func loopsAndMissingStylesAreReported() {
        let result = decoded(ttml("<div><p style=\"x nobody\">a</p></div>", head: Self.sheet))
        #expect(Set(result.codes) == ["style-loop", "unknown-style"])
    }

    @Test func initialValues() {
        let head =
            "<styling><initial tts:color=\"yellow\" tts:fontStyle=\"italic\"/></styling>"
        let cues = decoded(ttml("<div><p tts:fontStyle=\"normal\">a</p></div>", head: head)).cues
        #expect(cues.map { look(styledText($0)) } == ["a[color=ffff00ff]"])
    }

    // MARK: White space

    @Test(arguments: [
        ("<p> a\n   b </p>", "a b"), ("<p>a <span> b</span> </p>", "a b"),
        ("<p>a<br/> b <br/>c</p>", "a\nb\nc"),
        ("<p xml:space=\"preserve\"> a\n  b </p>", " a\n  b "),
        ("<p>a <span xml:space=\"preserve\">  b </span> c</p>", "a   b  c"),
        ("<p><span>a</span> <span>b</span></p>", "a b"), ("<p>a<span> </span>b</p>", "a b"),
        ("<p>a<metadata>x</metadata><foreign xmlns=\"urn:x\">y<p>z</p></foreign>b</p>", "ab"),
        ("<p>&#x1F352;&amp;&lt;</p>", "🍒&<"),
    ])
    func whiteSpace(_ paragraph: String, _ expected: String) {
        #expect(decoded(ttml("<div>\(paragraph)</div>")).cues.map(\.plainText) == [expected])
    }

    @Test func nothingToSeeIsNoCue() {
        let body = """
            <div><p end="1s"> <br/> </p><p end="1s"/><p end="1s" tts:visibility="hidden">a</p>
            <p end="1s" tts:opacity="0">b</p><p end="1s"><span tts:display="none">c</span></p></div>
            """
        #expect(decoded(ttml(body)).cues.isEmpty)
        #expect(IntermediateSynchronicDocument.all(of: ttml(body)).map(\.isEmpty) == [false, true])
    }

    // MARK: Ruby

    @Test(arguments: [
        (
            "<span tts:ruby=\"container\"><span tts:ruby=\"base\">漢</span><span tts:ruby=\"text\">kan</span></span>",
            "x|漢[ruby=kan]|y"
        ),
        (
            "<span tts:ruby=\"container\"><span tts:ruby=\"base\">漢</span><span tts:ruby=\"delimiter\">(</span>"
                + "<span tts:ruby=\"text\">kan</span><span tts:ruby=\"delimiter\">)</span></span>",
            "x|漢[ruby=kan]|y"
        ),
        (
            "<span tts:ruby=\"container\"><span tts:ruby=\"baseContainer\"><span tts:ruby=\"base\">漢</span>"
                + "<span tts:ruby=\"base\" tts:fontStyle=\"italic\">字</span></span><span tts:ruby=\"textContainer\">"
                + "<span tts:ruby=\"text\">kan</span><span tts:ruby=\"text\">ji</span><span tts:ruby=\"text\">!</span>"
                + "</span><span tts:ruby=\"textContainer\"><span tts:ruby=\"text\">below</span></span></span>",
            "x|漢[ruby=kan]|字[i ruby=ji!]|y"
        ),
        ("<span tts:ruby=\"container\"><span tts:ruby=\"text\">kan</span></span>", "xy"),
        ("<span tts:ruby=\"text\">kan</span>", "xy"),
    ])
    func ruby(_ span: String, _ expected: String) {
        let cues = decoded(ttml("<div><p>x\(span)y</p></div>")).cues
        #expect(cues.map { look(styledText($0)) } == [expected])
    }

    // MARK: Forced

    @Test func forcedDisplay() {
        let body = """
            <div><p end="1s" itts:forcedDisplay="true">a</p><p end="1s">b<span itts:forcedDisplay="true">c</span></p>
            <p end="1s">d</p><p end="1s" itts:forcedDisplay="true"><span itts:forcedDisplay="false">e</span></p></div>
            """
        let cues = decoded(ttml(body)).cues
        #expect(cues.map { $0.plainText ?? "" } == ["a", "b", "c", "d", "e"])
        #expect(cues.map(\.isForced) == [true, false, true, false, false])
    }

    // MARK: Identifiers and namespaces

    @Test func identifiersOncePerParagraph() {
        let body =
            "<div><p xml:id=\"n\" end=\"2s\">a<span begin=\"1s\">b</span></p></div>"
        #expect(decoded(ttml(body)).cues.map(\.identifier) == ["n", ""])
    }

    @Test(arguments: [
        "<tt><body><div><p end='1s' tts:color='red'>a</p></div></body></tt>",
        "<tt xmlns='http://www.w3.org/2006/10/ttaf1' xmlns:s='http://www.w3.org/2006/10/ttaf1#style'>"
            + "<body><div><p end='1s' s:color='red'>a</p></div></body></tt>",
        "<t:tt xmlns:t='http://www.w3.org/2006/04/ttaf1' xmlns:s='http://www.w3.org/2006/04/ttaf1#styling'>"
            + "<t:body><t:div><t:p end='1s' s:color='red'>a</t:p></t:div></t:body></t:tt>",
    ])
    func drafts_andMissingNamespaces(_ document: String) {
        let cues = decoded(Array(document.utf8)).cues
        #expect(cues.map(line) == ["0-1000 a"])
        #expect(cues.map { look(styledText($0)) } == ["a[color=ff0000ff]"])
    }
}
