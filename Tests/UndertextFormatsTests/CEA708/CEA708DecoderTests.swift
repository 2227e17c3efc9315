import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Cues, their times and places, and what damaged packets leave.
@Suite struct CEA708DecoderTests {
    /// A packet at a time in milliseconds with the codes of a service.
    private func packet(
        _ milliseconds: Int64, _ number: UInt8, _ parts: [UInt8]..., service: UInt8 = 1
    ) -> Packet {
        packet(milliseconds, data: channelPacket(number, (service, parts.flatMap { $0 })))
    }

    private func packet(_ milliseconds: Int64, data: [UInt8]) -> Packet {
        Packet(streamIndex: 0, pts: milliseconds, timeBase: .milliseconds, data: data)
    }

    private func stream(_ service: String? = nil) -> StreamDescription {
        var stream = StreamDescription(index: 0, kind: .text, codec: .cea708)
        stream.service = service
        return stream
    }

    private func decode(
        _ packets: [Packet], service: String? = nil, rollUpLines: Bool = false
    ) -> (cues: [DecodedCue], codes: [String]) {
        var decoder = CEA708Decoder(
            stream: stream(service), options: DecodingOptions(rollUpLines: rollUpLines))
        let events = packets.flatMap { decoder.decode($0) } + decoder.finish()
        return (drafts(events), decoder.diagnostics.take().map(\.code))
    }

    /// `start-end place text` of each cue; `?` for an open end.
    private func lines(
        _ packets: [Packet], service: String? = nil, rollUpLines: Bool = false
    ) -> [String] {
        decode(packets, service: service, rollUpLines: rollUpLines).cues.map { draft in
            let end = draft.end.map { "\($0.time.roundedMilliseconds)" } ?? "?"
            return "\(draft.start.roundedMilliseconds)-\(end) \(dump(draft.layout)) "
                + dump(styledText(draft.cue())).replacing("\n", with: "/")
        }
    }

