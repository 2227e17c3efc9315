import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Sections, services and damage of caption distribution packets.
@Suite struct CaptionDistributionPacketTests {
    private let triplets: [UInt8] = [0xFC, 0x94, 0x20, 0xFF, 0x02, 0x21, 0xFE, 0x41, 0x00]

    @Test func sections() throws {
        let packet = try #require(
            CaptionDistributionPacket(distributionPacket(triplets)[...]))
        #expect(packet.triplets == triplets && packet.damage.isEmpty)
        #expect(packet.frameRate == TimeBase(30000, 1001))
        #expect(packet.services == [.init(name: "SERVICE1", language: "en")])
    }

    @Test func frameRates() {
        let rates = (0..<16).map { code -> TimeBase? in
            var bytes = distributionPacket(triplets)
            bytes[3] = UInt8(code) << 4 | 0x0F
            return CaptionDistributionPacket(bytes[...])?.frameRate
        }
        let found = rates.map { $0.map { "\($0.numerator)/\($0.denominator)" } ?? "-" }
        #expect(
            found.prefix(9) == [
                "-", "24000/1001", "24/1", "25/1", "30000/1001", "30/1", "50/1", "60000/1001",
                "60/1",
            ])
        #expect(found.dropFirst(9).allSatisfy { $0 == "-" })
    }

    /// ATSC A/65: services of line 21 have a field, others a number.
    @Test func services() {
        func service(_ bytes: [UInt8]) -> CaptionDistributionPacket.Service? {
            var packet = codes([0x96, 0x69, 0, 0x4F, 0x27, 0, 1, 0x73, 0x91], bytes, [0x74, 0, 1])
            packet[2] = UInt8(packet.count + 1)
            packet.append(0 &- packet.reduce(0, &+))
            return CaptionDistributionPacket(packet[...])?.services.first
        }
        #expect(
            service(codes([0xE3], letters("FRE"), [0xC3, 0x3F, 0xFF]))
                == .init(name: "SERVICE3", language: "fr"))
        #expect(service(codes([0xE1], letters("spa"), [0x7F, 0x3F, 0xFF]))?.name == "CC3")
        #expect(service(codes([0xE1], letters("spa"), [0x7E, 0x3F, 0xFF]))?.name == "CC1")
        #expect(service([0xE1, 0, 0, 0, 0xC1, 0x3F, 0xFF])?.language == nil)
        #expect(service([0xE1, 0, 0, 0, 0xC0, 0x3F, 0xFF]) == nil)
    }

    /// A damaged packet keeps its valid triplets.
    @Test func damage() {
        let whole = distributionPacket(triplets)
        #expect(CaptionDistributionPacket([0x96, 0x68, 0][...]) == nil)
        var wrong = whole
        wrong[20] ^= 4
        #expect(CaptionDistributionPacket(wrong[...])?.damage == .checksum)
        for data in truncations(of: whole) where data.count >= 2 {
            let packet = CaptionDistributionPacket(data[...])
            #expect(packet?.damage == .truncated)
            #expect(triplets.starts(with: packet?.triplets ?? []))
        }
        for data in bitFlips(of: whole, count: 3000) {
            #expect((CaptionDistributionPacket(data[...])?.triplets.count ?? 0) % 3 == 0)
        }
    }
}
