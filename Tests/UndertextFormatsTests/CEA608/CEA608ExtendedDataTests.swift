import Testing

@testable import UndertextFormats

/// Extended data services, CTA-608-E, section 9.
@Suite struct CEA608ExtendedDataTests {
    private let start = CEA608Receiver(service: CEA608Service(field: 1, channel: 0, isText: false))

    /// A packet with its checksum; `split`: the number of pairs after which a caption interrupts it.
    private func packet(_ kind: UInt8, _ type: UInt8, _ text: [UInt8]) -> [(UInt8, UInt8)] {
        let sum = ([kind, type, 0x0F] + text).reduce(0) { $0 &+ $1 } & 0x7F
        let body = stride(from: 0, to: text.count, by: 2).map {
            pair(text[$0], $0 + 1 < text.count ? text[$0 + 1] : 0)
        }
        return [pair(kind, type)] + body + [pair(0x0F, (0x80 - sum) & 0x7F)]
    }

    @Test func programName() {
        let receiver = start.receiving(packet(1, 3, Array("Die Sendung".utf8)))
        #expect(receiver.extendedData.programName == "Die Sendung")
        #expect(receiver.displayed.isEmpty)
        let names = receiver.receiving(
            packet(5, 1, Array("Network".utf8)), packet(5, 2, Array("KXYZ".utf8)))
        #expect(names.extendedData.networkName == "Network")
        #expect(names.extendedData.callLetters == "KXYZ")
    }

    @Test(
        arguments: [
            ([0x40, 0x40], nil), ([0x41, 0x40], "G"), ([0x43, 0x40], "PG-13"),
            ([0x52, 0x40], "PG"),
            ([0x48, 0x44], "TV-PG"), ([0x68, 0x7D], "TV-14 (V, S, L, D)"),
            ([0x48, 0x62], "TV-Y7 (FV)"), ([0x58, 0x43], "G"), ([0x78, 0x43], "13 ans +"),
        ] as [([UInt8], String?)])
    func ratings(_ bytes: [UInt8], _ name: String?) {
        #expect(start.receiving(packet(1, 5, bytes)).extendedData.rating == name)
    }

    /// Captions interrupt a packet, which the next number of its class continues.
    @Test func interruptedPackets() {
        let all = packet(1, 3, Array("Program".utf8))
        let caption = [pair(0x15, 0x29), pair(0x14, 0x70)] + characters("word")
        let receiver = start.receiving(
            Array(all[..<3]), caption, [pair(2, 3)], Array(all[3...]), characters("lost"))
        #expect(receiver.extendedData.programName == "Program")
        #expect(dump(receiver.displayed) == "15 0 |wordlost|8:white")
    }

    @Test func damagedPackets() {
        var pairs = packet(1, 3, Array("Program".utf8))
        pairs[1].0 ^= 3
        #expect(start.receiving(pairs).extendedData.programName == nil)
        pairs = packet(1, 3, Array("Program".utf8))
        pairs[1].0 ^= 0x80
        #expect(start.receiving(pairs).extendedData.programName == nil)
        let long = packet(1, 3, Array(repeating: 0x41, count: 40))
        #expect(start.receiving(long).extendedData.programName == nil)
        // Field 1 has no such packets.
        let first = CEA608Receiver().receiving(packet(1, 3, Array("Program".utf8)))
        #expect(first.extendedData == CEA608ExtendedData())
    }
}
