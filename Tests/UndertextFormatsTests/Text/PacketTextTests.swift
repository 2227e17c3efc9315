import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Test func textOfAPacket() {
    func text(_ string: String) -> String {
        String(decoding: PacketText(Array(string.utf8)).bytes, as: UTF8.self)
    }
    #expect(text("a\r\nb\rc\n\n\r\n") == "a\nb\nc")
    #expect(text("shown\0hidden") == "shown")
    #expect(text("\r\n") == "")
    #expect(text("é€😀\r\n\u{FEFF}") == "é€😀\n\u{FEFF}")
}

@Test(arguments: [
    ([0x61, 0xFF, 0x62], "a\u{FFFD}b", 1, 1),
    ([0xC3], "\u{FFFD}", 1, 0),
    ([0xC3, 0x41], "\u{FFFD}A", 1, 0),
    ([0xE2, 0x82, 0x41], "\u{FFFD}A", 1, 0),
    ([0xF0, 0x9F, 0x98], "\u{FFFD}", 1, 0),
    ([0x41, 0xC0, 0x80, 0xED, 0xA0, 0x80], "A\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", 5, 1),
    ([0xF5, 0x41, 0xF4, 0x90, 0x42], "\u{FFFD}A\u{FFFD}\u{FFFD}B", 3, 0),
    ([0xE9, 0x74, 0xE9], "\u{FFFD}t\u{FFFD}", 2, 0),
])
func invalidBytesCostTheirCharacter(
    bytes: [UInt8], expected: String, count: Int, offset: Int
) {
    let text = PacketText(bytes)
    #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    #expect(text.damage == PacketText.Damage(count: count, offset: offset))
}

@Test func repairAgreesWithTheStandardLibrary() {
    var generator = SeededGenerator(seed: 11)
    var damaged = 0
    for round in 0..<4000 {
        var bytes = Array("aé€😀".utf8) + generator.bytes(round % 9)
        bytes.removeAll { $0 == 0 || $0 == 0x0D || $0 == 0x0A }
        let text = PacketText(bytes)
        let expected = Array(String(decoding: bytes, as: UTF8.self).utf8)
        if text.bytes != expected || (text.damage == nil) != (text.bytes == bytes) {
            Issue.record("\(bytes)")
        }
        if text.damage != nil { damaged += 1 }
    }
    #expect(damaged > 1000)
}

@Test func oneDiagnosticAPacket() throws {
    var decoder = SubRipDecoder(stream: stream(.subRip))
    let events = decoder.decode(packet([0x61, 0xFF, 0xFE, 0x62]))
    #expect(drafts(events).first?.cue().plainText == "a\u{FFFD}\u{FFFD}b")
    let diagnostics = decoder.diagnostics.take()
    #expect(diagnostics.count == 1)
    let first = try #require(diagnostics.first)
    #expect(first.severity == .error)
    #expect(first.code == "invalid-utf8")
    // The number of characters, and the offset of the first one in the packet.
    #expect(first.message.statedNumbers == [2, 1])
    #expect(first.streamIndex == 3)
    #expect(first.time == .seconds(10))
    #expect(first.byteOffset == 500)
    #expect(decoder.diagnostics.take().isEmpty)
}

private func payload(_ codec: CodecID) -> [UInt8] {
    switch codec {
    case .ass, .ssa: Array("0,0,Default,,0,0,0,,x".utf8)
    case .movText: [0, 1, 0x78]
    default: Array("x".utf8)
    }
}

/// The only cue that a packet makes.
private func draft(_ decoder: inout any SubtitleDecoder, _ packet: Packet) -> DecodedCue? {
    let found = drafts(decoder.decode(packet))
    return found.count == 1 ? found[0] : nil
}

@Test(arguments: [CodecID.subRip, .ass, .ssa, .webVTT, .movText, .text])
func timesOfPackets(codec: CodecID) throws {
    var decoder = try #require(
        SubtitleFormat.decoder(of: stream(codec), diagnostics: DiagnosticSink()))
    let data = payload(codec)
    #expect(decoder.header.language == LanguageTag("en"))
    #expect(decoder.header.title == "Title")
    #expect(decoder.header.codec == codec)

    let plain = try #require(draft(&decoder, packet(data)))
    #expect(plain.start == .seconds(10))
    #expect(plain.end == DecodedCue.KnownEnd(time: .seconds(12), source: .containerDuration))
    #expect(plain.cue().plainText == "x")
    #expect(!plain.replacesEarlier)
    #expect(!plain.isForced)

    for duration: Int64? in [nil, 0] {
        let open = try #require(draft(&decoder, packet(data, duration: duration)))
        #expect(open.end == nil)
    }
    #expect(decoder.diagnostics.take().isEmpty)

    for duration: Int64 in [-500, .max] {
        let odd = try #require(draft(&decoder, packet(data, duration: duration)))
        #expect(odd.end == nil)
        #expect(decoder.diagnostics.take().map(\.code) == ["negative-duration"])
    }
    #expect(decoder.decode(packet(data, pts: nil)).isEmpty)
    #expect(decoder.diagnostics.take().map(\.code) == ["missing-time"])

    decoder.reset()
    #expect(draft(&decoder, packet(data)) == plain)
    #expect(decoder.finish().isEmpty)
}

@Test func codecsWithoutANativeDecoder() {
    #expect(SubtitleFormat.decoder(of: stream(.hdmvText), diagnostics: DiagnosticSink()) == nil)
    #expect(SubtitleFormat.decoder(of: stream(.kate), diagnostics: DiagnosticSink()) == nil)
}

@Test func plainTextHasNoTags() {
    var decoder = PlainTextDecoder(stream: stream(.text))
    let cues = drafts(decoder.decode(packet("<i>a</i>\r\n{\\an8}b")))
    #expect(cues.first?.content == .text(StyledText("<i>a</i>\n{\\an8}b")))
    #expect(decoder.decode(packet("\n")).isEmpty)
}

@Test(
    arguments: [
        ("#f00", 0xFF00_00FF), ("#FF8000", 0xFF80_00FF), ("#11223344", 0x1122_3344),
        ("ff8000", 0xFF80_00FF), ("Red", 0xFF00_00FF), (" navy ", 0x0000_80FF),
        ("#0f08", 0x00FF_0088), ("rgb(255, 128,0)", 0xFF80_00FF),
        ("RGBA(255,0,0,0.5)", 0xFF00_0080), ("rgb(100% 0% 50% / 50%)", 0xFF00_8080),
        ("rgba(300,-1,0,7)", 0xFF00_00FF), ("transparent", 0),
        ("lightgoldenrodyellow", 0xFAFA_D2FF),
    ] as [(String, UInt32)])
func cssColors(text: String, expected: UInt32) {
    #expect(CSSColor.parse(Array(text.utf8)[...])?.rawValue == expected)
}

@Test(arguments: [
    "", "#", "#12", "#12345", "#gggggg", "reddish", "12345", "#123456789", "0x0",
    "0008", "rgb(1,2)", "rgb(a,b,c)", "rgb(1,2,3,4,5)", "hsl(0,0%,0%)", "rgb()", ")",
])
func notColors(text: String) {
    #expect(CSSColor.parse(Array(text.utf8)[...]) == nil)
}
