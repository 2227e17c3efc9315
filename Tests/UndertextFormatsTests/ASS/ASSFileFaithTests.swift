import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// A script that was read is written as the same bytes.
@Suite struct ASSFileFaithTests {
    private static let odd = """
        junk before everything
        [script info]
        ; comment
        ScriptType:v4.00+
        PlayResX: 640

        [Events]

        Format: Layer,Start, End, Style, Actor, MarginL, MarginR, MarginV, Effect, Text
        Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,first note

        Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,late, with  spaces
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,early\u{20}
        Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,template
        Dialogue:0,0:00:01.00,0:00:02.00,Default,,0,0,0,,no space
        Dialogue:  00,00:00:01.0,0:00:02.005, Default ,,0000,0,0,,odd fields
        Dialogue: 0,-0:00:01.00,0:00:02.00,Default,,0,0,0,,negative
        dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,small letters
        Dialogue: 0,0:00:03.00,0:00:02.00,Default,,0,0,0,,never shown
        Dialogue: 0,0:00:03.00,x,Default,,0,0,0,,damaged
        [V4+ Styles]
        Format: Name, Fontsize
        Style: Default,20
        [Events]
        Format: Text, Start, End
        Dialogue: a, b,0:00:07.00,0:00:08.00
        [Fonts]
        fontname: a.ttf
        [ABC];!

        [Events]
        Dialogue: last,0:00:09.00,0:00:10.00
        Comment: behind

        [Aegisub Extradata]
        Data: 1,x
        """

    @Test(arguments: ["\n", "\r\n", "\r"])
    func everyByteComesBack(lineEnd: String) {
        let text = Self.odd.replacing("\n", with: lineEnd)
        for ending in ["", lineEnd, lineEnd + lineEnd] {
            let bytes = Array((text + ending).utf8)
            let read = ReadScript(bytes)
            #expect(read.packets.count == 8)
            #expect(read.written == bytes)
        }
        // Line ends may be mixed, too.
        let mixed = Self.odd.replacing("Dialogue: 0,0:00:05", with: "\r\nDialogue: 0,0:00:05")
            .replacing("early \n", with: "early \r\n")
        #expect(ReadScript(mixed).written == Array(mixed.utf8))
    }

    @Test func ordinaryLinesNeedNoHelp() {
        let text = """
            [Script Info]
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,one
            Dialogue: 0,10:00:02.00,10:00:03.00,Default,,0,0,0,,two

            """
        let read = ReadScript(text)
        #expect(read.packets[0].sideData.map(\.kind.rawValue) == ["ass-before"])
        #expect(read.packets[1].sideData.map(\.kind.rawValue) == ["ass-after"])
        #expect(read.written == Array(text.utf8))
    }

    @Test func otherTimesChangeOnlyTimes() {
        let read = ReadScript(Self.odd)
        let moved = read.rewritten { packet in
            var packet = packet
            packet.pts = packet.pts.map { $0 + 60_000 }
            return packet
        }
        let lines = String(decoding: moved, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("Dialogue:0,0:01:01.00,0:01:02.00,Default,,0,0,0,,no space"))
        #expect(
            lines.contains("Dialogue:  00,0:01:01.00,0:01:02.00, Default ,,0000,0,0,,odd fields"))
        #expect(lines.contains("Dialogue: a, b,0:01:07.00,0:01:08.00"))
        #expect(lines.contains("Dialogue: last,0:01:09.00,0:01:10.00"))
        #expect(lines.contains("Dialogue: 0,0:00:59.00,0:01:02.00,Default,,0,0,0,,negative"))
        #expect(lines.contains("Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,template"))
        #expect(moved.count > 0 && lines.count == Self.odd.split(separator: "\n").count)
    }

    @Test func shortEventsDoNotBecomeEmpty() {
        let read = ReadScript(
            "[Events]\nDialogue: 0,0:00:01.000,0:00:01.005,Default,,0,0,0,,short\n")
        let later = read.rewritten { packet in
            var packet = packet
            packet.pts = packet.pts.map { $0 + 1000 }
            return packet
        }
        #expect(
            String(decoding: later, as: UTF8.self)
                == "[Events]\nDialogue: 0,0:00:02.00,0:00:02.01,Default,,0,0,0,,short\n")
    }

    @Test func aPartOfAScriptIsAScript() {
        let read = ReadScript(Self.odd)
        var writer = ASSPacketWriter(codecPrivate: read.stream.codecPrivate, isSSA: false)
        let some = files(&writer, Array(read.packets.filter { ($0.pts ?? 0) >= 5000 }))[0]
        let again = ReadScript(some)
        #expect(again.packets.count == 3)
        #expect(again.document.header.canvas?.width == 640)
    }

    @Test(.requiresCorpus("androidx-media")) func everyScriptOfTheCorpus() throws {
        let corpus = try #require(corpusPath("androidx-media"))
        let root = String(corpus.dropLast("androidx-media".count))
        let scripts = TestSupport.files(below: root).filter {
            $0.hasSuffix(".ass") || $0.hasSuffix(".ssa") || $0.contains("androidx-media/ssa/")
        }
        var count = 0
        for path in scripts {
            let bytes = withoutMark(try #require(fileBytes(path)))
            let read = ReadScript(bytes)
            guard !read.packets.isEmpty, !path.contains("utf16") else { continue }
            count += 1
            #expect(read.written == bytes, "\(path)")
        }
        #expect(count >= 27)
    }
}
