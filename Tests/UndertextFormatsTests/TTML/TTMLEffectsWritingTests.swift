import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Outlines, shadows and lines of TTML in every format that cues are written to.
struct TTMLEffectsWritingTests {
    private let document = readTTML(
        Array(
            """
            <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="en"
             xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:profile="http://www.w3.org/ns/ttml/profile/imsc1/text">
            <head><layout>
            <region xml:id="r" tts:origin="20% 60%" tts:extent="60% 30%" tts:displayAlign="after" tts:textAlign="center"
             tts:backgroundColor="#000080" tts:showBackground="whenActive"/>
            <region xml:id="s" tts:origin="20% 10%" tts:extent="60% 30%" tts:textAlign="center"/>
            </layout></head><body><div tts:fontSize="10rh">
            <p begin="1s" end="2s" region="s" tts:textOutline="red 0.5rh">outlined</p>
            <p begin="2s" end="3s" region="s" tts:textShadow="0.5rh 1rh #0000FF80">plain <span
             tts:textShadow="none">shadow</span></p>
            <p begin="3s" end="4s" region="s" tts:lineHeight="20rh" tts:wrapOption="noWrap">one<br/>two</p>
            <p begin="4s" end="5s" region="r">area</p>
            </div></body></tt>
            """.utf8))

    private func lines(_ text: String, with part: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.contains(part) }
    }

    @Test func toTTMLAndBack() {
        let again = checkedTTML(document)
        #expect(again.cues.map(\.content) == document.cues.map(\.content))
        #expect(again.cues.map(\.layout) == document.cues.map(\.layout))
        let file = String(decoding: writtenTTML(document), as: UTF8.self)
        #expect(file.contains("tts:backgroundColor=\"#000080\" tts:showBackground=\"whenActive\""))
    }

    /// IMSC 1.1, section 8.4: what is thicker or blurred is not allowed.
    @Test func outlinesThatTheProfileForbids() {
        var style = TextStyle()
        style.fontSize = .ofHeight(9000)
        style.outline = TextOutline(color: .black, width: 5000, blur: 100)
        let cue = Cue(
            start: .seconds(1), end: .seconds(2),
            content: .text(StyledText(runs: [TextRun("a", style: style)])))
        var writer = TTMLWriter()
        let file = text(&writer, [cue])
        #expect(file.contains("tts:textOutline=\"#000000 0.8rh\""))
        #expect(writer.losses.entries.map(\.kind) == [.style])
    }

    @Test func toScripts() {
        var writer = ASSWriter(.ass, header: document.header)
        let events = lines(text(&writer, document.cues), with: "Dialogue:").map {
            $0.split(separator: ",", maxSplits: 9).last ?? ""
        }
        #expect(events[0].contains("\\bord5.4\\3c&H0000FF&\\3a&H00&}outlined"))
        #expect(events[1].contains("\\xshad5.4\\yshad10.8\\4c&HFF0000&\\4a&H7F&}plain "))
        #expect(events[1].hasSuffix("{\\shad\\4c\\4a}shadow"))
        #expect(events[2].contains("\\q2"))
        #expect(events[3].hasSuffix("area"))
        // The distance of lines, and the region's area around the letters.
        #expect(writer.losses.entries.map(\.kind) == [.style, .region])
    }

    @Test func toWebVTT() {
        var writer = WebVTTWriter(header: document.header)
        let file = text(&writer, document.cues)
        let outline = [
            "0.05em 0", "-0.05em 0", "0 0.05em", "0 -0.05em", "0.035em 0.035em",
            "-0.035em 0.035em", "0.035em -0.035em", "-0.035em -0.035em",
        ].map { $0 + " #FF0000" }.joined(separator: ",")
        #expect(
            lines(file, with: "::cue").suffix(4) == [
                "::cue(.outline_50_0_FF0000){text-shadow:\(outline)}",
                "::cue(.shadow_50_100_0_0000FF80){text-shadow:0.05em 0.1em rgba(0,0,255,0.502)}",
                "::cue(.lineheight_2000){line-height:2}",
                "::cue(.nowrap){white-space:pre}",
            ])
        #expect(file.contains("<c.outline_50_0_FF0000>outlined</c>"))
        #expect(file.contains("<c.shadow_50_100_0_0000FF80>plain </c>shadow"))
        #expect(file.contains("<c.lineheight_2000.nowrap>one\ntwo</c>"))
        #expect(!writer.losses.entries.contains { $0.kind == .style })
        #expect(writer.losses.entries.contains { $0.kind == .region })
    }

    /// Without rules, which must precede the first cue, there are none of these.
    @Test func toWebVTTAtOnce() {
        var writer = WebVTTWriter(header: document.header, streaming: true)
        let file = text(&writer, document.cues)
        #expect(!file.contains("outline_") && !file.contains("shadow_") && !file.contains("nowrap"))
        #expect(writer.losses.entries.first { $0.kind == .style }?.count == 3)
    }

    @Test func toSubRip() {
        var writer = SubRipWriter(header: document.header)
        _ = text(&writer, document.cues)
        #expect(writer.losses.entries.first { $0.kind == .style }?.count == 3)
        #expect(writer.losses.entries.first { $0.kind == .region }?.count == 1)
    }

    /// Text whose lines are as far apart as players have them loses nothing.
    @Test func usualLines() {
        var style = TextStyle()
        style.fontSize = .ofHeight(9000)
        style.lineHeight = 10_000
        let cue = Cue(
            start: .seconds(1), end: .seconds(2),
            content: .text(StyledText(runs: [TextRun("a", style: style)])))
        var writer = SubRipWriter()
        _ = text(&writer, [cue])
        #expect(writer.losses.entries.map(\.kind) == [.size])
    }
}
