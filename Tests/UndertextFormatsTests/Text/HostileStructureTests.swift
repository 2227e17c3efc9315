import Testing
import UndertextCore
import UndertextFormats

/// Structures that would take the square of their size if each were compared with all others.
@Suite struct HostileStructureTests {
    @Test func identifierOfHyphens() {
        let id = String(repeating: "-", count: 100_000) + ">"
        var writer = WebVTTWriter()
        var output: [UInt8] = []
        writer.begin(into: &output)
        writer.write(
            Cue(identifier: id, start: .zero, end: .seconds(1), content: .text(StyledText("hi"))),
            into: &output)
        writer.finish(into: &output)
        #expect(String(decoding: output, as: UTF8.self).hasPrefix("WEBVTT\n\n->\n00:00:00.000"))
    }

    @Test func regionsByTheThousand() throws {
        var text = "WEBVTT\n\n"
        for number in 0..<20_000 { text += "REGION\nid:r\(number % 12_000)\n\n" }
        for _ in 0..<20_000 { text += "00:01.000 --> 00:02.000 region:r9999\nhi\n\n" }
        let reader = WebVTTFileReader(Array(text.utf8), limits: Limits())
        var decoder = try #require(
            SubtitleFormat.decoder(of: reader.stream, diagnostics: DiagnosticSink()))
        var count = 0
        while let packet = try reader.nextPacket() { count += decoder.decode(packet).count }
        #expect(count == 20_000)
        #expect(decoder.header.regions.count <= 10_000)
    }

    @Test func sectionsBetweenEvents() throws {
        var text = "[Script Info]\nScriptType: v4.00+\n"
        for _ in 0..<20_000 {
            text += "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,hi\n[z]\na\n"
        }
        let reader = ASSFileReader(Array(text.utf8), limits: Limits())
        var count = 0
        while try reader.nextPacket() != nil { count += 1 }
        #expect(count == 20_000)
    }
}
