import TestSupport
import Testing

private func rules(_ text: String, allowsMetadata: Bool = false) -> [String] {
    WebVTTValidator.faults(in: Array(text.utf8), allowsMetadata: allowsMetadata).map(\.rule)
}

/// The rules that a cue with this text breaks.
private func textRules(_ text: String) -> [String] {
    rules("WEBVTT\n\n00:01.000 --> 00:05.000\n\(text)\n")
}

/// The rules that a cue with these settings breaks; there is a region `r`.
private func settingRules(_ settings: String) -> [String] {
    rules("WEBVTT\n\nREGION\nid:r\n\n00:01.000 --> 00:05.000 \(settings)\na\n")
}

@Suite struct WebVTTValidatorTests {
    @Test func conformingFiles() {
        let file = """
            \u{FEFF}WEBVTT\ta title

            STYLE
            ::cue(.a::before) { content: "}"; /* } */ }

            NOTE

            NOTE a
            comment

            REGION \t
            id:r width:40.5% lines:3
            regionanchor:0%,100% viewportanchor:10%,90%
            scroll:up


            id STYLE
            00:00.000\t-->  100:00:05.000 \tregion:r align:left line:-1,end position:0%,line-left
            <v.a.b Ann &amp; B>text</v> <i>i<b>b
            <00:01.000>x</b></i> &lt;&#x41;&#65;&nbsp;&eacute; > -- > <c></c>
            <ruby>a<rt>b</rt>c<rt>d</ruby><lang en-GB>l</lang>

            NOTE
            00:00.000 -- > 00:01.000

            00:00.000 --> 00:01.000 size:100% vertical:rl line:100% position:50%
            <v Bob>until the end

            00:00.000 --> 00:01.000

            """
        for end in ["\n", "\r\n", "\r"] { #expect(rules(file.replacing("\n", with: end)) == []) }
        #expect(rules("WEBVTT\n\n") == [])
    }

    @Test(arguments: [
        ("", "signature"), ("WEBVTT", "line-end header"), ("WEBVTT\n", "header"),
        ("WEBVTTx\n\n", "signature"), (" WEBVTT\n\n", "signature"), ("webvtt\n\n", "signature"),
        ("WEBVTT a --> b\n\n", "signature"), ("WEBVTT\nkey: value\n\n", "header"),
        ("WEBVTT\n00:01.000 --> 00:02.000\na\n\n", "header header"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\na", "line-end"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\na\0\n", "nul"),
        ("WEBVTT\n\nstray\n", "stray-block"), ("WEBVTT\n\nNOTEx\n", "stray-block"),
        ("WEBVTT\n\nSTYLE x\na{}\n", "stray-block"), ("WEBVTT\n\nREGIONS\n", "stray-block"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nSTYLE\na{}\n", "placement"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nREGION\nid:a\n", "placement"),
        ("WEBVTT\n\nSTYLE\na{\n", "style"), ("WEBVTT\n\nSTYLE\na)\n", "style"),
        ("WEBVTT\n\nSTYLE\na{}/*\n", "style"), ("WEBVTT\n\nSTYLE\na{'\n'}\n", "style"),
        ("WEBVTT\n\nSTYLE\na{}\nx-->\n", "style"), ("WEBVTT\n\nNOTE a\nb\nc --> d\n", "comment"),
        ("WEBVTT\n\nREGION\nid:a id:b\n", "region"), ("WEBVTT\n\nREGION\nwidth:101%\n", "region"),
        ("WEBVTT\n\nREGION\nwidth:40\n", "region"), ("WEBVTT\n\nREGION\nlines:1.5\n", "region"),
        ("WEBVTT\n\nREGION\nregionanchor:1%\n", "region"),
        ("WEBVTT\n\nREGION\nviewportanchor:1%,x\n", "region"),
        ("WEBVTT\n\nREGION\nscroll:down\n", "region"), ("WEBVTT\n\nREGION\nid=a\n", "region"),
        ("WEBVTT\n\nREGION\nfoo:1\n", "region"),
        ("WEBVTT\n\nREGION\nid:a\n\nREGION\nid:a\n", "region"),
        ("WEBVTT\n\na\n00:01.000 --> 00:02.000\n\na\n00:01.000 --> 00:02.000\n\n", "identifier"),
        ("WEBVTT\n\na-->b\n00:01.000 --> 00:02.000\n", "timing arrow"),
        ("WEBVTT\n\n00:01.000-->00:02.000\n\n", "timing"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000 -->\n\n", "timing"),
        ("WEBVTT\n\n00:01,000 --> 00:02.000\n\n", "timestamp"),
        ("WEBVTT\n\n00:01.00 --> 00:02.000\n\n", "timestamp"),
        ("WEBVTT\n\n0:00:01.000 --> 00:02.000\n\n", "timestamp"),
        ("WEBVTT\n\n00:60.000 --> 02:00.000\n\n", "timestamp"),
        ("WEBVTT\n\n60:00.000 --> 02:00:00.000\n\n", "timestamp"),
        ("WEBVTT\n\n00:01.000 --> 00:01.000\n\n", "order"),
        ("WEBVTT\n\n00:02.000 --> 00:01.000\n\n", "order"),
        ("WEBVTT\n\n00:02.000 --> 00:03.000\n\n00:01.000 --> 00:03.000\n\n", "order"),
        ("WEBVTT\n\n00:02.000 --> 00:03.000\na --> b\n", "arrow"),
    ])
    func faults(_ text: String, _ expected: String) {
        #expect(rules(text).joined(separator: " ") == expected)
    }

    @Test func notUTF8() {
        let bytes = Array("WEBVTT\n\n".utf8) + [0xFF]
        #expect(WebVTTValidator.faults(in: bytes).map(\.rule) == ["utf-8"])
        #expect(rules("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0\n\n", allowsMetadata: true) == [])
    }

    @Test(arguments: [
        "align:middle", "align:", ":start", "align", "line:1.5", "line:-", "line:-1%", "line:1,mid",
        "line:101%", "position:5", "position:5%,start", "position:5%,center,center", "size:5",
        "size:100.1%", "size:.5%", "vertical:tb", "region:x", "line:1 line:2", "foo:1", "Align:end",
    ])
    func settings(_ text: String) {
        #expect(settingRules(text) == ["setting"])
    }

    @Test(arguments: [
        ("a & b", "reference"), ("&foo;", "reference"), ("&amp", "reference"),
        ("&#0;", "reference"), ("&#xD800;", "reference"), ("&#x1F;", "reference"),
        ("a < b", "tag"), ("<x>a</x>", "tag tag"), ("<i>a", "tag"), ("a</i>", "tag"),
        ("<i><b>a</i></b>", "tag tag"), ("<>", "tag"), ("<i\n>a</i>", "tag tag"),
        ("<v>a</v>", "annotation"), ("<v  >a</v>", "annotation"), ("<i x>a</i>", "annotation"),
        ("<lang>a</lang>", "annotation"), ("<lang e_n>a</lang>", "annotation"),
        ("<v A>a", ""), ("<v A>a</v> b", ""), ("b<v A>a", "tag"), ("<v A>a</v><v B>b", "tag"),
        ("<rt>a</rt>", "tag"), ("<c.>a</c>", "class"), ("<c..a>a</c>", "class"),
        ("<c.a&b>a</c>", "class"), ("<v A & B>a</v>", "reference"), ("<v A<B>a</v>", "annotation"),
        ("<00:01.000>", "timestamp"), ("<00:05.000>", "timestamp"), ("<00:02.00>", "timestamp"),
        ("<00:03.000>a<00:02.000>", "timestamp"), ("<00:02.000>a<00:03.000>", ""),
    ])
    func cueText(_ text: String, _ expected: String) {
        #expect(textRules(text).joined(separator: " ") == expected)
    }

    @Test func lineNumbers() {
        let text = "WEBVTT\n\n00:01.000 --> 00:05.000\na\n<i>\nb & c</i>\n"
        #expect(
            WebVTTValidator.faults(in: Array(text.utf8)).map(\.description)
                == ["line 6: reference: & is not escaped"])
    }
}
