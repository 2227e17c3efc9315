import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

private typealias Lines = TeletextLines

/// Damaged packets of teletext: what is lost is reported, what is not damaged stays.
@Suite struct TeletextDamageTests {
    /// The diagnostics of packets that show page 888, and the texts of its cues.
    private func decode(_ packets: [Packet]) -> (codes: [String], texts: [String]) {
        var decoder = TeletextDecoder(stream: teletextStream("page888"))
        let events = packets.flatMap { decoder.decode($0) } + decoder.finish()
        return (
            decoder.diagnostics.take().map { "\($0.severity.rawValue) \($0.code)" },
            drafts(events).map { styledText($0.cue()).plainText }
        )
    }

    private func decode(_ data: [UInt8]) -> (codes: [String], texts: [String]) {
        decode([Packet(streamIndex: 0, pts: 0, timeBase: .milliseconds, data: data)])
    }

    private let good = TeletextLines.payload([
        TeletextLines.header("page888"), TeletextLines.row(20, "first"),
        TeletextLines.row(22, "second"),
    ])

    @Test func damageIsReportedEverywhere() {
        #expect(decode(good) == ([], ["first\nsecond"]))
        var data = good
        // A character: byte 6 of the row after address and box, in the second data unit.
        data[1 + 46 + 4 + 2 + 3] ^= 0x01
        #expect(decode(data) == (["error parity"], ["f\u{FFFD}rst\nsecond"]))
        data = good
        data[1 + 46 + 4] ^= 0x88
        #expect(decode(data) == (["error hamming"], ["second"]))
        data[1 + 46 + 4] ^= 0x08
        #expect(decode(data) == ([], ["first\nsecond"]))
        data = good
        data[1 + 46 + 3] ^= 0x22
        #expect(decode(data) == (["error hamming"], ["second"]))
        #expect(decode(good.dropLast()) == (["error truncated-packet"], ["first"]))
        #expect(decode([0x20] + good.dropFirst()) == (["error damaged-packet"], []))
        #expect(decode([UInt8]()) == ([], []))
        // Lengths are the same in all data units, regardless of the stated ones.
        data = good
        data[2] = 0xFF
        data[1 + 46] = 0xFF
        #expect(decode(data) == ([], ["second"]))
    }

    @Test func otherDataUnitsAreLeftOut() {
        let stuffing: [UInt8] = [0xFF, 0x2C] + [UInt8](repeating: 0xFF, count: 44)
        let sensing: [UInt8] = [0xC4, 0x03, 0xE7, 0x01, 0x02]
        #expect(decode(good + stuffing) == ([], ["first\nsecond"]))
        // From 0x99 on, data units have lengths of their own.
        #expect(decode([0x99] + sensing + good.dropFirst()) == ([], ["first\nsecond"]))
        #expect(decode([0x99, 0x03, 0x01, 0x00]) == (["error hamming"], []))
    }

    @Test func earlierTransmissionsRepair() {
        let first = Lines.packet(0, Lines.header("page888"), Lines.row(22, "words"))
        var second = Lines.packet(1000, Lines.header("page888"), Lines.row(22, "words"))
        second.data[1 + 46 + 4 + 2 + 3] ^= 0x01
        #expect(decode([first, second]) == (["warning parity-repaired"], ["words"]))
    }

    @Test func packetsWithoutTimesAreLeftOut() {
        let packet = Packet(
            streamIndex: 0, pts: nil, timeBase: .milliseconds, data: good)
        #expect(decode([packet]) == (["error missing-time"], []))
    }

    // MARK: Any damage

    private func check(_ data: [UInt8]) {
        for service in [nil, "page888"] as [String?] {
            var decoder = TeletextDecoder(stream: teletextStream(service))
            let packets = [0, 1000].map {
                Packet(streamIndex: 0, pts: $0, timeBase: .milliseconds, data: data)
            }
            let events = packets.flatMap { decoder.decode($0) } + decoder.finish()
            for draft in drafts(events) {
                let text = styledText(draft.cue()).plainText
                #expect(text.utf8.count < 25 * 41 * 8)
                if let position = draft.layout.position { #expect((0...100).contains(position)) }
            }
            #expect(decoder.diagnostics.take().count <= 10)
        }
        _ = randomAccess(.teletext).role(of: data)
    }

    @Test(arguments: teletextConformanceNames)
    func truncationsAndFlippedBits(_ name: String) throws {
        let lines = Lines.split(try fixtureBytes("captions/teletext-\(name).t42"))
        let data = Lines.payload(lines.prefix(14))
        for damaged in truncations(of: data, step: 31) { check(damaged) }
        for damaged in bitFlips(of: data, count: 40, seed: 9) { check(damaged) }
    }

    // MARK: Random access

    @Test func randomAccessIsAtPagesThatErase() {
        let rule = SubtitleFormat.randomAccess(of: teletextStream("page888"))
        func role(_ lines: ArraySlice<UInt8>...) -> PacketRole {
            rule.role(of: Lines.payload(lines))
        }
        let header = Lines.header("page888")
        let end = Lines.header("page8FF")
        let row = Lines.row(22, "x")
        let shows = PacketRole(isRandomAccessPoint: false, isAcquisitionPoint: true, shows: true)
        #expect(role(header, row, end) == shows)
        #expect(role(header, end, header, row) == shows)
        #expect(
            role(Lines.header("page889"), row) == .init(isRandomAccessPoint: false, shows: nil))
        #expect(role(header, end) == .init(isRandomAccessPoint: true, shows: false))
        #expect(role(header, end, row) == .init(isRandomAccessPoint: true, shows: false))
        #expect(role(row) == .init(isRandomAccessPoint: false, shows: true))
        #expect(role(end) == .init(isRandomAccessPoint: false, shows: nil))
        #expect(
            role(Lines.header("page888", erases: false), row)
                == .init(isRandomAccessPoint: false, shows: true))
        #expect(
            role(Lines.header("page777"), Lines.row(22, "y", magazine: 7))
                == .init(isRandomAccessPoint: false, shows: nil))
        #expect(!rule.isEveryPacketWhole)
    }
}
