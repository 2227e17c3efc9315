import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// Captions in the user data of video, in each syntax that carries them.
@Suite struct CaptionExtractorTests {
    /// `user_data_type_code` 3 of ATSC with these triplets: type, first byte, second byte.
    private static func atsc(_ triplets: [[UInt8]]) -> [UInt8] {
        var data: [UInt8] = [0x47, 0x41, 0x39, 0x34, 0x03]
        data += [0x40 | UInt8(triplets.count), 0xFF]
        for triplet in triplets {
            data.append(0xF8 | triplet[0])
            data += triplet.dropFirst()
        }
        return data + [0xFF]
    }

    /// Triplets as they come out.
    private static func triplets(_ list: [[UInt8]]) -> [UInt8] {
        list.flatMap { [0xF8 | $0[0]] + $0.dropFirst() }
    }

    private static let words: [UInt8] = atsc([[4, 0xC8, 0xE9], [5, 0x80, 0x80], [2, 0, 0]])
    private static let both: [UInt8] = atsc([[4, 0xC8, 0xE9], [7, 0x02, 0x21], [6, 0x41, 0]])
    private static let padding: [UInt8] = atsc([[4, 0x80, 0x80], [5, 0x80, 0x80], [2, 0, 0]])

    private static func mpeg(_ userData: [UInt8]) -> [UInt8] {
        var packet: [UInt8] = [0, 0, 1, 0x00, 0x12, 0x34, 0, 0, 1, 0xB2]
        packet += userData
        packet += [0, 0, 1, 0x01, 0x77, 0x77]
        return packet
    }

    private static func t35(_ data: [UInt8]) -> [UInt8] { [0xB5, 0x00, 0x31] + data }

    /// An SEI NAL unit: a message of another type first, then ITU-T T.35.
    private static func sei(_ header: [UInt8], _ data: [UInt8]) -> [UInt8] {
        let payload = t35(data)
        var message: [UInt8] = [0x01, 0x01, 0x00, 0x04, UInt8(payload.count)]
        message += payload
        message.append(0x80)
        return header + escaped(message)
    }

