/// The layout of transport packets in a file: their distance, and the bytes before each.
///
/// ISO/IEC 13818-1, section 2.4.3.2: a packet has 188 bytes and starts with 0x47. Blu-ray and AVCHD
/// put a time stamp of 4 bytes before it (192), some receivers 16 bytes of parity after it (204).
struct PacketLayout: Hashable, Sendable {
    /// Bytes of one transport packet.
    static let packetLength = 188
    /// The first byte of every packet.
    static let syncByte: UInt8 = 0x47
    /// The distances that exist, the most usual first.
    static let distances = [188, 192, 204]
    /// The number of bytes to examine for the packet distance.
    static let probeLength = 8192

    /// From the start of one packet to the start of the next.
    var distance: Int

    /// Bytes before the sync byte of the first packet.
    var lead: Int { distance == 192 ? 4 : 0 }

    /// The position that libavformat reports for a packet whose sync byte is at `offset`.
    ///
    /// It subtracts the distance from the end of the 188 bytes.
    func reportedPosition(ofPacketAt offset: UInt64) -> Int64 {
        Int64(clamping: offset) - Int64(distance - Self.packetLength)
    }

    /// The layout at whose distance sync bytes recur most; `nil` where none does.
    init?(detectedIn bytes: [UInt8]) {
        let window = bytes.prefix(Self.probeLength)
        var best: (distance: Int, hits: Int)?
        for distance in Self.distances {
            var counts = [Int](repeating: 0, count: distance)
            for (index, byte) in window.enumerated() where byte == Self.syncByte {
                counts[index % distance] += 1
            }
            // Of equal length there are fewer packets at a longer distance: compare their share.
            let hits = (counts.max() ?? 0) * distance
            if hits > best?.hits ?? 0 { best = (distance, hits) }
        }
        guard let best, best.hits * 2 > window.count, best.hits > best.distance else { return nil }
        distance = best.distance
    }

    /// A layout of that distance.
    init(distance: Int) { self.distance = distance }
}
