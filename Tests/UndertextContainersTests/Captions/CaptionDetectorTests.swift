import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Captions in the user data of video, in each syntax that carries them.
@Suite struct CaptionDetectorTests {
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
        var escaped = header
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
        ]
    }

    private static func found(_ codec: String, _ packet: [UInt8]) throws -> VideoCaptions {
        var detector = try #require(CaptionDetector(codec: CodecID(rawValue: codec)))
        detector.add(packet)
        return detector.captions
    }

    @Test func findsBothKindsInEverySyntax() throws {
        for (name, codec, packet) in Self.packets(Self.words) {
            #expect(try Self.found(codec, packet) == .cea608, "\(name)")
        }
        for (name, codec, packet) in Self.packets(Self.both) {
            #expect(try Self.found(codec, packet) == [.cea608, .cea708], "\(name)")
        }
    }

    @Test func paddingIsNoCaption() throws {
        for (name, codec, packet) in Self.packets(Self.padding) {
            #expect(try Self.found(codec, packet) == [], "\(name)")
        }
    }

    @Test func findsLine21OfDVDs() throws {
        let dvd: [UInt8] = [0x43, 0x43, 0x01, 0xF8, 0x82, 0xFF, 0x80, 0x80, 0xFE, 0x94, 0x2C]
        #expect(try Self.found("mpeg2video", Self.mpeg(dvd)) == .cea608)
        #expect(try Self.found("mpeg2video", Self.mpeg(Array(dvd.prefix(8)))) == [])
    }

    @Test func findsSCTE20() throws {
        // One pair: priority 0, field 1, line 10, then 0xC8 and 0xE9 with the low bit first.
        let bits = "00001" + "00" + "01" + "01010" + "00010011" + "10010111" + "1"
        let padded = bits + String(repeating: "0", count: (8 - bits.count % 8) % 8)
        var bytes: [UInt8] = [0x03, 0x81]
        for start in stride(from: 0, to: padded.count, by: 8) {
            let byte = padded.dropFirst(start).prefix(8)
            bytes.append(try #require(UInt8(byte, radix: 2)))
        }
        #expect(try Self.found("mpeg2video", Self.mpeg(bytes)) == .cea608)
    }

    @Test func otherCodecsHaveNone() {
        #expect(CaptionDetector(codec: CodecID(rawValue: "vp9")) == nil)
        #expect(CaptionDetector(codec: .subRip) == nil)
    }

    @Test func survivesTruncationAndDamage() throws {
        var random = SeededGenerator(seed: 608)
        for (_, codec, packet) in Self.packets(Self.both) {
            for length in 0...packet.count {
                _ = try Self.found(codec, Array(packet.prefix(length)))
            }
            for _ in 0..<500 {
                var damaged = packet
                for _ in 0..<3 {
                    let index = Int(random.next() % UInt64(damaged.count))
                    damaged[index] ^= 1 << UInt8(random.next() % 8)
                }
                _ = try Self.found(codec, damaged)
            }
        }
    }
}