    private func places(_ parts: [UInt8]...) -> [String] {
        lines([packet(0, 0, parts.flatMap { $0 })])
            .map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    private let show: [UInt8] = [0x89, 0xFF]
    private let hide: [UInt8] = [0x8A, 0xFF]

    @Test func popOnBeginsWhenItIsDisplayed() {
        let packets = [
            packet(1000, 0, define(0), letters("hi")), packet(2000, 1, show), packet(3500, 2, hide),
        ]
        let place = "line:74.0%,start position:19.52%,auto align:left"
        #expect(lines(packets) == ["2000-3500 \(place) hi"])
        #expect(lines(Array(packets.dropLast())) == ["2000-? \(place) hi"])
    }

    /// Each window has its own cue; one that changes leaves the others alone.
    @Test func severalWindows() {
        let found = decode([
            packet(1000, 0, define(0, row: 5, isVisible: true), letters("upper")),
            packet(2000, 1, define(1, isVisible: true, priority: 3), letters("lower")),
            packet(3000, 2, letters("!")), packet(4000, 3, hide),
        ]).cues
        #expect(found.map { styledText($0.cue()).plainText } == ["lower", "upper", "lower!"])
        #expect(found.map { $0.start.roundedMilliseconds } == [2000, 1000, 3000])
        #expect(found.map { $0.cue().layer } == [-3, 0, -3])
        #expect(found.map { $0.end?.time.roundedMilliseconds } == [3000, 4000, 4000])
    }

    @Test func placesAndAlignment() {
        // Centered on the screen by columns: a window of 20 columns in the middle, letters in its middle.
        #expect(
            places(define(0, columns: 20, column: 55), [0x92, 0, 8], letters("four"), show)
                == ["line:74.0%,start four"])
        // Text that a viewer sees growing is not centered.
        #expect(
            places(
                define(0, columns: 20, column: 55, isVisible: true), [0x92, 0, 8], letters("four"))
                == ["line:74.0%,start position:46.19%,auto align:left four"])
        // Centered and right-aligned text, regardless of the columns.
        #expect(
            places(define(0, style: 3), letters("one"), [0x0D], letters("three"), show)
                == ["line:74.0%,start one/three"])
        #expect(
            places(define(0), [0x97, 0, 0, 0x0D, 0], letters("one"), show)
                == ["line:74.0%,start position:80.48%,auto align:right one"])
        // Rows apart are blocks of their own; rows that begin at different columns keep them.
        #expect(
            places(
                define(0, rows: 4, row: 40), [0x92, 0, 2], letters("ab"), [0x0D], letters("b"),
                [0x92, 3, 0], letters("end"), show)
                == [
                    "line:52.67%,start position:19.52%,auto align:left \u{A0}\u{A0}ab/b",
                    "line:68.67%,start position:19.52%,auto align:left end",
                ])
    }

    /// Printed from the right, and from the top in columns that grow to the right or to the left.
    @Test func directions() throws {
        func cue(_ attributes: UInt8) throws -> (layout: CueLayout, text: String) {
            let text = codes(define(0), [0x97, 0, 0, attributes, 0], letters("ab"), [0x0D])
            let cues = decode([packet(0, 0, text, letters("c"), show)]).cues
            let draft = try #require(cues.first)
            return (draft.layout, styledText(draft.cue()).plainText)
        }
        let right = try cue(0x1C)
        #expect(right.text == "ab\nc" && right.layout.direction == .rightToLeft)
        #expect(right.layout.textAlignment == .right && right.layout.position == 80.48)
        let down = try cue(0x24)
        #expect(down.text == "ab\nc" && down.layout.vertical == .growingRight)
        #expect(down.layout.line == 19.52 && down.layout.position == 74)
        let left = try cue(0x20)
        #expect(left.text == "ab\nc" && left.layout.vertical == .growingLeft)
    }

    /// Anchors count a fifth of a column of the screen: 42 columns, or 32 of a narrow one.
    @Test func narrowVideo() {
        var narrow = stream()
        narrow.size = PixelSize(width: 640, height: 480)
        var decoder = CEA708Decoder(stream: narrow)
        let text = codes(define(0, columns: 32, column: 0, isVisible: true), letters("ab"))
        let found = drafts(decoder.decode(packet(0, 0, text)) + decoder.finish())
        #expect(found.map { $0.layout.position } == [10])
        #expect(places(define(0, columns: 42, column: 0, style: 3), letters("ab"), show).count == 1)
        #expect(
            places(define(0, column: 209, isVisible: true), letters("ab"))
                == ["line:74.0%,start position:29.05%,auto align:left ab"])
    }

    @Test func looks() {
        let text = places(
            define(0, style: 2), letters("a"), [0x90, 0x05, 0xC0], letters("b"),
            [0x91, 0x30, 0x8F, 0], letters("c "), [0x91, 0x7F, 0xC0, 0], letters("d"), show
        ).first?.split(separator: "left ").last
        #expect(
            text
                == "a|b[i u]|c [i u color=ff0000ff background=00ffff80]|d[i u background=00000000 class=blink]"
        )
        // The fill is visible around characters without a background.
        #expect(
            places(define(0), [0x97, 0x03, 0, 0x0C, 0, 0x91, 0x3F, 0xC0, 0], letters("a"), show)
                == ["line:74.0%,start position:19.52%,auto align:left a[background=0000ffff]"])
        let fonts = places(
            define(0), [0x90, 0x04, 0x02], letters("a"), [0x90, 0x06, 0x03], letters("b"), show)
        #expect(
            fonts.first?.hasSuffix(
                "a[font=serif size=percent(75)]|b[font=monospace size=percent(125)]")
                == true)
        #expect(places(define(0), [0x90, 0xF5, 0], letters("unseen"), show).isEmpty)
    }

    @Test func edgesAndFill() throws {
        let text = codes(
            define(0, style: 2, pen: 6), [0x97, 0x83, 0, 0x0C, 0], letters("a"),
            [0x90, 0x05, 0x28],
            letters("b"))
        let found = decode([packet(0, 0, text, show)]).cues
        let cue = try #require(found.first).cue()
        let runs = styledText(cue).runs
        #expect(runs.map(\.text) == ["a", "b"])
        #expect(runs[0].style.outline == TextOutline(color: .black, width: 250))
        #expect(runs[1].style.shadows == [TextShadow(color: .black, x: 250, y: 250)])
        let fill = try #require(cue.layout.background)
        #expect(fill.color == RGBA(red: 0, green: 0, blue: 255, alpha: 128))
        #expect([fill.left, fill.top, fill.right, fill.bottom] == [19.52, 74, 80.48, 84.67])
        // An opaque black box is what players show anyway.
        let plain = decode([packet(0, 0, define(0), letters("a"), show)]).cues
        #expect(plain.first?.layout.background == nil && plain.count == 1)
    }

    /// Every screen is a cue, or every line.
    @Test func rollUp() {
        let packets = [
            packet(1000, 0, define(0, isVisible: true, style: 4), letters("ab")),
            packet(2000, 1, letters("cd")), packet(3000, 2, [0x0D]), packet(4000, 3, letters("ef")),
            packet(5000, 0, [0x0D], letters("gh")), packet(6000, 1, hide),
        ]
        let texts = lines(packets).map {
            "\($0.split(separator: " ")[0]) \($0.split(separator: " ").last ?? "")"
        }
        #expect(
            texts == ["1000-2000 ab", "2000-4000 abcd", "4000-5000 abcd/ef", "5000-6000 ef/gh"])
        let single = lines(packets, rollUpLines: true)
            .map { "\($0.split(separator: " ")[0]) \($0.split(separator: " ").last ?? "")" }
        #expect(single == ["1000-4000 abcd", "4000-5000 ef", "5000-6000 gh"])
    }

    @Test func services() {
        let first = (service: UInt8(1), data: codes(define(0, isVisible: true), letters("one")))
        let third = (service: UInt8(3), data: codes(define(0, isVisible: true), letters("three")))
        let last = (service: UInt8(63), data: codes(define(0, isVisible: true), letters("last")))
        let packets = [packet(0, data: channelPacket(0, first, third, last))]
        #expect(lines(packets).map { $0.hasSuffix(" one") } == [true])
        #expect(lines(packets, service: "SERVICE3").map { $0.hasSuffix(" three") } == [true])
        #expect(lines(packets, service: "SERVICE63").map { $0.hasSuffix(" last") } == [true])
        #expect(lines(packets, service: "SERVICE2").isEmpty)
        #expect(CEA708Service(name: "SERVICE63")?.number == 63)
        for name in ["SERVICE0", "SERVICE64", "SERVICE01", "SERVICE", "CC1", "SERVICE+1"] {
            #expect(CEA708Service(name: name) == nil)
        }
    }

    // MARK: Delays

    /// CTA-708-E, section 8.10.5: codes wait; a cancel or a reset ends that, and so does a full buffer.
    @Test func delays() {
        let begin = codes(define(0, isVisible: true), letters("a"), [0x8D, 15], letters("b"))
        #expect(
            times([packet(1000, 0, begin), packet(9000, 1, hide)]) == [
                "1000-2500 a", "2500-9000 ab",
            ])
        #expect(
            times([
                packet(1000, 0, begin), packet(2000, 1, [0x8E], letters("c")),
                packet(3000, 2, hide),
            ])
                == ["1000-2000 a", "2000-3000 abc"])
        #expect(
            times([packet(1000, 0, begin), packet(2000, 1, letters("x"), [0x8F])]) == [
                "1000-2000 a"
            ])
        // At the end of the input the delay is over, too.
        #expect(times([packet(1000, 0, begin)]) == ["1000-2500 a", "2500-? ab"])
        var full = [packet(0, 0, define(0, columns: 42, isVisible: true), [0x8D, 255])]
        for index in UInt8(1)...5 {
            full.append(packet(Int64(index) * 100, index & 3, [UInt8](repeating: 0x41, count: 30)))
        }
        #expect(times(full).first?.hasPrefix("500-? AAAA") == true)
    }

    private func times(_ packets: [Packet]) -> [String] {
        decode(packets).cues.map { draft in
            let end = draft.end.map { "\($0.time.roundedMilliseconds)" } ?? "?"
            return "\(draft.start.roundedMilliseconds)-\(end) \(styledText(draft.cue()).plainText)"
        }
    }

    // MARK: Damage

    @Test func missingPackets() {
        let whole = [
            packet(1000, 0, define(0, isVisible: true), letters("a")),
            packet(2000, 1, letters("b")), packet(3000, 2, letters("c")),
        ]
        #expect(decode(whole).codes.isEmpty)
        let found = decode([whole[0], whole[2]])
        #expect(found.codes == ["lost-packet"])
        #expect(times([whole[0], whole[2]]) == ["1000-3000 a", "3000-? ac"])
        // A code that is incomplete before the gap, and one that continues after it.
        let half = packet(1000, 0, define(0, isVisible: true), [0x90])
        #expect(times([half, packet(2000, 2, letters("abc"))]) == ["2000-? abc"])
        #expect(times([half, packet(2000, 1, letters("abc"))]) == ["2000-? c"])
        // An encoder that does not count.
        let same = decode([whole[0], packet(2000, 0, letters("b")), packet(3000, 0, letters("c"))])
        // One and how many more.
        #expect(same.codes == ["sequence-number", "sequence-number"])
        #expect(same.cues.last.map { styledText($0.cue()).plainText } == "abc")
    }

    @Test func brokenPackets() {
        // The header says eight bytes, another packet begins after six.
        let short = triplets([0x04, 0x23, 0x41, 0x42, 0x43, 0])
        let first = packet(0, 3, define(0, isVisible: true)).data
        let third = channelPacket(1, (1, letters("d")))
        let found = decode([packet(0, data: codes(first, short, third))])
        #expect(found.codes == ["incomplete-packet"])
        #expect(found.cues.map { styledText($0.cue()).plainText } == ["ABCd"])
        // A block is longer than its packet.
        let long = decode([packet(0, data: codes(first, triplets([0x02, 0x29, 0x41, 0x42])))])
        #expect(long.codes == ["damaged-block"])
        #expect(long.cues.map { styledText($0.cue()).plainText } == ["AB"])
        // 16 bits that are no character, and more characters than a line can have.
        let surrogate = decode([packet(0, 0, define(0, isVisible: true), [0x18, 0xD8, 0x01])])
        #expect(surrogate.codes == ["invalid-character"])
        let line = [UInt8](repeating: 0x41, count: 31)
        let full = decode([
            packet(0, 0, define(0, isVisible: true)), packet(1, 1, line), packet(2, 2, line),
            packet(3, 3, line),
        ])
        #expect(full.codes == ["long-line"])
        #expect(decode([packet(0, data: [0xFF, 0x02])]).codes == ["truncated-packet"])
    }

    /// CEA-608 in the same packet, padding, and bytes of a packet whose beginning is not there.
    @Test func otherTriplets() {
        let data = packet(0, 0, define(0, isVisible: true), letters("hi")).data
        let others: [UInt8] = [0xFC, 0x94, 0x2C, 0xFD, 0x80, 0x80, 0xFA, 0, 0]
        #expect(
            times([packet(0, data: codes([0xFE, 0x8F, 0x8F], others, data, others))]) == ["0-? hi"])
        // Pairs of CEA-608 come between the bytes of a packet.
        let mixed = stride(from: 0, to: data.count, by: 3).flatMap { index in
            codes([0xFC, 0x80, 0x80], Array(data[index..<index + 3]))
        }
        #expect(times([packet(0, data: mixed)]) == ["0-? hi"])
    }

    /// A clock that jumps back ends what is shown with the last time before.
    @Test func clockJumpsBack() {
        let found = times([
            packet(100_000, 0, define(0, isVisible: true), letters("a")),
            packet(101_000, 1, [0x03]),
            packet(5000, 2, [0x0C], letters("b")), packet(6000, 3, hide),
        ])
        #expect(found == ["100000-101000 a", "5000-6000 b"])
    }

    @Test func resetForgets() {
        var decoder = CEA708Decoder(stream: stream())
        _ = decoder.decode(packet(0, 0, define(0, isVisible: true), letters("a")))
        decoder.reset()
        #expect(decoder.finish().isEmpty && decoder.diagnostics.take().isEmpty)
    }

    @Test func damagedPackets() {
        let text = codes(
            define(0, isVisible: true, style: 4), letters("abc"),
            [0x0D, 0x10, 0x30, 0x8D, 3, 0x08, 0x97, 0x83, 0, 0x6C, 0])
        let second = codes([0x90, 5, 0xC0], letters("d"))
        let whole = codes(
            channelPacket(0, (1, text)), channelPacket(1, (1, second), (9, letters("e"))))
        for data in truncations(of: whole) { check(data) }
        for data in bitFlips(of: whole, count: 3000) { check(data) }
    }

    private func check(_ data: [UInt8]) {
        for service in [nil, "SERVICE9"] {
            let found = decode([packet(0, data: data), packet(400, data: data)], service: service)
            for draft in found.cues {
                #expect(draft.end.map { $0.time > draft.start } ?? true)
                #expect(!styledText(draft.cue()).plainText.isEmpty)
            }
        }
    }

    // MARK: Packets of containers

    /// Nothing but all packets before it makes the state at a packet known.
    @Test func everyPacketBuildsOnThoseBefore() {
        let rule = SubtitleFormat.randomAccess(of: stream("SERVICE2"))
        #expect(rule.buildsOnAllBefore && !rule.isEveryPacketWhole)
        #expect(rule.acquisitionSearch() == nil)
        #expect(!rule.role(of: packet(0, 0, define(0), service: 2).data).isRandomAccessPoint)
    }

    @Test func samples() {
        func unpacked(_ data: [UInt8]) -> ([UInt8], [String]) {
            var unpacker = CDPUnpacker()
            let packets = unpacker.add(packet(0, data: data)) + unpacker.finish()
            return (packets.flatMap(\.data), unpacker.diagnostics.take().map(\.code))
        }
        let triplets = packet(0, 0, define(0), letters("hi")).data
        let cdp = distributionPacket(triplets)
        let atom = codes([0, 0, 0, UInt8(8 + cdp.count)], letters("ccdp"), cdp)
        #expect(unpacked(cdp) == (triplets, []))
        #expect(
            unpacked(codes(atom, [0, 0, 0, 9], letters("free"), [1], atom)).0 == triplets + triplets
        )
        #expect(unpacked(atom) == (triplets, []))
        #expect(unpacked(triplets) == (triplets, []))
        var wrong = atom
        wrong[wrong.count - 1] ^= 1
        #expect(unpacked(wrong) == (triplets, ["checksum"]))
        #expect(unpacked(Array(atom.dropLast())) == (triplets, ["damaged-sample"]))
        for data in truncations(of: atom) { _ = unpacked(data) }
        for data in bitFlips(of: atom, count: 1000) { _ = unpacked(data) }
    }
}

/// A caption distribution packet of 29.97 frames a second with triplets and one service.
func distributionPacket(_ triplets: [UInt8], language: String = "eng") -> [UInt8] {
    var packet = codes(
        [0x96, 0x69, 0, 0x4F, 0xE7, 0, 1, 0x71, 0xC0, 0x80, 0x80, 0x00],
        [0x72, 0xE0 | UInt8(triplets.count / 3)], triplets, [0x73, 0x91, 0xE1], letters(language),
        [0xC1, 0x3F, 0xFF, 0x75, 1, 0, 0x74, 0, 1])
    packet[2] = UInt8(packet.count + 1)
    packet.append(0 &- packet.reduce(0, &+))
    return packet
}
