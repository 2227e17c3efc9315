import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Cues, their times and places, and what damaged packets leave.
@Suite struct CEA608DecoderTests {
    /// A packet at a time in seconds.
    private func packet(_ seconds: Int64, _ pairs: [(UInt8, UInt8)]..., field: UInt8 = 0) -> Packet
    {
        packet(milliseconds: seconds * 1000, pairs.flatMap { $0 }, field: field)
    }

    private func packet(
        milliseconds: Int64, _ pairs: [(UInt8, UInt8)], field: UInt8 = 0
    ) -> Packet {
        Packet(
            streamIndex: 0, pts: milliseconds, timeBase: .milliseconds,
            data: pairs.flatMap { [0xFC | field, $0.0, $0.1] })
    }

    private func stream(_ service: String? = nil) -> StreamDescription {
        var stream = StreamDescription(index: 0, kind: .text, codec: .cea608)
        stream.service = service
        return stream
    }

    /// `start-end place text` of each cue; `?` for an open end.
    private func lines(
        _ packets: [Packet], service: String? = nil, rollUpLines: Bool = false
    ) -> [String] {
        var decoder = CEA608Decoder(
            stream: stream(service), options: DecodingOptions(rollUpLines: rollUpLines))
        let events = packets.flatMap { decoder.decode($0) } + decoder.finish()
        return drafts(events).map { draft in
            let end = draft.end.map { "\($0.time.roundedMilliseconds)" } ?? "?"
            return "\(draft.start.roundedMilliseconds)-\(end) \(dump(draft.layout)) "
                + dump(styledText(draft.cue())).replacing("\n", with: "/")
        }
    }

    private let load = code(0x14, 0x20) + code(0x14, 0x2E)
    private let show = code(0x14, 0x2F)
    private let erase = code(0x14, 0x2C)
    private let row14 = code(0x14, 0x50)
    private let row15 = code(0x14, 0x70)

