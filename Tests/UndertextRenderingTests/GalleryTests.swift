import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// One image of each kind of subtitle; `UNDERTEXT_PICTURES` names a folder to keep them in.
@Suite struct GalleryTests {
    private func draw(
        _ name: String, _ content: OverlayContent, at time: Timestamp = .seconds(2),
        second: OverlayContent? = nil, style: SubtitleStyle = SubtitleStyle()
    ) throws -> Overlay {
        let renderer = try OverlayRenderer(
            content, second: second,
            geometry: OverlayGeometry(video: PixelSize(width: 1280, height: 720)), style: style)
        let overlay = try renderer.overlay(at: time)
        try overlay.keep(as: name)
        #expect(!overlay.isEmpty)
        return overlay
    }

    @Test func subRip() throws {
        let text = """
            1
            00:00:01,000 --> 00:00:03,000
            Plain, <i>slanted</i>, <b>heavy</b>, <u>underlined</u>
            <font color="#ffcc00">in yellow</font> and <font face="DejaVu Serif" size="40">in serifs</font>

            2
            00:00:01,500 --> 00:00:03,000
            {\\an8}At the top

            """
        let overlay = try draw("subrip", content(text, .subRip))
        #expect(overlay.ink.y < 60 && overlay.ink.y + overlay.ink.height > 640)
    }

    @Test func webVTT() throws {
        let text = """
            WEBVTT

            STYLE
            ::cue(.loud){color:#ff8000;background-color:#000080}

            REGION
            id:left
            width:40%
            lines:3
            regionanchor:0%,100%
            viewportanchor:5%,60%

            00:01.000 --> 00:03.000 line:0 align:left
            line 0, left

            00:01.000 --> 00:03.000 line:20% position:90% align:right size:30%
            at 20 %, right, in a narrow box

            00:01.000 --> 00:03.000 line:50%,center position:50%
            in the middle, <c.loud>loud</c>

            00:01.000 --> 00:03.000 region:left align:left
            in a region of three lines

            00:01.000 --> 00:03.000 vertical:rl line:0 align:left
            日本語 vertical

            00:01.000 --> 00:03.000
            <c.yellow.bg_blue>yellow on blue</c> <ruby>base<rt>ruby</rt></ruby>

            """
        _ = try draw("webvtt", content(text, .webVTT))
    }

    @Test func scripts() throws {
        let overlay = try draw("ass", content(sampleScript, .ass), at: .milliseconds(2600))
        #expect(overlay.isAnimated)
        var style = SubtitleStyle()
        style.foreground = RGBA(rawValue: 0xFFFF_00FF)
        style.typeface = "DejaVu Serif"
        _ = try draw(
            "ass-styled", content(sampleScript, .ass), at: .milliseconds(2600), style: style)
    }

    @Test func ttml() throws {
        let text = """
            <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="ja">
            <head><layout>
            <region xml:id="top" tts:origin="10% 10%" tts:extent="80% 10%" tts:textAlign="center"/>
            <region xml:id="free" tts:origin="20% 30%" tts:extent="40% 30%" tts:textAlign="left"/>
            <region xml:id="low" tts:origin="10% 80%" tts:extent="80% 15%" tts:displayAlign="after" tts:textAlign="center"/>
            </layout></head><body><div>
            <p begin="1s" end="4s" region="top" tts:color="#80ff80">at the top<br/>of two lines</p>
            <p begin="1s" end="4s" region="free"><span tts:ruby="container"><span tts:ruby="base">base</span><span
             tts:ruby="text">ruby</span></span> text in a region of its own that is broken for its width</p>
            <p begin="1s" end="4s" region="low"><span tts:backgroundColor="black">on black</span> and <span
             tts:backgroundColor="#8000ff80" tts:color="yellow">on violet</span></p>
            </div></body></tt>
            """
        _ = try draw("ttml", content(text, .ttml))
    }

    @Test func twoLanguages() throws {
        let overlay = try draw(
            "dual", OverlayContent(cues: [textCue("The main subtitles\nin two lines")]),
            second: OverlayContent(cues: [textCue("Die anderen Untertitel")]))
        #expect(overlay.ink.height > 500)
    }

    @Test(arguments: SubtitleStyle.Edge.allCases) func edges(_ edge: SubtitleStyle.Edge) throws {
        var style = SubtitleStyle()
        style.edge = edge
        style.foreground = RGBA(rawValue: 0xD0D0_D0FF)
        style.window = RGBA(rawValue: 0x2040_80C0)
        style.scale = 2
        style.isBold = true
        _ = try draw(
            "style-\(edge.rawValue)",
            OverlayContent(cues: [textCue("Edges: \(edge.rawValue)\nlong line below")]),
            style: style)
    }
}
