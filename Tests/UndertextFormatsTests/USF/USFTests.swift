import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

private let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE USFSubtitles SYSTEM "USFV100.dtd">
    <USFSubtitles version="1.0"><metadata><title>x</title></metadata><styles>
    <style name="Default"><fontstyle face="Arial" size="24" color="#FFFFFF" weight="normal"/>
      <position alignment="BottomCenter" vertical-margin="20px"/></style>
    <style name="Sign"><fontstyle color="#FFFF00" italic="yes" weight="bold" underline="no"/>
      <position alignment="TopRight" vertical-margin="30%" horizontal-margin="10%"/></style>
    </styles><subtitles>
    """

private func decode(_ text: String, header: String = header) -> ([String], [String]) {
    var decoder = USFDecoder(stream: stream(.usf, header: Array(header.utf8)))
    let found = drafts(decoder.decode(packet(text))).map { draft in
        let layout = dump(draft.layout)
        return dump(styledText(draft.cue())) + (layout.isEmpty ? "" : " @ " + layout)
    }
    return (found, decoder.diagnostics.take().map(\.code))
}

private func cues(_ text: String) -> [String] { decode(text).0 }

@Suite struct USFTests {
    @Test func text() {
        #expect(
            cues("<text>\n  Hello <b>big</b>\n world<br/> and <i>so</i>.\n</text>")
                == ["Hello |big[b]| world\nand |so[i]|."])
        #expect(cues("just &amp; text") == ["just & text"])
        #expect(
            cues("<text>one</text><text alignment=\"TopLeft\">two</text>")
                == ["one", "two @ line:0.0,start position:5.0%,auto align:start"])
        #expect(cues("<text></text>") == [] && cues("") == [])
    }

    @Test func styles() {
        #expect(
            cues("<text style=\"Sign\">a<font color=\"#FF0000\" size=\"30\">b</font></text>c")
                == [
                    "a[i b color=ffff00ff]|b[i b color=ff0000ff size=pixels(30)]"
                        + " @ line:30.0%,start position:90.0%,auto align:end", "c",
                ])
        #expect(
            cues("<text style=\"None\" speaker=\"Ann\" alignment=\"MiddleCenter\">a</text>")
                == ["a[voice=Ann] @ line:50.0%,center"])
        #expect(decode("<text style=\"Sign\">a</text>", header: "").0 == ["a"])
    }

    @Test func karaoke() {
        #expect(
            cues("<karaoke><k t=\"500\"/>la<k t=\"250\"/>li<k t=\"x\"/>lu</karaoke>")
                == ["la|li[at=10.5]|lu[at=10.75]"])
    }

    @Test func droppedContent() {
        let (found, codes) = decode(
            "<comment>no</comment><image x=\"1\">a.png</image><text>a</text>")
        #expect(found == ["a"] && codes == ["ignored-image"])
    }

    @Test func damageIsReported() {
        let (found, codes) = decode("<text>a</text><text>b<i></text>")
        #expect(found == ["a", "b"] && codes == ["malformed-xml"])
        #expect(decode("<!DOCTYPE x [<!ENTITY e \"1\">]><text>&e;</text>").1.count == 1)
        // A declaration with its own entities is not read, and neither are the styles after it.
        let bomb =
            "<!DOCTYPE x [<!ENTITY e \"1\">]><x><style name=\"Sign\"><fontstyle italic=\"yes\"/></style></x>"
        #expect(decode("<text style=\"Sign\">a</text>", header: bomb).0 == ["a"])
    }

    @Test func nesting() {
        let deep =
            String(repeating: "<b>", count: 200) + "x" + String(repeating: "</b>", count: 200)
        #expect(cues("<text>" + deep + "y</text>") == ["x[b]|y"])
        #expect(decode(String(repeating: "<b>", count: 5000)).1 == ["xml-too-deep"])
    }

    /// A value of the header is repeated in every cue.
    @Test func namesAreBounded() {
        let long = String(repeating: "x", count: 300)
        let own = decode("<text><font face=\"\(long)\">a</font><font face=\"F\">b</font></text>").0
        #expect(own == ["a|b[font=F]"])
        let styles = "<s><style name=\"S\"><fontstyle face=\"\(long)\" italic=\"yes\"/></style></s>"
        #expect(decode("<text style=\"S\">a</text>", header: styles).0 == ["a[i]"])
    }

    @Test func manyTexts() {
        let (found, codes) = decode(String(repeating: "<text>a</text>", count: 70))
        #expect(found.count == 64 && codes == ["too-many-texts"])
        let fonts = (0..<3000).map { "<style name=\"S\($0)\"><fontstyle face=\"F\($0)\"/></style>" }
        let loop = "<style name=\"Default\"><style name=\"Default\"/></style>"
        let header = "<s>" + loop + fonts.joined() + "</s>"
        #expect(USFStyles(Array(header.utf8)).byName.count == 1000)
        let attributes = (0..<5000).map { " a\($0)=\"\($0)\"" }.joined()
        #expect(cues("<text\(attributes) speaker=\"Ann\">a</text>") == ["a[voice=Ann]"])
    }

    @Test func damage() {
        let text = Array(
            "<text style=\"Sign\" alignment=\"TopLeft\">a<b>b</b><br/><k t=\"1\"/>é</text>".utf8)
        for bytes in Array(truncations(of: text)) + Array(bitFlips(of: text, count: 2000)) {
            var decoder = USFDecoder(stream: stream(.usf, header: Array(header.utf8)))
            for draft in drafts(decoder.decode(packet(bytes))) {
                #expect((draft.cue().plainText?.utf8.count ?? 0) <= bytes.count * 3)
            }
        }
        let styles = Array(header.utf8)
        for bytes in Array(truncations(of: styles)) + Array(bitFlips(of: styles, count: 1000)) {
            #expect(USFStyles(bytes).byName.count <= 10)
        }
    }
}
