import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Copies of CEA-608: the pairs of a service as they are stored.
@Suite struct SCCPacketWriterTests {
    private static let names = [
        "pop_on", "paint_on", "roll_up", "attributes", "characters", "cursor", "channels",
        "field_2", "wrong_parity", "repetition", "noise",
    ]

    /// The copy of a stream, and the number of its cues.
    private func copy(
        _ packets: [Packet], of stream: StreamDescription, dropsFrames: Bool = false
    ) -> (text: String, count: Int, spans: [PacketSpan]) {
        var writer = SCCPacketWriter(
            stream: stream, options: PacketWriterOptions(dropsFrames: dropsFrames))
        var output: [[UInt8]] = [[]]
        writer.begin(into: &output)
        for packet in packets { writer.write(packet, into: &output) }
        writer.finish(into: &output)
        return (
            String(decoding: output[0], as: UTF8.self), writer.cueCount, writer.takeSpans() ?? []
        )
    }

    private func packets(
        _ reader: SCCFileReader, of service: String?
    ) throws -> [Packet] {
        var packets: [Packet] = []
        while let packet = try reader.nextPacket() {
            if reader.streams[packet.streamIndex].service == service { packets.append(packet) }
        }
        return packets
    }

    private func events(_ packets: [Packet], _ stream: StreamDescription) -> [DecodedEvent] {
        var decoder = CEA608Decoder(stream: stream)
        return packets.flatMap { decoder.decode($0) } + decoder.finish()
    }

    private func stream(_ service: String) -> StreamDescription {
        var stream = StreamDescription(index: 0, kind: .text, codec: .cea608)
        stream.service = service
        return stream
    }

    /// A packet of one video frame with pairs of both fields.
    private func picture(_ tick: Int64, _ one: [UInt8], _ two: [UInt8] = [0x80, 0x80]) -> Packet {
        Packet(
            streamIndex: 0, pts: tick, timeBase: .mpeg,
            data: [0xFC] + one + [0xFD] + two + [0xFA, 0, 0])
    }

    /// A file with one service stays as it is, byte for byte.
    @Test(arguments: ["pop_on", "paint_on", "roll_up", "characters", "field_2", "wrong_parity"])
    func copiesAreEqual(_ name: String) throws {
        let bytes = try fixtureBytes("captions/\(name).scc")
        let reader = SCCFileReader(bytes, limits: Limits())
        try #require(reader.streams.count == 1)
        let copied = copy(try packets(reader, of: reader.stream.service), of: reader.stream)
        #expect(copied.text == String(decoding: bytes, as: UTF8.self))
    }

    /// Each copy has one service, with the cues of the source.
    @Test(arguments: names, [false, true])
    func cuesAreThoseOfTheSource(_ name: String, dropsFrames: Bool) throws {
        let bytes = try fixtureBytes("captions/\(name).scc")
        var total = 0
        for stream in SCCFileReader(bytes, limits: Limits()).streams {
            let source = try packets(SCCFileReader(bytes, limits: Limits()), of: stream.service)
            let expected = events(source, stream)
            let copied = copy(source, of: stream, dropsFrames: dropsFrames)
            let cues = expected.count { if case .cue = $0 { true } else { false } }
            #expect(copied.count == cues && copied.spans.count == cues)
            total += cues
            let text = Array(copied.text.utf8)
            #expect(events(try reread(text, of: stream.service), stream) == expected)
            // Of noise in one field some codes are those of the other one.
            guard name != "noise", cues > 0 else { continue }
            let reader = SCCFileReader(text, limits: Limits())
            #expect(reader.streams.map(\.service) == [stream.service])
        }
        #expect(total > 0)
    }

    /// The packets of a copy, whose lines are all of one field.
    private func reread(_ text: [UInt8], of name: String?) throws -> [Packet] {
        let service = try #require(name.flatMap(CEA608Service.init(name:)))
        var parser = SCCParser(rate: 30, limits: Limits(), diagnostics: DiagnosticSink { _ in })
        parser.parse(text)
        return parser.lines.map { line in
            let triplets = stride(from: 0, to: line.pairs.count, by: 2).flatMap {
                [CaptionTriplet.marker | UInt8(service.field)] + line.pairs[$0...($0 + 1)]
            }
            return Packet(
                streamIndex: 0, pts: line.frame, timeBase: TimeBase(1001, 30000), data: triplets)
        }
    }

