import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// After a moment that the search finds, a decoder that started within the data shows what one shows that read all of it.
@Suite struct CEA608AcquisitionTests {
    private typealias Pair = (UInt8, UInt8)

    /// A packet for each pair of a field, a frame apart.
    private static func packets(_ pairs: [Pair], _ service: CEA608Service) -> [Packet] {
        pairs.enumerated().map { index, pair in
            Packet(
                streamIndex: 0, pts: Int64(index) * 1001, timeBase: TimeBase(1, 30_000),
                data: [CaptionTriplet.marker | UInt8(service.field), pair.0, pair.1])
        }
    }

    private static func cues(
        _ packets: some Sequence<Packet>, _ service: CEA608Service, _ rollUpLines: Bool
    ) -> [DecodedCue] {
        var stream = StreamDescription(index: 0, kind: .text, codec: .cea608)
        stream.service = service.name
        var decoder = CEA608Decoder(
            stream: stream, options: DecodingOptions(rollUpLines: rollUpLines))
        let events = packets.flatMap { decoder.decode($0) } + decoder.finish()
        return events.compactMap { if case .cue(let cue) = $0 { cue } else { nil } }
    }

    /// Starts at several pairs, compares all cues after the moment that is found, and returns how often one is.
    private static func check(_ pairs: [Pair], _ service: CEA608Service, stride step: Int) -> Int {
        let packets = packets(pairs, service)
        let all = [false, true].map { cues(packets, service, $0) }
        var count = 0
        for first in stride(from: 0, to: packets.count, by: step) {
            var search = CEA608Acquisition(service)
            guard
                let last = packets[first...].firstIndex(where: { packet in
                    search.add(packet)
                    return search.isAcquired
                }), let time = packets[last].start
            else { continue }
            count += 1
            for (lines, all) in zip([false, true], all) {
                // The decoder may have got anything before.
                let damaged = packets[..<first].filter { ($0.pts ?? 0) % 3003 == 0 }
                for before in [[], damaged] {
                    let found = cues(before + packets[first...], service, lines)
                    #expect(
                        found.filter { $0.start >= time } == all.filter { $0.start >= time },
                        "\(service.name) from pair \(first)")
                    #expect(
                        !(found + all).contains { cue in
                            cue.start < time && cue.end.map { $0.time >= time } ?? true
                        }, "\(service.name) from pair \(first)")
                }
            }
        }
        return count
    }

    @Test(arguments: [
        "pop_on", "paint_on", "roll_up", "attributes", "characters", "cursor", "channels",
        "field_2", "wrong_parity", "repetition", "noise",
    ])
    func conformanceSet(name: String) throws {
        let reader = SCCFileReader(try fixtureBytes("captions/\(name).scc"), limits: Limits())
        var pairs: [[Pair]] = reader.streams.map { _ in [] }
        while let packet = try reader.nextPacket() {
            for triplet in CaptionTriplet.all(in: packet.data) {
                pairs[packet.streamIndex].append((triplet.first, triplet.second))
            }
        }
        for (stream, pairs) in zip(reader.streams, pairs) {
            let step = (1 + pairs.count / 60) * damageShare
            let found = Self.check(pairs, CEA608Service(of: stream), stride: step)
            if name == "pop_on", stream.service == "CC1" { #expect(found > 0) }
        }
    }

    /// Codes in any order, of which those that erase and select are frequent.
    @Test(arguments: [CEA608Service.cc1, CEA608Service(name: "CC4"), CEA608Service(name: "T1")])
    func randomCodes(service: CEA608Service?) throws {
        let service = try #require(service)
        var random = SeededGenerator(seed: 608)
        var found = 0
        for _ in stride(from: 0, to: 40, by: damageShare) {
            // Most streams of captions use a few of the commands.
            let commands = (0..<6).map { _ in UInt8.random(in: 0x20...0x2F, using: &random) }
            let pairs = (0..<200).map { _ -> Pair in
                let channel: UInt8 =
                    Int.random(in: 0..<8, using: &random) == 0
                    ? UInt8.random(in: 0...1, using: &random) * 8 : UInt8(service.channel) * 8
                switch Int.random(in: 0..<10, using: &random) {
                case 0...3:
                    let command = commands.randomElement(using: &random) ?? 0x20
                    return pair(0x14 | channel, command)
                case 4: return pair(0x14 | channel, UInt8.random(in: 0x20...0x2F, using: &random))
                case 5:
                    return pair(
                        UInt8.random(in: 0x10...0x17, using: &random) | channel,
                        UInt8.random(in: 0x20...0x7F, using: &random))
                case 6: return pair(0, 0)
                case 7 where Int.random(in: 0..<4, using: &random) == 0:
                    return (UInt8.random(in: 0...255, using: &random), 0x0F)
                default:
                    return pair(
                        UInt8.random(in: 0x20...0x7F, using: &random),
                        UInt8.random(in: 0x20...0x7F, using: &random))
                }
            }
            found += Self.check(pairs, service, stride: 9)
        }
        #expect(found > 0)
    }
}
