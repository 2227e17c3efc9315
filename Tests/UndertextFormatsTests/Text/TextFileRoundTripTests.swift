import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private let words = [
    "a", "é", "-", "--", ">", "&amp;", "<i>b</i>", "42", "1", "<00:00:07.500>", "{\\an8}", "NOTE",
    "STYLE", "REGION", "WEBVTT", "X1:1", " ", "00:00:01,000", "日本",
]

private func randomLine(_ generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 1..<5, using: &generator)
    return (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
        .joined(separator: " ")
}

private func randomText(_ generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 1..<4, using: &generator)
    return (0..<count).map { _ in randomLine(&generator) }.joined(separator: "\n")
}

/// Random packets, as a file would have them.
private func randomPackets(_ seed: UInt64, _ sideData: (inout SeededGenerator) -> [SideData])
    -> [Packet]
{
    var generator = SeededGenerator(seed: seed)
    var time: Int64 = 0
    return (0..<8).map { _ in
        time += Int64.random(in: 0..<100_000_000, using: &generator)
        return packet(
            time, Int64.random(in: 1..<100_000, using: &generator), randomText(&generator),
            sideData(&generator))
    }
}

private func written(_ packets: [Packet], of stream: StreamDescription) throws -> [UInt8] {
    var writer = try #require(
        SubtitleFormat.packetWriter(of: stream, diagnostics: DiagnosticSink()))
    var output: [[UInt8]] = [[]]
    writer.begin(into: &output)
    for packet in packets { writer.write(packet, into: &output) }
    writer.finish(into: &output)
    #expect(writer.diagnostics.take().isEmpty)
    return output[0]
}

@Suite struct TextFileRoundTripTests {
    /// Packets → file → packets, and the file again.
    @Test func webVTT() throws {
        var stream = StreamDescription(
            index: 0, kind: .text, codec: .webVTT,
            codecPrivate: Array("WEBVTT - x\n\nNOTE a\n\nSTYLE\na{}\n\nREGION\nid:r".utf8))
        stream.inlineTimeOrigin = .timeline
        for seed in 0..<150 {
            var packets = randomPackets(UInt64(seed)) { generator in
                var data: [SideData] = []
                if Bool.random(using: &generator) {
                    data.append(SideData(.webVTTIdentifier, Array(randomLine(&generator).utf8)))
                }
                if Bool.random(using: &generator) {
                    data.append(SideData(.webVTTSettings, Array("line:0 region:r".utf8)))
                }
                if Bool.random(using: &generator) {
                    data.append(SideData(.webVTTComment, Array("NOTE a\nb\n\nNOTE c".utf8)))
                }
                return data
            }
            packets[7].sideData.append(SideData(.webVTTTrailer, Array("NOTE z".utf8)))
            let file = try written(packets, of: stream)
            let read = try ReadTextFile(WebVTTFileReader.self, file)
            #expect(read.contents == packets, "\(String(decoding: file, as: UTF8.self))")
            expectPositions(read, in: file)
            #expect(read.stream == stream)
            #expect(read.notes == [])
            #expect(try written(read.packets, of: read.stream) == file)
        }
    }

    @Test func subRip() throws {
        let stream = StreamDescription(index: 0, kind: .text, codec: .subRip)
        for seed in 0..<300 {
            var packets = randomPackets(UInt64(seed)) { generator in
                Bool.random(using: &generator)
                    ? [
                        SideData(
                            .subtitlePosition, [1, 0, 0, 0, 2, 0, 0, 0, 3, 1, 0, 0, 4, 0, 0, 0])
                    ]
                    : []
            }
            // White space at either end of a text is not kept.
            for index in packets.indices {
                packets[index].data = [0x78] + packets[index].data + [0x78]
            }
            let file = try written(packets, of: stream)
            let read = try ReadTextFile(SubRipFileReader.self, file)
            #expect(read.contents == packets, "\(String(decoding: file, as: UTF8.self))")
            expectPositions(read, in: file)
            #expect(read.diagnostics.isEmpty)
            #expect(try written(read.packets, of: read.stream) == file)
        }
    }

    /// The position of a packet is that of its text.
    private func expectPositions(_ read: ReadTextFile, in file: [UInt8]) {
        for packet in read.packets where !packet.data.isEmpty {
            guard let position = packet.position.map({ Int($0) }) else {
                Issue.record("a packet has no position")
                continue
            }
            #expect(file[position...].starts(with: packet.data))
        }
    }
}
