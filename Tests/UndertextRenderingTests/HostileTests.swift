import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// Scripts that would take minutes or all memory, and damaged ones.
@Suite struct HostileTests {
    private func scriptContent(_ text: String, count: Int = 1) -> OverlayContent {
        let header = sampleScript.components(before: "[Events]")
        let cues = (0..<count).map { index in
            Cue(
                order: index, start: .seconds(1), end: .seconds(3), content: .text(StyledText("x")),
                source: .ass("\(index),0,Default,,0,0,0,,\(text)"))
        }
        return OverlayContent(
            header: SubtitleHeader(codec: .ass, codecPrivate: Array(header.utf8)), cues: cues)
    }

    private static let costly = [
        #"{\p1}m 0 0 l 30000 0 30000 30000 0 30000"#, #"{\p1\be127}m 0 0 l 10000 0 10000 10000"#,
        #"{\fs20000}Hi"#, #"{\fscx100000\fscy100000}Hi"#, #"{\bord10000}Hello"#,
        #"{\t(0,1,\bord9000)}Hello"#, #"{\clip(m 0 0 l 90000 0 90000 90000)}x"#,
        #"{\iclip(2,m 0 0 l 1e6 0 1e6 1e6)}x"#, #"{\fax1000\fs900}Hello hello"#,
        #"{\p1\fscx3000\fscy3000}m 0 0 l 500 0 500 500"#,
        "{\\p1}m 0 0 l" + String(repeating: " 1000 5 5 1000", count: 50_000),
        "{" + String(repeating: #"\t(0,100,\fs20)"#, count: 400_000) + "}x",
        "{" + String(repeating: #"\t("#, count: 160_000) + "}x",
        "{" + String(repeating: #"\t("#, count: 160_000) + String(repeating: ")", count: 160_000)
            + "}x",
    ]

    @Test(arguments: costly.indices) func costlyEventsAreLeftOut(_ index: Int) throws {
        let renderer = try OverlayRenderer(
            scriptContent(Self.costly[index]), geometry: large)
        #expect(try renderer.overlay(at: .seconds(2)).isEmpty)
        #expect(renderer.takeDiagnostics().contains { $0.code == "not-drawn" })
    }

    /// Nesting as deep as in real scripts is drawn.
    @Test func nestedAnimationsAreAffordable() throws {
        let text = "{" + String(repeating: #"\t("#, count: 2000) + "}x"
        let renderer = try OverlayRenderer(scriptContent(text), geometry: large)
        #expect(try !renderer.overlay(at: .seconds(2)).isEmpty)
        #expect(renderer.takeDiagnostics().isEmpty)
    }

    /// Braces that nothing closes are letters: the text is gone through once, by us and by libass.
    @Test func openBraces() throws {
        let braces = String(repeating: "{", count: 200_000)
        var tokens = ASSTokenizer(Array((#"{\b1}"# + braces + "x").utf8)[...])
        var pieces = 0
        while tokens.next() != nil { pieces += 1 }
        #expect(pieces <= 5)
        let renderer = try OverlayRenderer(scriptContent(braces + "x"), geometry: large)
        #expect(try renderer.overlay(at: .seconds(2)).isEmpty)
        #expect(renderer.takeDiagnostics().map(\.code) == ["not-drawn"])
        let line = Array(#"0,0,a{,,0,0,0,,{\b1}{\{\\{x"#.utf8)
        #expect(
            String(decoding: ScriptSource.withoutOpenBraces(line), as: UTF8.self)
                == #"0,0,a{,,0,0,0,,{\b1}\{\{\\{x"#)
    }

    @Test func openBracesLookLikeClosedOnes() throws {
        let open = try OverlayRenderer(scriptContent("a{b{c"), geometry: large)
        let escaped = try OverlayRenderer(scriptContent(#"a\{b\{c"#), geometry: large)
        #expect(
            try open.overlay(at: .seconds(2)).pixels == escaped.overlay(at: .seconds(2)).pixels)
    }

    @Test func othersAreDrawnBesideThem() throws {
        var content = scriptContent(Self.costly[0])
        content.cues += scriptContent("Words").cues
        let overlay = try OverlayRenderer(content, geometry: large).overlay(at: .seconds(2))
        #expect(!overlay.isEmpty)
    }

    @Test(arguments: [
        #"{\fs200\blur100\be20}Hello"#, #"{\p1}m 0 0 l 3000 0 3000 2000 0 2000"#,
        #"{\pos(1e30,-1e30)}x"#, #"{\org(1e9,1e9)\frz45}x"#, #"{\shad1e9}x"#, #"{\fsp1e9}xx"#,
        #"{\move(0,0,1,1,1e18,-1e18)}x"#, #"{\fs-5\fscx-100}x"#, #"{\k99999999999}x"#,
        #"{\p99}m 1 1"#,
        #"{\clip(-1e9,-1e9,1e9,1e9)}x"#,
    ])
    func oddValuesDoNoHarm(_ text: String) throws {
        let renderer = try OverlayRenderer(scriptContent(text), geometry: small)
        for time in [1000, 1500, 2999] { _ = try renderer.overlay(at: .milliseconds(Int64(time))) }
    }

    @Test func usualEventsAreAffordable() throws {
        // Three hundred at once, as gradients of signs are made.
        let renderer = try OverlayRenderer(
            scriptContent(
                #"{\pos(300,300)\clip(0,0,100,3)\bord3\blur1}A sign of gradients"#, count: 300),
            geometry: large)
        _ = try renderer.overlay(at: .seconds(2))
        #expect(renderer.takeDiagnostics().isEmpty)
    }

    private func chosen(_ content: OverlayContent, mostEvents: Int) -> FrameBudget {
        var budget = FrameBudget(small, mostEvents: mostEvents)
        budget.choose(
            from: content.cues,
            ScriptSource(
                content.header, geometry: small, style: SubtitleStyle(), mayBeNative: true),
            EventCost(script: content.header.codecPrivate, geometry: small), GlyphCoverageCache())
        return budget
    }

    /// Cues after those that are drawn are not parsed.
    @Test func oneFrameHasSoManyEvents() {
        let budget = chosen(scriptContent("x", count: 80), mostEvents: 50)
        #expect(budget.shown.count == 50)
        #expect(budget.lookedAt == 50)
        #expect(budget.leftOut.count == 30)
        #expect(budget.leftOut.first?.order == 50)
    }

    @Test func oneFrameReadsSoMuch() {
        let text = "{" + String(repeating: "comment ", count: 100_000) + "}x"
        let budget = chosen(scriptContent(text, count: 4), mostEvents: 50)
        #expect(budget.shown.count == 1)
        #expect(budget.lookedAt == 2)
        #expect(budget.leftOut.count == 3)
    }

    @Test func droppedContentIsReportedOnce() throws {
        let renderer = try OverlayRenderer(
            scriptContent(Self.costly[0], count: 30), geometry: small)
        _ = try renderer.overlay(at: .seconds(2))
        let reported = renderer.takeDiagnostics()
        #expect(reported.map(\.code) == ["not-drawn"])
        #expect(reported.first?.message.states("30") == true)
    }

    @Test func scriptsHaveALimit() {
        var limits = Limits()
        limits.headerSize = 100
        #expect(throws: UndertextError.self) {
            try OverlayRenderer(scriptContent("x"), geometry: small, limits: limits)
        }
        limits = Limits()
        limits.cues = 3
        #expect(throws: UndertextError.self) {
            let renderer = try OverlayRenderer(OverlayContent(), geometry: small, limits: limits)
            try renderer.append((0..<4).map { textCue("\($0)", order: $0) })
        }
    }

    @Test func eventsInHeadersAreNotDrawn() throws {
        var content = scriptContent("")
        content.header.codecPrivate = Array(sampleScript.utf8)
        #expect(try OverlayRenderer(content, geometry: small).overlay(at: .seconds(2)).isEmpty)
    }

    @Test func fontsMayBeAnything() throws {
        var content = try content(sampleScript, .ass)
        content.fonts = [
            AttachedFont(name: "../../etc/passwd", bytes: []),
            AttachedFont(name: "x.ttf", bytes: Array(repeating: 0x41, count: 1000)),
            AttachedFont(name: "y.otf", bytes: Array("OTTO".utf8) + [0, 255, 255, 255]),
        ]
        #expect(try !OverlayRenderer(content, geometry: small).overlay(at: .seconds(2)).isEmpty)
    }

    @Test func damagedScripts() throws {
        let script = Array(sampleScript.utf8)
        func draw(_ bytes: [UInt8]) throws {
            let reader = ASSFileReader(bytes, limits: Limits())
            var decoder = ASSDecoder(stream: reader.stream)
            var content = OverlayContent(header: decoder.header)
            while let packet = try reader.nextPacket() {
                for case .cue(let draft) in decoder.decode(packet) {
                    var cue = draft.cue()
                    cue.end = .seconds(10)
                    content.cues.append(cue)
                }
            }
            let renderer = try OverlayRenderer(
                content,
                geometry: OverlayGeometry(video: PixelSize(width: 160, height: 90)))
            _ = try renderer.overlay(at: .milliseconds(2600))
        }
        for damaged in truncations(of: script, step: 97) { try draw(damaged) }
        for damaged in bitFlips(of: script, count: 25) { try draw(damaged) }
    }

    /// Scripts without libass, at every offset.
    @Test func damagedScriptsInOurHands() {
        var style = SubtitleStyle()
        style.scale = 2
        style.window = .black
        style.position = .percent(30)
        let script = Array(sampleScript.utf8)
        for damaged in truncations(of: script, step: 3) {
            _ = ASSScriptOverride(script: damaged, style: style)
        }
        let override = ASSScriptOverride(script: script, style: style)
        let cost = EventCost(script: script, geometry: small)
        let line = Array(
            #"0,0,Sign,,0,0,0,,{\t(0,9,\fs20\clip(2,m 1 2 3))\p1\r\fs+2}m 0 0 l 1e5 .."#.utf8)
        for damaged in Array(truncations(of: line)) + Array(bitFlips(of: line, count: 500)) {
            #expect(cost.price(of: damaged).pixels >= 0)
            _ = override?.event(damaged)
            _ = ScriptSource.isAnimated(damaged)
        }
    }
}

extension String {
    /// The components before a word.
    func components(before word: String) -> String {
        guard let range = firstRange(of: word) else { return self }
        return String(self[..<range.lowerBound])
    }
}
