import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Lines, time codes, services and repairs of Scenarist SCC files.
@Suite struct SCCFileReaderTests {
    private func read(_ body: String) throws -> ReadTextFile {
        try ReadTextFile(SCCFileReader.self, Array(("Scenarist_SCC V1.0\n\n" + body).utf8))
    }

    /// `frame duration pairs` of each packet.
    private func lines(_ file: ReadTextFile) -> [String] {
        file.packets.map { packet in
            let pairs = CaptionTriplet.all(in: packet.data).map { triplet in
                [triplet.first, triplet.second].map { byte in
                    let digits = String(byte, radix: 16)
                    return digits.utf8.count < 2 ? "0" + digits : digits
                }.joined()
            }
            return "\(packet.pts ?? -1) \(packet.duration ?? -1) \(pairs.joined(separator: " "))"
        }
    }

    @Test func packets() throws {
        let file = try read(
            "00:00:01:02\t9420 9420 94ae 94ae\n\n00:00:03:00\t942c 942C\r\n00:00:04:00\n")
        #expect(lines(file) == ["32 4 9420 9420 94ae 94ae", "90 2 942c 942c"])
        #expect(file.packets[0].timeBase == TimeBase(1001, 30000))
        #expect(file.packets[0].data.prefix(3) == [0xFC, 0x94, 0x20])
        #expect(file.stream.codec == .cea608 && file.stream.service == "CC1")
        #expect(file.diagnostics.isEmpty)
    }

    /// SMPTE ST 12-1, section 5.2.2: two numbers are left out in nine minutes of ten.
    @Test(
        arguments: [
            ("00:00:59;29", 1799), ("00:01:00;02", 1800), ("00:09:59;29", 17981),
            ("00:10:00;00", 17982), ("00:11:00;02", 19782), ("01:00:00;00", 107_892),
            ("10:00:00;00", 1_078_920), ("00:02:00.02", 3598), ("00;02;00;02", 3598),
            ("01:00:00:00", 108_000),
        ] as [(String, Int64)])
    func timecodes(_ text: String, _ frame: Int64) throws {
        var bytes = Array(text.utf8)[...]
        let time = try #require(SCCTimecode(&bytes))
        #expect(time.frame == frame && bytes.isEmpty)
    }

    @Test func writtenTimecodes() {
        for frame in [Int64(0), 1799, 1800, 17981, 17982, 19781, 19782, 107_892, 2_589_407] {
            for dropsFrames in [false, true] {
                let time = SCCTimecode(frame: frame, dropsFrames: dropsFrames)
                var bytes = Array(time.text.utf8)[...]
                #expect(SCCTimecode(&bytes) == time, "\(time.text)")
            }
        }
        #expect(SCCTimecode(frame: 1800, dropsFrames: true).text == "00:01:00;02")
        #expect(SCCTimecode(frame: 1800, dropsFrames: false).text == "00:01:00:00")
    }

    @Test(arguments: [
        "", "00:00:01", "00:00:01:30", "00:60:00:00", "00:00:60:00", "0000:00:00:00", "a0:00:00:00",
        "00:00:00-00",
    ])
    func noTimecodes(_ text: String) {
        var bytes = Array(text.utf8)[...]
        #expect(SCCTimecode(&bytes) == nil && bytes == Array(text.utf8)[...])
    }

