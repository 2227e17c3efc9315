import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// The syntax tree of scripts.
@Suite struct ASSScriptTests {
    private static let odd = """
        \u{FEFF}[script info] ; a comment
        ScriptType : v4.00+
        junk

          ; comment
        !comment
        [V4 Styles]
        Format: Name
        style: Default
        Style
        [Fonts]
        fontname: a.ttf
        [ABC];!

         fontname: data
        [ Events ]
        Format: Start, End, Text
        Dialogue: 0:00:01.00,0:00:02.00,a:b
        Comment: x
        Other: x
        [Unknown]
        Dialogue : x
        Format: x
        """

    private func text(_ slice: ArraySlice<UInt8>) -> String {
        String(decoding: slice, as: UTF8.self)
    }

    @Test func kindsOfLines() {
        let script = ASSScript(Array(Self.odd.utf8))
        #expect(
            script.lines.map(\.kind) == [
                .heading, .property, .unknown, .blank, .comment, .comment,
                .heading, .format, .style, .unknown,
                .heading, .fileName, .data, .data, .data,
                .heading, .format, .dialogue, .otherEvent, .unknown,
                .heading, .dialogue, .property,
            ])
        #expect(
            script.sections.map(\.name) == [
                nil, .info, .styles(isLegacy: true), .fonts, .events, nil,
            ])
        #expect(script.sections.map(\.heading) == [nil, 0, 6, 10, 15, 20])
        #expect(script.sections.map(\.lines.count) == [0, 5, 3, 4, 4, 2])
        #expect(text(script.key(of: script.lines[1])) == "ScriptType")
        #expect(text(script.value(of: script.lines[1])) == " v4.00+")
        #expect(text(script.key(of: script.lines[17])) == "Dialogue")
        #expect(text(script.value(of: script.lines[17])) == " 0:00:01.00,0:00:02.00,a:b")
    }

    @Test(
        arguments: [
            ("", false), ("[Script Info]\nScriptType: v4.00", true),
            ("[Script Info]\nScriptType: v4.00+", false),
            ("[V4+ Styles]\n[Script Info]\nScriptType: v4.00", false),
            ("[Script Info]\nScriptType: v4.00+\n[V4 Styles]", true),
            ("[V4 Styles]\n[V4++ Styles]", false),
            ("[Events]\nFormat: Marked, Start, End, Text", true),
            ("[Events]\nFormat: Marked, Start, Text", false),
            ("Format: Marked, Start, End, Text", false),
        ])
    func legacyScripts(text: String, isSSA: Bool) {
        #expect(ASSScript(Array(text.utf8)).isSSA == isSSA)
    }

    /// Lines and sections contain every byte once, for any input.
    @Test(arguments: ["\n", "\r\n", "\r"])
    func nothingIsLost(lineEnd: String) {
        let whole = Array(Self.odd.replacing("\n", with: lineEnd).utf8)
        for bytes in Array(truncations(of: whole)) + bitFlips(of: whole, count: 300, seed: 4) {
            let script = ASSScript(bytes)
            var end = 0
            for line in script.lines {
                #expect(line.range.lowerBound == end && line.next >= line.range.upperBound)
                #expect((line.range.lowerBound...line.range.upperBound).contains(line.value))
                end = line.next
            }
            #expect(end == bytes.count)
            end = 0
            for section in script.sections {
                #expect(section.range.lowerBound == end)
                end = section.range.upperBound
            }
            #expect(end == bytes.count)
            let lines = script.sections.map { $0.lines.count + ($0.heading == nil ? 0 : 1) }
            #expect(lines.reduce(0, +) == script.lines.count)
        }
    }

    @Test func headersEndAtANUL() {
        let header = Array("[Script Info]\nPlayResX: 64\0\nPlayResY: 48".utf8)
        #expect(ASSScript(codecPrivate: header).lines.count == 2)
        #expect(ASSScript(header).lines.count == 3)
    }

    @Test func eventsAreLeftOut() {
        let script = ASSScript(Array(Self.odd.replacing("\n", with: "\r\n").utf8))
        let rest = text(script.withoutEvents[...])
        #expect(!rest.contains("Dialogue") && !rest.contains("Comment:"))
        #expect(rest.split(separator: "\r\n", omittingEmptySubsequences: false).count == 20)
    }
}