    /// The pair that ends a caption is shown in its frame, the sixth of the packet.
    @Test func popOnBeginsWithItsEndCode() {
        #expect(
            lines([packet(1, load, row15, characters("hi"), show), packet(3, erase)])
                == ["1133-3000 line:84.67%,start position:10.0%,auto align:left hi"])
        #expect(
            lines([packet(1, load, row15, characters("hi"), show)]).first?.hasPrefix("1133-? ")
                == true)
    }

    @Test func placesAndAlignment() {
        func place(_ codes: [(UInt8, UInt8)]...) -> [String] {
            lines([packet(0, load, codes.flatMap { $0 }, show)])
                .map { String($0.drop { $0 != " " }.dropFirst()) }
        }
        // Centered in the middle of the screen, to half a column.
        #expect(
            place(code(0x14, 0x76), code(0x17, 0x22), characters("four"))
                == ["line:84.67%,start four"])
        #expect(
            place(
                code(0x14, 0x56), code(0x17, 0x22), characters("four"), code(0x14, 0x76),
                characters("sixsix7")) == ["line:79.33%,start four/sixsix7"])
        // Centered elsewhere.
        #expect(
            place(
                code(0x14, 0x54), code(0x17, 0x21), characters("ab"), code(0x14, 0x74),
                characters("four"))
                == ["line:79.33%,start position:35.0%,auto ab/four"])
        // Rows that begin at different columns keep them.
        #expect(
            place(row14, characters("first row"), code(0x14, 0x74), characters("b"))
                == [
                    "line:79.33%,start position:10.0%,auto align:left first row/"
                        + String(repeating: "\u{A0}", count: 8) + "b"
                ])
        // Rows apart are cues of their own.
        #expect(
            place(code(0x11, 0x50), characters("top"), row15, characters("end"))
                == [
                    "line:10.0%,start position:10.0%,auto align:left top",
                    "line:84.67%,start position:10.0%,auto align:left end",
                ])
    }

    @Test func looks() {
        let codes =
            code(0x14, 0x4A) + characters("a") + code(0x11, 0x2E) + characters("b c ")
            + code(0x10, 0x25) + characters("d") + code(0x14, 0x28) + characters("e")
        #expect(
            lines([packet(0, load, codes, show)]).first?.hasSuffix(
                "a [color=ffff00ff]|b c[i color=ffff00ff]"
                    + "| d [i color=ffff00ff background=0000ff80]"
                    + "|e[i color=ffff00ff background=0000ff80 class=blink]") == true)
    }

    /// Every screen is a cue, or every line.
    @Test func rollUp() {
        let packets = [
            packet(1, code(0x14, 0x25), row15, characters("ab"), characters("cd")),
            packet(2, code(0x14, 0x2D), row15, characters("ef")),
            packet(3, code(0x14, 0x2D), row15, characters("gh")), packet(4, erase),
        ]
        let places = lines(packets).map { String($0.split(separator: " ").first ?? "") }
        let texts = lines(packets).map { String($0.split(separator: " ").last ?? "") }
        #expect(texts == ["ab", "abcd", "abcd", "abcd/ef", "ef", "ef/gh"])
        #expect(
            places == [
                "1067-1100", "1100-2000", "2000-2067", "2067-3000", "3000-3067", "3067-4000",
            ])
        let place = "line:84.67%,start position:10.0%,auto align:left"
        #expect(
            lines(packets, rollUpLines: true) == [
                "1067-2067 \(place) abcd", "2067-3067 \(place) ef", "3067-4000 \(place) gh",
            ])
    }

    @Test func services() {
        let packets = [
            packet(0, code(0x14, 0x29), row15, characters("one")),
            packet(1, code(0x1C, 0x29), code(0x1C, 0x70), characters("two")),
            packet(1, code(0x15, 0x29), row15, characters("three"), field: 1),
            packet(2, code(0x14, 0x2A), characters("text")),
        ]
        #expect(lines(packets).last?.hasSuffix(" one") == true)
        #expect(lines(packets, service: "CC2").last?.hasSuffix(" two") == true)
        #expect(lines(packets, service: "CC3").last?.hasSuffix(" three") == true)
        #expect(lines(packets, service: "CC4").isEmpty)
        #expect(lines(packets, service: "T1").last?.hasSuffix(" text") == true)
        #expect(CEA608Service.allCases.map(\.name).count == 8)
        #expect(CEA608Service(name: "CC5") == nil)
    }

    // MARK: Damage

    @Test func wrongParity() {
        var decoder = CEA608Decoder(stream: stream())
        var damaged = packet(1, load, row15, characters("word"), show)
        damaged.data[10] ^= 0x80
        let events = decoder.decode(damaged) + decoder.finish()
        #expect(drafts(events).map { $0.cue().plainText } == ["█ord"])
        let diagnostics = decoder.diagnostics.take()
        #expect(diagnostics.map(\.code) == ["parity"] && diagnostics[0].severity == .error)
    }

    @Test func packetsThatAreCutOrHaveNoTime() {
        var decoder = CEA608Decoder(stream: stream())
        var cut = packet(1, load)
        cut.data.removeLast()
        _ = decoder.decode(cut)
        cut.pts = nil
        _ = decoder.decode(cut)
        #expect(decoder.diagnostics.take().map(\.code) == ["truncated-packet", "missing-time"])
    }

    /// Triplets without `cc_valid`, and those of DTVCC packets, are nothing.
    @Test func otherTriplets() {
        var data = packet(1, load, row15, characters("hi"), show)
        for type: UInt8 in [0xF8, 0xFE, 0xFF, 0xFD] { data.data += [type, 0x94, 0x2C] }
        #expect(lines([data]).count == 1 && lines([data])[0].hasPrefix("1133-? "))
    }

    /// A clock that jumps back ends what is shown with what was received before.
    @Test func clockJumpsBack() {
        let found = lines([
            packet(100, load, row15, characters("a"), show), packet(101, code(0, 0)),
            packet(5, load, row15, characters("b"), show), packet(6, erase),
        ])
        #expect(
            found.map { $0.split(separator: " ")[0] } == ["100133-101000", "5133-6000"])
    }

    @Test func damagedPackets() {
        let whole = packet(
            1, load, code(0x14, 0x4A), characters("abc"), code(0x12, 0x21), code(0x17, 0x22), show,
            code(0x14, 0x26), characters("def"), code(0x14, 0x2D), characters("x")
        ).data
        for data in truncations(of: whole) { check(data) }
        for data in bitFlips(of: whole, count: 2000) { check(data) }
    }

    private func check(_ data: [UInt8]) {
        for service in [nil, "CC2", "T1"] {
            var decoder = CEA608Decoder(stream: stream(service))
            let packet = Packet(streamIndex: 0, pts: 0, timeBase: .milliseconds, data: data)
            for draft in drafts(decoder.decode(packet) + decoder.finish()) {
                #expect(draft.end.map { $0.time > draft.start } ?? true)
                #expect(!styledText(draft.cue()).plainText.isEmpty)
            }
        }
    }

    @Test func resetForgets() {
        var decoder = CEA608Decoder(stream: stream())
        _ = decoder.decode(packet(1, load, row15, characters("hi"), show))
        decoder.reset()
        #expect(decoder.finish().isEmpty)
    }

    // MARK: Samples of MP4

    @Test func samples() {
        func atom(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(8 + bytes.count)] + Array(type.utf8) + bytes
        }
        func unpacked(_ data: [UInt8]) -> ([UInt8], [String]) {
            var unpacker = CDATUnpacker()
            let packet = Packet(streamIndex: 0, pts: 0, timeBase: .milliseconds, data: data)
            let packets = unpacker.add(packet) + unpacker.finish()
            return (packets.flatMap(\.data), unpacker.diagnostics.take().map(\.code))
        }
        let both =
            atom("cdat", [0x94, 0x20, 0x94, 0x2F]) + atom("free", [1]) + atom("cdt2", [0x15, 0x2C])
        let triplets: [UInt8] = [0xFC, 0x94, 0x20, 0xFC, 0x94, 0x2F, 0xFD, 0x15, 0x2C]
        #expect(unpacked(both).0 == triplets)
        // libavformat's packets are triplets already.
        #expect(unpacked(triplets).0 == triplets)
        let cut = unpacked(Array(both.dropLast()))
        #expect(cut.0 == Array(triplets.dropLast(3)) && cut.1 == ["damaged-sample"])
        for data in truncations(of: both) { _ = unpacked(data) }
        for data in bitFlips(of: both, count: 500) { _ = unpacked(data) }
    }
}
