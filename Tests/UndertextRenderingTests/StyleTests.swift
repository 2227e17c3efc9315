import TestSupport
import Testing
import UndertextCore

@testable import UndertextRendering

/// Settings, and whose count.
@Suite struct StyleTests {
    private func style(_ settings: String...) throws -> SubtitleStyle {
        var style = SubtitleStyle()
        for setting in settings { try style.set(setting) }
        return style
    }

    /// Application, viewer, what counts: for each property on its own.
    @Test(arguments: [
        ("", "", ""),
        ("foreground=red", "", "foreground=red"),
        ("", "foreground=blue", "foreground=blue"),
        ("foreground=red", "foreground=blue", "foreground=blue"),
        ("foreground=red\nscale=2", "foreground=blue", "foreground=blue\nscale=2"),
        ("background=none", "window=#00000080", "background=none\nwindow=#00000080"),
        ("edge=raised\nedge-color=red", "edge=none", "edge=none\nedge-color=red"),
        ("font=Serif\nbold=yes", "bold=no\nitalic=yes", "font=Serif\nbold=no\nitalic=yes"),
        ("opacity=50%\nposition=top", "position=90", "opacity=0.5\nposition=90%"),
    ])
    func precedence(_ application: String, _ viewer: String, _ expected: String) {
        let effective = SubtitleStyle.effective(
            application: SubtitleStyle(settings: application),
            viewer: SubtitleStyle(settings: viewer))
        #expect(effective == SubtitleStyle(settings: expected))
    }

    @Test func allSettings() throws {
        let style = try style(
            "foreground=#ff0", "background = #00000080", "window=none", "edge=drop-shadow",
            "edge-color=Navy", "font=DejaVu Sans", "scale=150%", "bold=yes", "italic=0",
            "opacity=0.5", "position=middle", "align=right", "margin-left=5%", "margin-right=45",
            "margin-vertical=0", "content-first=foreground, margin")
        #expect(style.foreground == RGBA(rawValue: 0xFFFF_00FF))
        #expect(style.background == RGBA(rawValue: 0x0000_0080))
        #expect(style.window == .clear)
        #expect(style.edge == .dropShadow)
        #expect(style.edgeColor == RGBA(rawValue: 0x0000_80FF))
        #expect(style.typeface == "DejaVu Sans")
        #expect(style.scale == 1.5)
        #expect(style.isBold == true && style.isItalic == false)
        #expect(style.opacity == 0.5)
        #expect(style.position == .middle)
        #expect(style.alignment == .right && style.leftMargin == 5 && style.rightMargin == 45)
        #expect(style.verticalMargin == 0 && style.contentFirst == [.foreground, .margins])
        var again = style
        for key in SubtitleStyle.keys { try again.set("\(key)=content") }
        #expect(again.isDefault)
    }

    @Test(arguments: [
        "foreground", "color=red", "foreground=reddish", "edge=sharp", "font=", "scale=0",
        "scale=nan",
        "bold=maybe", "opacity=2", "position=left", "position=101", "=", "",
        "position=0x10", "opacity=0x1p-1", "scale=+1", "opacity=1e-320", "opacity=1e-1",
        "opacity=-0",
        "opacity=.", "opacity=1.", "opacity=0.5.1", "opacity=%", "scale=5 0%", "opacity=inf",
        "font=A,B", "font=A}B", "font=A\\fs9", "font=A(B", "font=A\nB",
        "font=" + String(repeating: "x", count: 257),
        "foreground=" + String(repeating: "x", count: 10_000),
    ])
    func wrongSettings(_ setting: String) {
        #expect(throws: UndertextError.self) { try style(setting) }
    }

    @Test func numbers() throws {
        #expect(try style("opacity=.5").opacity == 0.5)
        #expect(try style("opacity=0").opacity == 0)
        #expect(try style("position=12.5%").position == .percent(12.5))
        #expect(try style("font=" + String(repeating: "x", count: 256)).typeface?.count == 256)
        // A text that is too long is not part of the message.
        do {
            _ = try style("font=" + String(repeating: "x", count: 1_000_000))
            Issue.record("a font's name of a megabyte is taken")
        } catch let error as UndertextError {
            #expect(error.description.utf8.count < 100)
        }
    }

    @Test func files() {
        var reported: [Diagnostic] = []
        let style = SubtitleStyle(
            settings: "# mine\n\nscale=2\r\n  bold = yes  \nnonsense\nfont=\n"
        ) {
            reported.append($0)
        }
        #expect(style.scale == 2 && style.isBold == true)
        #expect(reported.map(\.code) == ["invalid-setting", "invalid-setting"])
        #expect(reported.map(\.message.statedPosition) == ["5", "6"])
    }

    @Test(
        arguments: [
            (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/undertext/style.conf"),
            (["HOME": "/h"], "/h/.config/undertext/style.conf"),
            (["XDG_CONFIG_HOME": "relative", "HOME": "/h"], "/h/.config/undertext/style.conf"),
            ([:], nil),
        ] as [([String: String], String?)])
    func paths(_ variables: [String: String], _ expected: String?) {
        #expect(SubtitleStyle.settingsPath { variables[$0] } == expected)
    }
}
