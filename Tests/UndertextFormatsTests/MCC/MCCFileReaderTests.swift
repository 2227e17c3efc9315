import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Lines, time codes, services and repairs of MacCaption MCC files.
@Suite struct MCCFileReaderTests {
    private static let header = "File Format=MacCaption_MCC V1.0\r\n\r\n// words\r\nUUID=1\r\n"

    private func read(
        _ body: String, rate: String = "30DF", limits: Limits = Limits()
    ) throws -> ReadTextFile {
        let text = Self.header + "Time Code Rate=\(rate)\r\n\r\n" + body
        return try ReadTextFile(MCCFileReader.self, Array(text.utf8), limits: limits)
    }

    private func reader(_ body: String, rate: String = "30DF") -> MCCFileReader {
        let text = Self.header + "Time Code Rate=\(rate)\n" + body
        return MCCFileReader(Array(text.utf8), limits: Limits())
    }

    /// An ancillary data packet as a line has it, without letters for sequences.
    private func line(_ words: [UInt8], kind: [UInt8] = [0x61, 0x01]) -> String {
        var bytes = kind + [UInt8(words.count)] + words
        bytes.append(bytes.reduce(0, &+))
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private let pair: [UInt8] = [0xFC, 0x94, 0x29, 0xFC, 0xC1, 0xC2]
    private var digital: [UInt8] {
        channelPacket(0, (1, codes(define(0, isVisible: true), letters("hi"))))
    }

    // MARK: Data

    @Test func lettersForSequences() throws {
        func bytes(_ text: String) -> [UInt8]? { MCCParser.bytes(of: Array(text.utf8)[...]) }
        #expect(bytes("GH") == [0xFA, 0, 0, 0xFA, 0, 0, 0xFA, 0, 0])
        for (index, letter) in "GHIJKLMNO".enumerated() {
            #expect(bytes(String(letter))?.count == 3 * (index + 1))
        }
        #expect(bytes("PQR") == [0xFB, 0x80, 0x80, 0xFC, 0x80, 0x80, 0xFD, 0x80, 0x80])
        #expect(bytes("STUZ") == [0x96, 0x69, 0x61, 1, 0xE1, 0, 0, 0, 0])
        #expect(bytes("t0aFfz") == [0x61, 1, 0x0A, 0xFF, 0])
        for wrong in ["1", "1G", "V", "0x", "é"] { #expect(bytes(wrong) == nil, "\(wrong)") }
        #expect((bytes(String(repeating: "O", count: 1000))?.count ?? 0) < 300)
    }

    /// A file as other programs write it; its bytes are those of a packet written out.
    @Test func packets() throws {
        let file = try read(
            "00:00:00;00\tT52S524F67ZZ72F4QROO73"
                + "91UC13FFF74ZZAEB4\r\n00:00:01;02\t\(line(distributionPacket(pair + digital)))\r\n"
        )
        #expect(file.notes.isEmpty)
        #expect(file.packets.map(\.pts) == [32, 32])
        #expect(file.packets[0].data == pair && file.packets[1].data == digital)
        #expect(file.packets[0].timeBase == TimeBase(1001, 30000))
    }

    @Test func streams() throws {
        let second = channelPacket(1, (2, codes(define(0), letters("x"))), (9, [0x80]))
        let body =
            "00:00:00:00\t\(line(distributionPacket(pair + digital)))\n"
            + "00:00:00:01\t\(line(distributionPacket(second)))\n"
        let streams = reader(body).streams
        #expect(streams.map(\.service) == ["CC1", "SERVICE1", "SERVICE2"])
        #expect(streams.map(\.codec) == [.cea608, .cea708, .cea708])
        #expect(streams.map(\.language) == [nil, "en", nil])
        #expect(streams.map(\.index) == [0, 1, 2])
        #expect(reader("").streams.map(\.service) == ["CC1"])
        #expect(
            reader("00:00:00:00\t\(line(distributionPacket(digital)))").streams.map(\.service)
                == ["SERVICE1"])
    }

    /// SMPTE ST 334-1: a pair of line 21 with its field.
    @Test func pairsOfLine21() throws {
        let file = try read(
            "00:00:00:01\t\(line([0x80, 0x94, 0x29], kind: [0x61, 0x02]))\n"
                + "00:00:00:02\t\(line([0x80, 0xC1, 0xC2], kind: [0x61, 0x02]))\n"
                + "00:00:00:02\t\(line([0x00, 0xC1, 0xC2], kind: [0x61, 0x02]))\n")
        #expect(file.packets.map(\.data) == [[0xFC, 0x94, 0x29], [0xFC, 0xC1, 0xC2]])
        #expect(file.stream.service == "CC1")
    }

    // MARK: Times

    /// SMPTE ST 12-1, section 5.2.2: numbers are left out in nine minutes of ten.
    @Test(
        arguments: [
            ("24", "00:01:00:00", 1440, 24000), ("25", "00:01:00:00", 1500, 25000),
            ("30", "00:01:00:00", 1800, 30000), ("30DF", "00:01:00:02", 1800, 30000),
            ("30NDF", "00:01:00:02", 1802, 30000), ("30", "00:10:00;00", 17982, 30000),
            ("50", "00:00:01:49", 99, 50000), ("60", "00:00:01:59", 119, 60000),
            ("60DF", "00:01:00:04", 3600, 60000), ("29.97", "00:01:00:00", 1800, 30000),
            ("23.976", "00:00:01:00", 24, 24000), ("30DF", "00:00:01:00.1,9", 30, 30000),
            ("30DF", "00:00:01:00,11", 30, 30000),
        ] as [(String, String, Int64, Int32)])
    func timecodes(_ rate: String, _ text: String, _ frame: Int64, _ denominator: Int32) throws {
        var packet = distributionPacket(digital)
        // Without a rate of its own, so that the file's counts.
        packet[packet.count - 1] &+= packet[3] &- 0x0F
        packet[3] = 0x0F
        let file = try read("\(text)\t\(line(packet))", rate: rate)
        #expect(file.packets.map(\.pts) == [frame])
        let isWhole = denominator == 25000 || denominator == 50000
        #expect(file.packets.first?.timeBase == TimeBase(isWhole ? 1000 : 1001, denominator))
        #expect(file.notes.isEmpty)
    }

    /// The packets know better than the rate of time codes, and the caller better than both.
    @Test func ratesOfPackets() throws {
        var packet = distributionPacket(digital)
        packet[packet.count - 1] &+= packet[3] &- 0x5F
        packet[3] = 0x5F
        let text = "00:00:01:00\t\(line(packet))"
        #expect(try read(text, rate: "30").packets.first?.timeBase == TimeBase(1000, 30000))
        let bytes = Array((Self.header + "Time Code Rate=30\n" + text).utf8)
        let reader = MCCFileReader(
            bytes, limits: Limits(), frameRate: TimeBase(25, 1), diagnostics: DiagnosticSink())
        let first = try reader.nextPacket()
        #expect(first?.pts == 25 && first?.timeBase == TimeBase(1000, 25000))
    }

    // MARK: Repairs

    @Test(
        arguments: [("30DF", 2_589_408), ("30", 2_592_000), ("25", 2_160_000)] as [(String, Int64)])
    func timeCodesPassMidnight(_ rate: String, _ day: Int64) throws {
        let good = line(distributionPacket(digital))
        let file = try read("23:59:58:00\t\(good)\n00:00:03:00\t\(good)\n", rate: rate)
        let frames: Int64 = rate == "25" ? 25 : 30
        let times = file.packets.compactMap(\.pts)
        #expect(times.max() == (day + 3 * frames))
        #expect(times.min() == (day - 2 * frames))
        #expect(file.notes == ["midnight 8:1"])
    }

    @Test func damagedLines() throws {
        let good = line(distributionPacket(digital))
        var wrong = distributionPacket(digital)
        wrong[wrong.count - 1] ^= 1
        let file = try read(
            "0:0:0:1\t\(good)\n99:99:00:00\t\(good)\nwords\n00:00:01:00\tT5V\n00:00:02:00\t6101\n"
                + "00:00:03:00\t\(line(wrong))\n00:00:04:00\t\(good.dropLast(40))\n"
                + "00:00:01:00 \(good)\n00:00:05:00\t\(line([1, 2], kind: [0x41, 0x05]))\n"
                + "00:00:06:00\t\(good.dropLast(2))00\n00:00:07:00\t\(line([1, 2, 3]))\n")
        #expect(
            file.notes == [
                "bad-timing 8:1", "bad-timing 9:1", "bad-data 10:1", "bad-data 11:1",
                "checksum 12:1", "bad-data 13:1", "time-order 14:1", "other-data 15:1",
                "checksum 16:1", "bad-data 17:1",
            ])
        #expect(file.packets.map(\.pts) == [1, 90, 120, 30, 180])
        #expect(try read("", rate: "31").notes == ["bad-rate 5:1"])
        var limits = Limits()
        limits.lineLength = 100
        #expect(try read("00:00:01:00\t\(good)", limits: limits).notes == ["long-line 7:1"])
    }

    @Test func recognition() {
        func refusal(_ text: String) -> String? { MCCFileReader.refusal(of: Array(text.utf8)[...]) }
        #expect(refusal("File Format=MacCaption_MCC V1.0\n") == nil)
        #expect(refusal("File Format=MacCaption_MCC V2.0\r\n") == nil)
        #expect(refusal("File Format=MacCaption\n") != nil)
        let text = Array(Self.header.utf8)
        #expect(SubtitleFormat.recognized(text[...]).0 == .mcc)
    }

    @Test func truncatedAndDamagedFiles() throws {
        let body =
            "00:00:00:00\t\(line(distributionPacket(pair + digital)))\n00:00:00:01\tT52S524F67ZZ72F4QROO\n"
        let whole = Array((Self.header + "Time Code Rate=30DF\n" + body).utf8)
        for data in truncations(of: whole) { _ = try ReadTextFile(MCCFileReader.self, data) }
        for data in bitFlips(of: whole, count: 1000) {
            let file = try ReadTextFile(MCCFileReader.self, data)
            #expect(file.packets.allSatisfy { $0.data.count % 3 == 0 && !$0.data.isEmpty })
        }
    }
}