    @Test func otherFrameRates() throws {
        let text = Array("Scenarist_SCC V1.0\n00:00:02:12 9420 9420\n".utf8)
        let format = try #require(SubtitleFormat(name: "scc"))
        let reader = try #require(
            format.reader(
                of: text, frameRate: TimeBase(25, 1), diagnostics: DiagnosticSink()))
        let packet = try #require(try reader.nextPacket())
        #expect(packet.pts == 62 && packet.start == .milliseconds(2480))
    }

    // MARK: Repairs

    @Test(arguments: [(":", 2_592_000), (";", 2_589_408)] as [(String, Int64)])
    func timecodesPassMidnight(_ mark: String, _ day: Int64) throws {
        let file = try read(
            "23:59:58\(mark)00 9420 9420\n00:00:03\(mark)00 942c 942c\n00:00:05\(mark)00 9420 9420\n"
        )
        #expect(file.packets.map(\.pts) == [day - 60, day + 90, day + 150])
        #expect(file.notes == ["midnight 4:1"])
        #expect(file.diagnostics.allSatisfy { $0.severity == .info })
        let back = try read("11:00:00\(mark)00 9420 9420\n00:00:03\(mark)00 942c 942c\n")
        #expect(back.packets.last?.pts == 90 && back.notes == ["time-order 4:1"])
    }

    @Test func whiteSpaceAndComments() throws {
        let file = try read(
            "// by hand\n# more\n; and more\n  00:00:01:00   9420  94209420,94ae \t\n")
        #expect(lines(file) == ["30 4 9420 9420 9420 94ae"])
        #expect(file.diagnostics.isEmpty)
    }

    @Test func linesThatCannotBeRead() throws {
        let file = try read("00:00:01:00 9420 94 xxxx 942c\nwords\n00:00:01:31 9420\n")
        #expect(lines(file) == ["30 2 9420 942c"])
        #expect(file.notes == ["bad-pair 3:1", "bad-pair 3:1", "bad-timing 4:1", "bad-timing 5:1"])
        #expect(file.diagnostics.allSatisfy { $0.severity == .error })
    }

    @Test func dataWithoutParity() throws {
        let file = try read("00:00:01:00 1420 1420 142e 142e 1470 1470 4865 6c6c 6f00 142f 142f\n")
        #expect(
            lines(file) == ["30 11 9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef80 942f 942f"])
        #expect(file.notes == ["no-parity 1:1"])
        #expect(file.diagnostics[0].severity == .info)
    }

    /// A field has room for one pair in a frame.
    @Test func linesThatOverlap() throws {
        let file = try read(
            "00:00:01:00 9420 9420 94ae 94ae\n00:00:01:02 c8e5 c8e5\n00:00:01:03 942f\n"
                + "00:00:00:10 942c\n")
        #expect(lines(file).map { $0.prefix(2) } == ["30", "34", "36", "10"])
        #expect(file.notes == ["late-line 4:1", "time-order 6:1", "late-line"])
    }

    // MARK: Services

    @Test func services() throws {
        let text =
            "00:00:01:00 9429 9429 9470 9470 c8e5\n00:00:02:00 1c29 1c29 c8e5\n"
            + "00:00:03:00 1529 1529 c8e5\n00:00:04:00 94ab 94ab c8e5\n00:00:05:00 9d2c\n"
        let reader = SCCFileReader(
            Array(("Scenarist_SCC V1.0\n" + text).utf8), limits: Limits())
        #expect(reader.streams.map(\.service) == ["CC1", "CC2", "CC3", "T1"])
        #expect(reader.streams.map(\.index) == [0, 1, 2, 3])
        var packets: [String] = []
        while let packet = try reader.nextPacket() {
            packets.append("\(packet.pts ?? -1):\(packet.streamIndex):\(packet.data[0])")
        }
        #expect(
            packets == [
                "30:0:252", "30:1:252", "30:3:252", "60:0:252", "60:1:252", "60:3:252",
                "90:2:253", "120:0:252", "120:1:252", "120:3:252", "150:2:253",
            ])
    }

    @Test func recognition() {
        func format(_ text: String) -> SubtitleFormat? {
            SubtitleFormat.recognized(Array(text.utf8)[...]).0
        }
        #expect(format("Scenarist_SCC V1.0\n\n00:00:00:00 9420\n") == .scc)
        #expect(format("\n Scenarist_SCC V1.0") == .scc)
        #expect(format("Scenarist\n\n00:00:00:00 9420\n") == nil)
    }

    // MARK: Damage

    private static let whole = Array(
        """
        Scenarist_SCC V1.0

        // comment é
        00:00:01;00\t9420 9420 94ae 94ae 1370 1370 d3e5 6e61 f4ef f22c 942f 942f\r
        00:00:02;00\t9525 9525 97a1 15ad c2ef f4f4 0103 c2ef 8f80

        00:00:00;10\t1c2a 1c2a c8e5
        """.utf8)

    @Test func damagedFiles() throws {
        for bytes in truncations(of: Self.whole) { try check(bytes) }
        for bytes in bitFlips(of: Self.whole, count: 2000) {
            try check(Array(String(decoding: bytes, as: UTF8.self).utf8))
        }
    }

    private func check(_ bytes: [UInt8]) throws {
        let file = try ReadTextFile(SCCFileReader.self, bytes)
        #expect(file.diagnostics.allSatisfy { !$0.message.isEmpty })
        for stream in SCCFileReader(bytes, limits: Limits()).streams {
            var decoder = try #require(
                SubtitleFormat.decoder(of: stream, diagnostics: DiagnosticSink()))
            for packet in file.packets {
                #expect(packet.data.count % 3 == 0 && packet.data.count <= bytes.count)
                _ = decoder.decode(packet)
            }
            _ = decoder.finish()
        }
    }

    @Test func limits() throws {
        var limits = Limits()
        limits.cues = 2
        limits.lineLength = 40
        let line = "00:00:01:00 9420\n"
        let file = try ReadTextFile(
            SCCFileReader.self,
            Array(
                "Scenarist_SCC V1.0\n00:00:01:00 9420 9420 9420 9420 9420 9420\n\(line)\(line)\(line)"
                    .utf8),
            limits: limits)
        #expect(file.packets.count == 2)
        #expect(file.diagnostics.map(\.code).contains("long-line"))
        #expect(file.diagnostics.map(\.code).contains("too-many-cues"))
    }
}
