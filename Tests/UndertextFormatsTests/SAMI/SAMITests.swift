import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

private let sheet = """
    <!--
    P { font-family: Arial; font-size: 24pt; font-weight: normal; color: white;
        background-color: black; text-align: center; }
    .ENCC { Name: "English"; lang: en-US; SAMIType: CC; }
    .KRCC, .KOCC { Name: 한국어; lang: ko-KR; }
    #Source { color: orange; font-style: italic; /* p { */ }
    #Left { text-align: left; font-weight: 700; }
    .shout { text-decoration: underline; background-color: navy }
    -->
    """

private func runs(_ text: String) -> String {
    dump(SAMIText(Array(text.utf8), sheet: SAMIStyleSheet(Array(sheet.utf8)[...])).text)
}

@Suite struct SAMITests {
    @Test func whiteSpace() {
        #expect(runs("<P Class=ENCC>\n  ( clock\t ticking )\n </P>") == "( clock ticking )")
        #expect(
            runs("<p>\n  MAN:<br/>\n  When we think<br />\n of E equals m c-squared,\n</p>")
                == "MAN:\nWhen we think\nof E equals m c-squared,")
        #expect(runs("<P>a<br><br>b<br>") == "a\n\nb")
        #expect(runs("<P><br>a <b> b</b>c") == "a |b[b]|c")
        #expect(runs("a&nbsp;b") == "a\u{A0}b")
    }

    /// A value of a style sheet is read for every paragraph.
    @Test func valuesAreBounded() {
        let long = String(repeating: "x", count: 300)
        let sheet = SAMIStyleSheet(Array(".a { font-family: \(long); color: red }".utf8)[...])
        #expect(sheet.rule(".a")?.properties.keys.sorted() == ["color"])
    }

    @Test(arguments: ["<P>&nbsp;", "<P> \u{A0}<br>&#160;</P>", "<P><b></b>", ""])
    func nothing(text: String) { #expect(runs(text) == "") }

    @Test func tags() {
        #expect(
            runs("a<B>b<i>c</B>d</i>e<u>f</u><s>g</s><strike>h</strike><em>i</em>")
                == "a|b[b]|c[i b]|de|f[u]|gh[s]|i[i]")
        #expect(
            runs(
                "<FONT COLOR=red>a</FONT><font color='#00ff00' face=\"Comic Sans\" size=5>b</font>c"
            )
                == "a[color=ff0000ff]|b[color=00ff00ff font=Comic Sans size=percent(150)]|c")
        #expect(
            runs("<font size=+1>a</font><font size=40>b</font>")
                == "a[size=percent(113)]|b[size=pixels(40)]")
        #expect(
            runs("<span class=shout>a</span><span style='color:blue'>b</span>")
                == "a[u background=000080ff]|b[color=0000ffff]")
        #expect(
            runs("1 < 2 <3 <x>y</x> a<!-- no -->b<-- no > no -->c<unclosed")
                == "1 < 2 <3 y abc<unclosed")
        #expect(runs("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>x") == "漢[ruby=かん]|字[ruby=じ]|x")
    }

    @Test func references() {
        #expect(
            runs("&amp;&lt;&quot;&eacute;&#233;&#xE9;&#039;&copy &unknown;")
                == "&<\"ééé'© &unknown;")
    }

    @Test func looksOfParagraphs() {
        #expect(
            runs("<P Class=ENCC ID=Source>Ann:<P Class=ENCC>Hello.")
                == "Ann:[i color=ffa500ff]|\nHello.")
        #expect(runs("<P style=\"color:#0f0; font-weight:bold\">a") == "a[b color=00ff00ff]")
        #expect(runs("<P id=left>a") == "a[b]")
        var decoder = SAMIDecoder(stream: stream(.sami, header: Array(sheet.utf8)))
        let drafts = drafts(decoder.decode(packet("<P Class=ENCC ID=Left>a")))
        #expect(drafts.map { dump($0.layout) } == ["position:5.0%,auto align:start"])
        #expect(drafts.first?.end?.source == .nextEvent)
    }

    @Test func styleSheets() throws {
        let parsed = SAMIStyleSheet(Array(sheet.utf8)[...])
        #expect(
            parsed.rules.map(\.selector) == [
                "p", ".encc", ".krcc", ".kocc", "#source", "#left", ".shout",
            ])
        let english = try #require(parsed.rule(".encc"))
        #expect(english.isLanguage && english.properties["name"]?.text == "English")
        #expect(parsed.rule(".kocc")?.properties["lang"]?.text == "ko-KR")
        #expect(parsed.rule(".shout")?.isLanguage == false)
        #expect(SAMIStyleSheet(Array("a { b".utf8)[...]).rules.count == 1)
        #expect(SAMIStyleSheet(Array("a { b: c } }{ {".utf8)[...]).rules.count <= 2)
    }

    @Test func attributes() {
        func values(_ text: String) -> [String] {
            var tokens = SAMITokenizer(Array(text.utf8))
            guard case .start(let tag)? = tokens.next() else { return [] }
            return [tag.name] + tag.attributes.map { "\($0.name)=\($0.value.text)" }
        }
        #expect(values("<SYNC Start=100>") == ["sync", "start=100"])
        #expect(values("<Sync START = '100' end=\"2 0\">") == ["sync", "start=100", "end=2 0"])
        #expect(values("<a b='x>y' c>") == ["a", "b=x>y", "c="])
        #expect(values("<a b=\"x c=d>") == ["a", "b=x", "c=d"])
        #expect(values("<br/>") == ["br"])
        #expect(values("<p class=x/>") == ["p", "class=x"])
    }

    @Test func damage() {
        let text = Array(
            "<P ID=Source style='color:red'>a <font color=red size=+1>b<br>&eacute;<ruby>c<rt>d"
                .utf8)
        let css = Array(sheet.utf8)
        for bytes in Array(truncations(of: text)) + Array(bitFlips(of: text, count: 2000)) {
            let found = SAMIText(bytes, sheet: SAMIStyleSheet(css[...])).text
            #expect(found.plainText.utf8.count <= bytes.count * 3)
        }
        for bytes in Array(truncations(of: css)) + Array(bitFlips(of: css, count: 1000)) {
            #expect(SAMIStyleSheet(bytes[...]).rules.count <= bytes.count)
        }
    }
}
