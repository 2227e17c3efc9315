import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Scripts of other projects, with what those projects expect of them.
@Suite struct ASSCorpusTests {
    private func read(_ path: String) throws -> ReadScript {
        ReadScript(withoutMark(try #require(fileBytes(path))))
    }

    /// All of androidx's expectations except for those of the two UTF-16 files, which are decoded before a
    /// script is parsed.
    ///
    /// Differences of policy, each tested here:
    /// - `positioning`: the first of several positions is used, as in libass; androidx takes the last.
    /// - `positioning_without_playres`: players complete the canvas from the side that is stated;
    ///   androidx has no position then.
    /// - `invalid_layer`: `1.1` is layer 1, as `atoi` reads it; androidx takes 0.
    @Test(.requiresCorpus("androidx-media/ssa")) func androidX() throws {
        let folder = try #require(corpusPath("androidx-media/ssa"))
        func read(_ name: String) throws -> ReadScript { try self.read(folder + "/" + name) }
        #expect(try read("empty").packets.isEmpty)
        #expect(try read("empty_style_line").packets.count == 1)
        let typical = try read("typical")
        #expect(
            typical.document.cues.map(\.plainText) == [
                "This is the first subtitle.",
                "This is the second subtitle  with a newline \nand another.",
                "This is the third subtitle, with a comma.",
            ])
        #expect(typical.packets.map(\.pts) == [0, 2340, 4560])
        #expect(typical.packets.map(\.duration) == [1230, 1110, 4340])
        let parts = try ["typical_header", "typical_format", "typical_dialogue"].map { name in
            String(decoding: try #require(fileBytes(folder + "/" + name)), as: UTF8.self)
        }
        let joined = ReadScript(parts[0] + "\n[Events]\n" + parts[1] + "\n" + parts[2])
        #expect(joined.document.cues.map(\.content) == typical.document.cues.map(\.content))

        let overlapping = try read("overlapping_timecodes")
        let starts = overlapping.packets.compactMap(\.pts)
        let ends = overlapping.packets.compactMap { packet in
            packet.duration.map { $0 + (packet.pts ?? 0) }
        }
        let shown = [
            (1000, 2000, 1), (2000, 4230, 2), (4230, 5230, 1), (6000, 8440, 1), (8440, 9440, 2),
            (10_720, 13_220, 1), (13_220, 14_220, 2), (14_220, 15_650, 1),
        ]
        for (from, to, count) in shown {
            let middle = Int64(from + to) / 2
            #expect(zip(starts, ends).count { $0 <= middle && middle < $1 } == count)
        }
        #expect(Set(starts + ends) == Set(shown.flatMap { [Int64($0.0), Int64($0.1)] }))

        let invalid = try read("invalid_timecodes")
        #expect(invalid.packets.map(\.pts) == [4560, 16_560])
        #expect(
            invalid.diagnostics.map(\.code) == [
                "malformed-time", "malformed-time", "malformed-time", "malformed-time",
                "empty-event", "empty-event",
            ])
        #expect(try read("layer").document.cues.map(\.layer) == [1, -1])
        #expect(try read("invalid_layer").document.cues.map(\.layer) == [0, 0, 1])
        let layers = try read("overlapping_cues_different_layers").document.cues
        #expect(layers.map(\.layer) == [2, 1])

        // androidx: 0.25 0.25 0.25 -1 … of the second, whose position is in its text.
        let positions = try read("positioning").document.cues.map(\.layout)
        let x = positions.map { ($0.position ?? -1) / 100 }
        let y = positions.map { ($0.line ?? -1) / 100 }
        #expect(x == [0.5, 0.25, 0.5, 0.5, 0.5, 0.5])
        #expect(
            zip(y, [0.25, 0.25, 100.0 / 202, 100.0 / 202, 0.5, 0.5]).allSatisfy {
                ($0 - $1).magnitude < 1e-9
            })
        #expect(
            positions.map(\.lineAlignment) == [.center, .center, .center, .center, .end, .start])
        #expect(
            try read("positioning_without_playres").document.cues.first?.layout.position == 50)

        let colors = try read("style_primary_color").document.cues
        #expect(colors.count == 7)
        let expected: [RGBA?] = [
            RGBA(rawValue: 0xFF00_00FF), RGBA(rawValue: 0xFFFF_00FF), RGBA(rawValue: 0x00FF_00FF),
            RGBA(rawValue: 0xFF00_005F), RGBA(rawValue: 0x0000_FFFF), RGBA(rawValue: 0x0000_FF7F),
        ]
        #expect(colors.prefix(6).map { style($0)?.color } == expected)
        let boxes = try read("style_outline_color").document.cues
        #expect(boxes.count == 2)
        #expect(boxes.map { style($0)?.background } == [RGBA(rawValue: 0x0000_FFFF), nil])
        let sizes = try read("style_font_size").document.cues.map { style($0)?.fontSize }
        #expect(sizes == [.ofHeight(4167), .ofHeight(10_028)])
        let faces = try read("style_bold_italic").document.cues.compactMap(style)
        #expect(faces.map(\.isBold) == [true, false, true])
        #expect(faces.map(\.isItalic) == [false, true, true])
        #expect(
            try read("style_underline").document.cues.compactMap(style).map(\.isUnderlined)
                == [true, false])
        #expect(
            try read("style_strikeout").document.cues.compactMap(style).map(\.isStruckThrough)
                == [true, false])
    }

    private func style(_ cue: Cue) -> TextStyle? {
        guard case .text(let text) = cue.content else { return nil }
        return text.runs.first?.style
    }

    @Test(.requiresCorpus("go-astisub/testdata")) func goAstisub() throws {
        let folder = try #require(corpusPath("go-astisub/testdata"))
        let input = try read(folder + "/example-in.ssa")
        #expect(input.stream.codec == .ssa)
        #expect(input.packets.map(\.pts) == [99_000, 124_080, 132_160, 140_240, 148_320, 151_400])
        #expect(
            input.diagnostics.map(\.code) == ["unknown-line", "unknown-line", "unknown-line"])
        let document = input.document
        #expect(document.cues.map(\.plainText).first == "(deep rumbling)")
        #expect(document.cues[4].plainText == "We don't belong\nin this shithole.")
        let styles = ASSScriptHeader(input.stream.codecPrivate).styles
        #expect(styles.map(\.name) == ["1", "2", "3"])
        #expect(styles.map(\.primaryColor) == [0xFFFF, 0xEFEFEF, 0xB4FCFC])
        #expect(styles.map(\.isBold) == [true, true, false])
        for name in ["example-out.ssa", "example-out-v4plus.ssa"] {
            let output = try read(folder + "/" + name)
            #expect(output.packets.map(\.pts) == input.packets.map(\.pts))
            #expect(output.packets.map(\.duration) == input.packets.map(\.duration))
            #expect(
                output.document.cues.map(\.plainText).prefix(4)
                    == document.cues.map(\.plainText).prefix(4))
            #expect(output.stream.codec == (name.contains("plus") ? .ass : .ssa))
        }
        let returns = try read(folder + "/example-in-carriage-return.ssa")
        #expect(returns.packets.map(\.pts) == [0, 3767, 10_733])
        #expect(returns.packets.map(\.duration) == [3766, 6965, 3333])
        #expect(returns.diagnostics.isEmpty)
    }

    @Test(.requiresCorpus("mantas-subtitles/tests/files")) func mantasSubtitles() throws {
        let folder = try #require(corpusPath("mantas-subtitles/tests/files"))
        for name in ["ass", "ass_different_format", "ass_different_format2"] {
            let script = try read("\(folder)/\(name).ass")
            #expect(script.packets.map(\.pts) == [137_400, 3_740_500])
            #expect(script.packets.map(\.duration) == [3000, 2000])
            #expect(
                script.document.cues.map(\.plainText) == [
                    "Senator, we're making\nour final approach into Coruscant.",
                    "Very good, Lieutenant.",
                ])
            #expect(script.diagnostics.isEmpty)
        }
        let short = try read(folder + "/ass_different_format3.ass")
        let cue = try #require(short.document.cues.first)
        #expect(cue.plainText == "The quick brown fox jumps over a lazy dog.")
        #expect(cue.layout.position == 60.0 * 100 / 1280)
        #expect(style(cue)?.color == RGBA(rawValue: 0xB0B0_FFFF))
        #expect(short.diagnostics.isEmpty)
    }
}