    /// The bytes with `emulation_prevention_three_byte`.
    private static func escaped(_ message: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        var zeros = 0
        for byte in message {
            if byte <= 3, zeros == 2 {
                escaped.append(3)
                zeros = 0
            }
            escaped.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return escaped
    }

    private static func annexB(_ units: [[UInt8]]) -> [UInt8] {
        var packet: [UInt8] = []
        for unit in units {
            packet += [0, 0, 0, 1]
            packet += unit
        }
        return packet
    }

    private static func byLength(_ units: [[UInt8]], size: Int) -> [UInt8] {
        var packet: [UInt8] = []
        for unit in units {
            for byte in (0..<size).reversed() {
                packet.append(UInt8(truncatingIfNeeded: unit.count >> (8 * byte)))
            }
            packet += unit
        }
        return packet
    }

    private static let slice: [UInt8] = [0x65, 0x88, 0x84, 0x00, 0x21]
    private static let hevcSlice: [UInt8] = [0x26, 0x01, 0xAF, 0x08]

    private static func av1(_ data: [UInt8]) -> [UInt8] {
        var payload: [UInt8] = [0x04]
        payload += t35(data)
        var packet: [UInt8] = [0x12, 0x00, 0x2A, UInt8(payload.count)]
        packet += payload
        packet += [0x32, 0x02, 0x10, 0x00]
        return packet
    }

    /// The same OBUs, each with a start code and without its size, which is optional there.
    private static func av1InTransportStream(_ data: [UInt8]) -> [UInt8] {
        var metadata: [UInt8] = [0x28, 0x04]
        metadata += t35(data)
        let frame: [UInt8] = [0x30, 0x10, 0x00]
        return annexB([[0x10], escaped(metadata), frame])
    }

    /// Every syntax with some user data: its name, the codec, the packet.
    private static func packets(_ data: [UInt8]) -> [(String, String, [UInt8])] {
        let h264 = [sei([0x06], data), slice]
        let hevc = [sei([0x4E, 0x01], data), hevcSlice]
        return [
            ("MPEG-2", "mpeg2video", mpeg(data)),
            ("H.264, Annex B", "h264", annexB(h264)),
            ("H.264, lengths of 4 bytes", "h264", byLength(h264, size: 4)),
            ("H.264, lengths of 2 bytes", "h264", byLength(h264, size: 2)),
            ("HEVC, Annex B", "hevc", annexB(hevc)),
            ("HEVC, lengths of 4 bytes", "hevc", byLength(hevc, size: 4)),
            ("AV1", "av1", av1(data)),
            ("AV1, start codes", "av1", av1InTransportStream(data)),
        ]
    }

    private static func extractor(
        _ codec: String, diagnostics: DiagnosticSink = .init()
    ) throws -> CaptionExtractor {
        let stream = StreamDescription(
            index: 3, kind: .video, codec: CodecID(rawValue: codec), timeBase: .mpeg)
        return try #require(CaptionExtractor(stream, diagnostics: diagnostics))
    }

    private static func packet(_ data: [UInt8], at pts: Int64? = 9000) -> Packet {
        Packet(streamIndex: 3, pts: pts, timeBase: .mpeg, position: 77, data: data)
    }

    private static func found(
        _ codec: String, _ packets: [Packet], diagnostics: DiagnosticSink = .init()
    ) throws -> [Packet] {
        var extractor = try extractor(codec, diagnostics: diagnostics)
        var ready: [Packet] = []
        for packet in packets { extractor.add(packet, to: &ready) }
        extractor.finish(to: &ready)
        return ready
    }

    private static func bytes(_ codec: String, _ data: [UInt8]) throws -> [UInt8] {
        try found(codec, [packet(data)]).flatMap(\.data)
    }

    @Test func findsValidTripletsInEverySyntax() throws {
        let words = Self.triplets([[4, 0xC8, 0xE9], [5, 0x80, 0x80]])
        for (name, codec, packet) in Self.packets(Self.words) {
            #expect(try Self.bytes(codec, packet) == words, "\(name)")
        }
        let both = Self.triplets([[4, 0xC8, 0xE9], [7, 0x02, 0x21], [6, 0x41, 0]])
        for (name, codec, data) in Self.packets(Self.both) {
            let packets = try Self.found(codec, [Self.packet(data)])
            #expect(packets.map(\.data) == [both], "\(name)")
            #expect(packets.first?.pts == 9000 && packets.first?.streamIndex == 3)
            #expect(packets.first?.position == 77)
        }
    }

    @Test func videoWithoutUserDataHasNone() throws {
        #expect(try Self.found("h264", [Self.packet(Self.annexB([Self.slice]))]).isEmpty)
        #expect(try Self.found("hevc", [Self.packet(Self.annexB([Self.hevcSlice]))]).isEmpty)
        let stream = StreamDescription(
            index: 0, kind: .video, codec: CodecID(rawValue: "vp9"))
        #expect(CaptionExtractor(stream) == nil)
    }

    @Test func lengthsAreAsTheHeaderStates() throws {
        // A unit of 256 to 511 bytes looks like a start code.
        let filler = [0x0C] + [UInt8](repeating: 0xFF, count: 299)
        let data = Self.byLength([filler, Self.sei([0x06], Self.words), Self.slice], size: 4)
        var stream = StreamDescription(
            index: 3, kind: .video, codec: CodecID(rawValue: "h264"), timeBase: .mpeg)
        stream.codecPrivate = [1, 77, 0, 30, 0xFF, 0xE0, 0]
        var extractor = try #require(CaptionExtractor(stream))
        var ready: [Packet] = []
        extractor.add(Self.packet(data), to: &ready)
        extractor.finish(to: &ready)
        #expect(ready.count == 1)
    }

    // MARK: Other syntaxes of MPEG video

    @Test func pairsOfDVDsBeginWithTheFirstPictureOfTheGroup() throws {
        let dvd: [UInt8] = [
            0x43, 0x43, 0x01, 0xF8, 0x84, 0xFF, 0x94, 0x2C, 0xFE, 0x80, 0x80, 0xFF, 0xC8, 0xE9,
            0xFE,
            0x80, 0x80,
        ]
        let group: [UInt8] = [0, 0, 1, 0xB8, 0, 8, 0, 0, 0, 0, 1, 0xB2] + dvd
        // temporal_reference 2: two pictures are shown before the one that is decoded first.
        let picture: [UInt8] = [0, 0, 1, 0, 0x00, 0x8F, 0xFF, 0, 0, 1, 1, 0x22]
        let packets = try Self.found("mpeg2video", [Self.packet(group + picture, at: 90_000)])
        let pairs: [[UInt8]] = [
            [4, 0x94, 0x2C], [5, 0x80, 0x80], [4, 0xC8, 0xE9], [5, 0x80, 0x80],
        ]
        #expect(packets.map(\.data) == [Self.triplets(pairs)])
        #expect(packets.map(\.pts) == [90_000 - 2 * 3003])
    }

    /// User data of SCTE 20 with a pair in each of some fields.
    private static func scte20(_ fields: [Int]) throws -> [UInt8] {
        func bits(_ value: Int, _ count: Int) -> String {
            let digits = String(value, radix: 2)
            return String(repeating: "0", count: count - digits.count) + digits
        }
        // Priority 0, line 10, then 0xC8 and 0xE9 with the low bit first.
        let pairs = fields.map { "00" + bits($0, 2) + "01010" + "00010011" + "10010111" + "1" }
        let text = bits(fields.count, 5) + pairs.joined()
        let padded = text + String(repeating: "0", count: (8 - text.count % 8) % 8)
        var data: [UInt8] = [0x03, 0x81]
        for start in stride(from: 0, to: padded.count, by: 8) {
            data.append(try #require(UInt8(padded.dropFirst(start).prefix(8), radix: 2)))
        }
        return data
    }

    @Test func fieldsOfSCTE20FollowTheFirstField() throws {
        let data = try Self.scte20([1, 2, 3, 0])
        func packet(topFieldFirst: Bool) -> [UInt8] {
            let flags: UInt8 = topFieldFirst ? 0x80 : 0
            let coding: [UInt8] = [0, 0, 1, 0xB5, 0x8F, 0xFF, 0xF3, flags, 0x80]
            return [0, 0, 1, 0, 0, 8, 0] + coding + [0, 0, 1, 0xB2] + data + [0, 0, 1, 1, 0x22]
        }
        let first = try Self.bytes("mpeg2video", packet(topFieldFirst: true))
        #expect(
            first == Self.triplets([[4, 0xC8, 0xE9], [5, 0xC8, 0xE9], [4, 0xC8, 0xE9]]))
        let second = try Self.bytes("mpeg2video", packet(topFieldFirst: false))
        #expect(
            second == Self.triplets([[5, 0xC8, 0xE9], [4, 0xC8, 0xE9], [5, 0xC8, 0xE9]]))
        // progressive_sequence is the bit after profile_and_level_indication.
        let progressive: [UInt8] = [0, 0, 1, 0xB5, 0x14, 0x8A, 0, 1, 0, 0]
        #expect(
            try Self.bytes("mpeg2video", progressive + packet(topFieldFirst: false)) == first)
        let interlaced: [UInt8] = [0, 0, 1, 0xB5, 0x14, 0x82, 0, 1, 0, 0]
        #expect(
            try Self.bytes("mpeg2video", interlaced + packet(topFieldFirst: false)) == second)
    }

    // MARK: Order

    /// The captions of picture `number` as user data: its number is the second byte.
    private static func numbered(_ number: Int) -> [UInt8] { atsc([[4, 0x20, UInt8(number)]]) }

    private static func numbers(_ packets: [Packet]) -> [Int] { packets.map { Int($0.data[2]) } }

    @Test func picturesComeInTheOrderOfTheirTimes() throws {
        let order = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8]
        let packets = order.map { number in
            Self.packet(
                Self.annexB([Self.sei([0x06], Self.numbered(number)), Self.slice]),
                at: Int64(number) * 3003)
        }
        let found = try Self.found("h264", packets)
        #expect(Self.numbers(found) == Array(0...9))
        #expect(found.map(\.pts) == (0...9).map { Int64($0) * 3003 })
    }

    @Test func littleIsHeldBack() throws {
        var extractor = try Self.extractor("h264")
        var ready: [Packet] = []
        for number in 0..<1000 {
            let unit = Self.annexB([Self.sei([0x06], Self.words), Self.slice])
            extractor.add(Self.packet(unit, at: Int64(number) * 3003), to: &ready)
            #expect(number - ready.count < 33)
        }
    }

    @Test func aJumpOfTheClockMixesNothing() throws {
        let times: [Int64] = [900_000_000, 900_003_003, 90_000, 93_003, 900_006_006]
        let packets = times.enumerated().map { number, time in
            Self.packet(
                Self.annexB([Self.sei([0x06], Self.numbered(number)), Self.slice]), at: time)
        }
        #expect(Self.numbers(try Self.found("h264", packets)) == [0, 1, 2, 3, 4])
    }

    /// Pictures of which one packet holds all and has the time of the first one only.
    private static func checkOrder(
        _ codec: String, of pictures: [[[UInt8]]], shown order: [Int]
    ) throws {
        let first = packet(annexB(pictures[0]), at: 90_000)
        let rest = packet(annexB(Array(pictures.dropFirst().joined())), at: nil)
        let found = try found(codec, [first, rest])
        #expect(numbers(found) == order.sorted())
        #expect(found.map(\.pts) == order.sorted().map { 90_000 + Int64($0) * 3003 }, "\(codec)")
    }

    private static let decoded = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11]

    @Test func picturesWithoutTimesAreOrderedByH264Counts() throws {
        var sps = BitText()
        sps.add(66, 8)
        sps.add(0, 8)
        sps.add(30, 8)
        // pic_order_cnt_lsb has five bits, so that it wraps.
        for value in [0, 0, 0, 1, 2] { sps.addExponential(value) }
        sps.add(0, 1)
        for value in [9, 9] { sps.addExponential(value) }
        sps.add(0b11001, 5)
        var pps = BitText()
        for value in [0, 0] { pps.addExponential(value) }
        pps.add(0b001, 3)
        let pictures = Self.decoded.map { number -> [[UInt8]] in
            var slice = BitText()
            for value in [0, 7, 0] { slice.addExponential(value) }
            slice.add(number % 16, 4)
            if number == 0 { slice.addExponential(0) }
            slice.add(number * 2 % 32, 5)
            slice.add(0x5555, 16)
            let header: UInt8 = number == 0 ? 0x65 : number % 3 == 0 ? 0x41 : 0x01
            let sets = number == 0 ? [[0x67] + sps.bytes, [0x68] + pps.bytes] : []
            return sets + [Self.sei([0x06], Self.numbered(number)), [header] + slice.bytes]
        }
        try Self.checkOrder("h264", of: pictures, shown: Self.decoded)
    }

    @Test func picturesWithoutTimesAreOrderedByHEVCCounts() throws {
        var sps = BitText()
        sps.add(0, 4)
        sps.add(0, 3)
        sps.add(1, 1)
        for _ in 0..<12 { sps.add(0x55, 8) }
        for value in [0, 1, 64, 64] { sps.addExponential(value) }
        sps.add(0, 1)
        for value in [0, 0, 0] { sps.addExponential(value) }
        sps.add(1, 1)
        var pps = BitText()
        for value in [0, 0] { pps.addExponential(value) }
        pps.add(0b0000011, 7)
        let pictures = Self.decoded.map { number -> [[UInt8]] in
            let isKey = number == 0
            var slice = BitText()
            slice.add(1, 1)
            if isKey { slice.add(0, 1) }
            for value in [0, 1] { slice.addExponential(value) }
            if !isKey { slice.add(number % 16, 4) }
            slice.add(0x5555, 16)
            let type: UInt8 = isKey ? 19 : number % 3 == 0 ? 1 : 0
            let sets = isKey ? [[0x42, 1] + sps.bytes, [0x44, 1] + pps.bytes] : []
            return sets + [
                Self.sei([0x4E, 1], Self.numbered(number)), [type << 1, 1] + slice.bytes,
            ]
        }
        try Self.checkOrder("hevc", of: pictures, shown: Self.decoded)
    }

    @Test func picturesWithoutTimesAreOrderedByTemporalReference() throws {
        // Two groups; the second one has no time at all.
        let units = [0, 13].flatMap { start -> [[UInt8]] in
            [[0xB8, 0, 8, 0, 0]]
                + Self.decoded.flatMap { number -> [[UInt8]] in
                    let reference = UInt16(number) << 6 | 0x3F
                    let header: [UInt8] = [0, UInt8(reference >> 8), UInt8(reference & 0xFF), 0xFF]
                    let data = [0xB2] + Self.numbered(start + number)
                    return [header, data, [1, 0x22, 0x22]]
                }
        }
        let found = try Self.found("mpeg2video", [Self.packet(Self.annexB(units), at: 90_000)])
        #expect(Self.numbers(found) == Array(0..<26))
        #expect(found.map(\.pts) == (0..<26).map { 90_000 + Int64($0) * 3003 })
    }

    @Test func bothFieldsOfAFrameHaveItsTime() throws {
        func field(_ number: Int, _ structure: UInt8) -> [[UInt8]] {
            [
                [0, 0, 0x3F, 0xFF], [0xB5, 0x8F, 0xFF, 0xF0 | structure, 0],
                [0xB2] + Self.numbered(number), [1, 0x22],
            ]
        }
        var extractor = try Self.extractor("mpeg2video")
        var ready: [Packet] = []
        extractor.add(Self.packet(Self.annexB(field(1, 1))), to: &ready)
        #expect(extractor.isAtField && !extractor.hasSeveralPictures)
        extractor.add(Self.packet(Self.annexB(field(2, 1) + field(3, 2))), to: &ready)
        extractor.finish(to: &ready)
        #expect(extractor.hasSeveralPictures)
        #expect(ready.map(\.pts) == [9000, 9000, 9000])
    }

    // MARK: Damage

    @Test func captionsThatAreCutOffAreReported() throws {
        let diagnostics = DiagnosticSink()
        let whole = Self.mpeg(Self.both)
        let start = try #require(whole.firstRange(of: [0xB2, 0x47]))
        let cut = Array(whole[..<(start.lowerBound + 12)]) + [0, 0, 1, 1, 0x22]
        let found = try Self.found("mpeg2video", [Self.packet(cut)], diagnostics: diagnostics)
        #expect(found.map(\.data) == [Self.triplets([[4, 0xC8, 0xE9]])])
        #expect(diagnostics.take().map(\.code) == ["damaged-captions"])
    }

    @Test func survivesTruncationAndDamage() throws {
        var random = SeededGenerator(seed: 608)
        for (_, codec, packet) in Self.packets(Self.both) {
            for length in 0...packet.count {
                let found = try Self.bytes(codec, Array(packet.prefix(length)))
                #expect(found.count % 3 == 0 && found.count <= 9)
            }
            for _ in 0..<500 {
                var damaged = packet
                for _ in 0..<3 {
                    let index = Int(random.next() % UInt64(damaged.count))
                    damaged[index] ^= 1 << UInt8(random.next() % 8)
                }
                #expect(try Self.bytes(codec, damaged).count % 3 == 0)
            }
        }
    }

    @Test func extremeTimesDoNotTrap() throws {
        let picture = Self.annexB([Self.sei([0x06], Self.words), Self.slice])
        let times: [Int64?] = [.min, .max, nil, 0, .max, .min, nil]
        let found = try Self.found("h264", times.map { Self.packet(picture, at: $0) })
        #expect(found.count == times.count)
    }

    // MARK: Heads

    @Test func headsEndWithinTheFirstSlice() throws {
        let filler = [UInt8](repeating: 0x55, count: 400)
        for (name, codec, data) in Self.packets(Self.words) where !name.contains("length") {
            // Files other than transport streams have no start codes, and are read whole.
            guard name != "AV1" else { continue }
            var head = try #require(PictureHead(codec: CodecID(rawValue: codec)))
            let packet = data + filler
            let end = try #require(
                (0...packet.count).first { head.ends(in: Array(packet.prefix($0))) })
            #expect(end < data.count + 40, "\(name)")
            #expect(try Self.bytes(codec, Array(packet.prefix(end))) == Self.bytes(codec, packet))
        }
    }
}

/// Writes the bits of a raw byte sequence payload.
private struct BitText {
    private var bits: [Bool] = []

    mutating func add(_ value: Int, _ count: Int) {
        for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
    }

    mutating func addExponential(_ value: Int) {
        let length = Int.bitWidth - (value + 1).leadingZeroBitCount
        add(0, length - 1)
        add(value + 1, length)
    }

    /// The bytes with a stop bit and `emulation_prevention_three_byte`.
    var bytes: [UInt8] {
        var padded = bits + [true]
        while padded.count % 8 != 0 { padded.append(false) }
        var result: [UInt8] = []
        var zeros = 0
        for start in stride(from: 0, to: padded.count, by: 8) {
            let byte = padded[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            if zeros == 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