    /// Pictures that follow one another make a line; those without data end it.
    @Test func linesOfVideo() {
        let codes: [[UInt8]] = [
            [0x94, 0x20], [0x94, 0x20], [0x80, 0x80], [0x80, 0x80], [0xC8, 0xE9], [0x94, 0x2F],
        ]
        let pictures = codes.enumerated().map { picture(Int64(30 + $0) * 3003, $1) }
        #expect(
            copy(pictures, of: stream("CC1"), dropsFrames: true).text
                == "Scenarist_SCC V1.0\n\n00:00:01;00\t9420 9420\n\n00:00:01;04\tc8e9 942f\n")
        #expect(copy(pictures, of: stream("CC3")).text == "Scenarist_SCC V1.0\n")
    }

    /// Pictures of 25 frames a second are not the frames of line 21; a code and its repetition stay together.
    @Test func linesOfOtherRates() throws {
        let codes: [[UInt8]] =
            [
                [0x94, 0x20], [0x94, 0x20], [0x94, 0xAE], [0x94, 0xAE], [0x94, 0x70], [0x94, 0x70],
            ]
            + [[UInt8]](repeating: [0xC8, 0xE9], count: 10) + [[0x94, 0x2F], [0x94, 0x2F]]
        let pictures = codes.enumerated().map { picture(Int64(25 + $0) * 3600, $1) }
        let copied = copy(pictures, of: stream("CC1"))
        let reader = SCCFileReader(Array(copied.text.utf8), limits: Limits())
        let packets = try packets(reader, of: "CC1")
        let found = packets.flatMap { packet in
            CaptionTriplet.all(in: packet.data).map { [$0.first, $0.second] }
        }
        #expect(found == codes)
        for (packet, next) in zip(packets, packets.dropFirst()) {
            let first = Array(next.data.dropFirst().prefix(2))
            #expect(first[0] == 0xC8 || Array(packet.data.suffix(2)) != first)
        }
        // End Of Caption is sent within two frames of its frame.
        let end = try #require(packets.last)
        let last = (end.pts ?? 0) + (end.duration ?? 0)
        let due = Double(25 + codes.count) * 0.04 * 30 / 1.001
        #expect((Double(last) - due).magnitude <= 2)
    }

    /// A clock that jumps back makes lines that follow one another.
    @Test func timesNeverGoBack() throws {
        let pictures = [3003 * 100, 3003, 3003 * 2, 3003 * 50].map {
            picture(Int64($0), [0x94, 0x2C])
        }
        let copied = copy(pictures, of: stream("CC1"))
        let frames = try packets(
            SCCFileReader(Array(copied.text.utf8), limits: Limits()), of: "CC1"
        ).map { $0.pts ?? -1 }
        #expect(frames == frames.sorted() && frames.first == 100)
    }

    /// Whatever packets hold, what is written can be read.
    @Test func damagedPackets() throws {
        let data = try fixtureBytes("captions/pop_on.scc")
        for length in 0..<40 {
            let packet = Packet(
                streamIndex: 0, pts: Int64(length), timeBase: .mpeg,
                data: Array(data.dropFirst(length).prefix(length)))
            let text = copy([packet, packet], of: stream("CC1")).text
            var codes: [String] = []
            _ = SCCFileReader(
                Array(text.utf8), limits: Limits(),
                diagnostics: DiagnosticSink { codes.append($0.code) })
            #expect(codes.allSatisfy { $0 == "no-parity" || $0 == "late-line" }, "\(codes)")
        }
        let long = Packet(
            streamIndex: 0, pts: 0, timeBase: .mpeg,
            data: [[UInt8]](repeating: [0xFC, 0xC8, 0xE9], count: 25_000).flatMap(\.self))
        #expect(copy([long], of: stream("CC1")).text.split(separator: "\n").count == 4)
    }
}
