import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Our scripts read by other programs.
@Suite struct ASSReferenceTests {
    private var cues: [Cue] {
        var layout = CueLayout()
        layout.line = 25
        layout.snapToLines = false
        var cues = [
            textCue(0, 1000, StyledText("One, with a comma & {braces}")),
            textCue(1000, 2500, StyledText("two\nlines"), layout: layout),
            textCue(
                2000, 3000,
                StyledText(runs: [
                    textRun("slanted ") { $0.isItalic = true },
                    textRun("red") {
                        $0.color = RGBA(rawValue: 0xFF00_00FF)
                        $0.background = .black
                    }, TextRun(" later", appearsAt: .milliseconds(2500)),
                ])),
            textCue(3_600_000, 3_601_000, StyledText(runs: [textRun("x") { $0.isBold = true }])),
        ]
        for index in 0..<20 {
            cues.append(
                textCue(
                    4_000_000 + Int64(index) * 1230, 4_000_500 + Int64(index) * 1230,
                    StyledText(runs: [
                        textRun("größe \(index)") { $0.fontSize = .ofHeight(4000 + index * 100) }
                    ])))
        }
        return cues
    }

    /// pysubs2 has no escape for braces, so it takes `\{braces}` for tags.
    private func plain(_ cue: Cue) -> String {
        (cue.plainText ?? "").replacing("{braces}", with: "\\")
    }

    @Test(.requiresPython("pysubs2"), arguments: [ASSWriter.Kind.ass, .ssa])
    func pysubs2ReadsEveryCue(_ kind: ASSWriter.Kind) {
        let folder = TemporaryDirectory()
        let name = kind == .ass ? "out.ass" : "out.ssa"
        let path = folder.write(
            script(SubtitleDocument(cues: cues), kind), to: name)
        let program = """
            import sys, pysubs2
            s = pysubs2.load(sys.argv[1], encoding="utf-8")
            print(s.format, len(s.styles))
            for e in s:
                print(e.start, e.end, repr(e.plaintext), s.styles[e.style].fontsize)
            """
        let result = run("python3", ["-c", program, path])
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(lines.count == cues.count + 1, "\(result.stderr)")
        #expect(lines.first?.hasPrefix(kind == .ass ? "ass " : "ssa ") == true)
        for (line, cue) in zip(lines.dropFirst(), cues) {
            let text = plain(cue).replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
            let start = cue.start.roundedMilliseconds
            #expect(line.hasPrefix("\(start) \(cue.end.roundedMilliseconds) '\(text)' "), "\(line)")
        }
    }

    @Test(.requires("ffprobe"), arguments: [ASSWriter.Kind.ass, .ssa])
    func libavformatReadsEveryCue(_ kind: ASSWriter.Kind) throws {
        let folder = TemporaryDirectory()
        let path = folder.write(
            script(SubtitleDocument(cues: cues), kind), to: "out.\(kind == .ass ? "ass" : "ssa")")
        let probed = try #require(ProbedStream(path))
        try #require(probed.packets.count == cues.count)
        for (packet, cue) in zip(probed.packets, cues) {
            #expect(packet.start == cue.start)
            #expect(packet.end == cue.end)
        }
    }
}
