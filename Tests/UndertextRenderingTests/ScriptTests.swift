import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// Scripts as their authors meant them, and as viewers want them.
@Suite struct ScriptTests {
    private let geometry = OverlayGeometry(video: PixelSize(width: 1280, height: 720))

    /// The image of ffmpeg's filter on black, for which libass reads the entire file.
    private func reference(_ script: String, frame: Int) -> [UInt8]? {
        let folder = TemporaryDirectory()
        folder.write(Array(script.utf8), to: "s.ass")
        let result = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=black:s=1280x720:r=10:d=6,format=rgb24,ass=s.ass,select=eq(n\\,\(frame))",
                "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
            ], directory: folder.path)
        return result.stdout.count == 1280 * 720 * 3 ? result.stdout : nil
    }

    @Test(.requires("ffmpeg"), arguments: [12, 20, 26, 38]) func equalsLibass(_ frame: Int) throws {
        let expected = try #require(reference(sampleScript, frame: frame))
        let renderer = try OverlayRenderer(content(sampleScript, .ass), geometry: geometry)
        let overlay = try renderer.overlay(at: .milliseconds(Int64(frame) * 100))
        var worst = 0
        var place = 0
        for index in stride(from: 0, to: overlay.pixels.count, by: 4) {
            for component in 0..<3 {
                let difference =
                    Int(overlay.pixels[index + component]) - Int(expected[place + component])
                worst = max(worst, difference.magnitude > 255 ? 255 : Int(difference.magnitude))
            }
            place += 3
        }
        // Some layers lie over each other, and each is rounded.
        #expect(worst <= 3)
        #expect(!overlay.isEmpty)
    }

    @Test func overridesDialogueOnly() throws {
        var style = SubtitleStyle()
        style.foreground = RGBA(rawValue: 0xFF80_00FF)
        style.typeface = "Serif"
        style.scale = 2
        style.isBold = true
        let header = Array(sampleScript.utf8)
        let override = try #require(ASSScriptOverride(script: header, style: style))
        let script = String(decoding: override.script, as: UTF8.self)
        #expect(script.contains("Style: Default (viewer),Serif,96,&H000080FF,&H000000FF,"))
        #expect(script.contains("Style: Default,DejaVu Sans,48,&H00FFFFFF"))
        func event(_ text: String, style: String = "Default") -> String {
            let line = "0,0,\(style),,0,0,0,,\(text)"
            return String(decoding: override.event(Array(line.utf8)), as: UTF8.self)
        }
        let copy = "0,0,Default (viewer),,0,0,0,,"
        #expect(event(#"{\c&HFF&\fnArial\b0\be2}x"#) == copy + #"{\be2}x"#)
        #expect(event(#"{\t(0,500,\c&HFF&\fs20)\i1}x"#) == copy + #"{\t(0,500,\fs40)\i1}x"#)
        #expect(event(#"{\rSign}x{\r}y"#) == copy + #"{\rSign (viewer)}x{\r}y"#)
        #expect(event("x", style: "*Sign") == "0,0,Sign (viewer),,0,0,0,,x")
        #expect(event("x", style: "None") == copy + "x")
        for sign in [
            #"{\pos(1,2)\c&HFF&}x"#, #"{\p1}m 0 0"#, #"{\frz3}x"#, #"{\t(\clip(1,2,3,4))}x"#,
        ] {
            #expect(event(sign) == "0,0,Default,,0,0,0,,\(sign)")
        }
        // A brace that nothing closes, a comment, an escape.
        for text in [#"a{\c&HFF&"#, "{comment}x", #"\{\c\}"#] {
            #expect(event(text) == copy + text)
        }
    }

    @Test func propertyByProperty() throws {
        func copy(_ change: (inout SubtitleStyle) -> Void) throws -> [String] {
            var style = SubtitleStyle()
            change(&style)
            let override = try #require(
                ASSScriptOverride(script: Array(sampleScript.utf8), style: style))
            let script = String(decoding: override.script, as: UTF8.self)
            let line = try #require(
                script.split(separator: "\n").first { $0.contains("Default (viewer)") })
            return line.split(separator: ",").map(String.init)
        }
        let own = try copy { $0.isItalic = false }
        #expect(own[15...18] == ["1", "2", "2", "2"])
        #expect(try copy { $0.edge = SubtitleStyle.Edge.none }[15...17] == ["1", "0", "0"])
        #expect(try copy { $0.background = .black }[15...17] == ["3", "1.666", "0"])
        #expect(try copy { $0.window = .black }[15] == "4")
        #expect(try copy { $0.position = .top }[18] == "8")
        #expect(try copy { $0.edgeColor = RGBA(rawValue: 0xFF00_00FF) }[5] == "&H000000FF")
        #expect(
            ASSScriptOverride(script: Array(sampleScript.utf8), style: SubtitleStyle()) == nil)
    }

    @Test func dialogueMovesAndSignsStay() throws {
        var style = SubtitleStyle()
        style.position = .top
        let own = try OverlayRenderer(content(sampleScript, .ass), geometry: geometry)
        let moved = try OverlayRenderer(
            content(sampleScript, .ass), geometry: geometry, style: style)
        let before = try own.overlay(at: .milliseconds(2600))
        let after = try moved.overlay(at: .milliseconds(2600))
        #expect(before.ink.y + before.ink.height > 650)
        #expect(after.ink.y + after.ink.height < 400)
        let yellow = { (color: RGBA) in color == RGBA(rawValue: 0xFFFF_00FF) }
        #expect(before.bounds(where: yellow) == after.bounds(where: yellow))
    }

    /// As the second content: no signs, glow or colors, and no overlapping lines.
    @Test func secondScriptsArePlain() throws {
        func script(_ events: String...) throws -> OverlayContent {
            let head = sampleScript.prefix { $0 != "\n" } + "\nPlayResX: 1280\nPlayResY: 720\n"
            let lines = events.map { "Dialogue: \($0)\n" }.joined()
            return try content(head + "[Events]\n" + lines, .ass)
        }
        func ink(_ content: OverlayContent) throws -> Overlay {
            try OverlayRenderer(OverlayContent(), second: content, geometry: geometry)
                .overlay(at: .seconds(2))
        }
        let times = "0:00:01.00,0:00:05.00,Default,,0,0,0,,"
        let one = try ink(script("0,\(times)Words"))
        let glow = try ink(
            script(#"0,\#(times){\c&HFF&\fs90\an1\k50\blur3}Words"#, "1,\(times)Words"))
        #expect(one.pixels == glow.pixels)
        let both = try ink(script("0,\(times)Words", #"1,\#(times){\an8}Others"#))
        #expect(both.ink.height > one.ink.height + 30)
    }

    @Test func piecesAreAllOfTheText() {
        let texts = [
            sampleScript, #"{\t(0,1,\fs20(\c)\b1)x}{}}{\{\\}a\{b\"#, #"{\fn a\ c&H1&)}"#, "{",
            #"\"#,
        ]
        for text in texts {
            for bytes in [Array(text.utf8)] + bitFlips(of: Array(text.utf8), count: 50) {
                for splitsArguments in [false, true] {
                    var tokens = ASSTokenizer(bytes[...], splitsArguments: splitsArguments)
                    var end = 0
                    while let token = tokens.next() {
                        switch token {
                        case .text(let range), .comment(let range), .tag(_, let range, _):
                            #expect(range.lowerBound == end && range.upperBound > end)
                            end = range.upperBound
                        }
                    }
                    #expect(end == bytes.count)
                }
            }
        }
    }

    @Test func previewShowsTheFirstCue() throws {
        var content = try content(sampleScript, .ass)
        content.cues.insert(textCue(""), at: 0)
        let overlay = try previewSubtitles(content, size: PixelSize(width: 640, height: 360))
        #expect(!overlay.isEmpty)
        #expect(
            try previewSubtitles(OverlayContent(), size: PixelSize(width: 64, height: 36)).isEmpty)
    }
}
