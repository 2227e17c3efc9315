internal import UndertextCore

/// A caption channel packet: service blocks and a sequence number.
///
/// CTA-708-E, sections 5 and 6.
struct DTVCCPacket: Hashable {
    /// The number that counts packets, 0 to 3.
    var sequenceNumber: UInt8
    /// The service blocks.
    var data: [UInt8]
    /// `true` if it has as many bytes as its header says.
    var isComplete: Bool

    /// The part of a packet that belongs to one service.
    struct Block: Hashable {
        /// The service, 1 to 63.
        var service: Int
        var data: ArraySlice<UInt8>
    }

    /// The service blocks in their order.
    ///
    /// `isDamaged` is `true` if the last one is longer than what is left of the packet; it is cut.
    var blocks: (all: [Block], isDamaged: Bool) {
        var reader = ByteReader(data)
        var blocks: [Block] = []
        while let header = reader.uint8() {
            var service = Int(header >> 5)
            let size = Int(header & 0x1F)
            // A null block ends the packet.
            if service == 0 || size == 0 { break }
            if service == 7 {
                guard let extended = reader.uint8() else { return (blocks, true) }
                service = Int(extended & 0x3F)
            }
            let count = min(size, reader.remaining)
            if let data = reader.slice(count), service > 0 {
                blocks.append(Block(service: service, data: data))
            }
            if count < size { return (blocks, true) }
        }
        return (blocks, false)
    }
}

/// Puts caption channel packets together from triplets of `cc_data`.
///
/// CTA-708-E, section 4.
struct DTVCCAssembler {
    /// The packet that has begun, with its header; empty without one.
    private var bytes: [UInt8] = []
    /// Bytes that the packet has with its header.
    private var size = 0

    /// Takes a triplet; returns the packets that end with it: that which a new one cuts, and a whole one.
    mutating func add(_ triplet: CaptionTriplet) -> [DTVCCPacket] {
        guard triplet.type >= 2 else { return [] }
        var ended: [DTVCCPacket] = []
        guard triplet.isValid else {
            // Padding follows the last bytes of a packet.
            if let packet = finish() { ended.append(packet) }
            return ended
        }
        if triplet.type == 3 {
            if let packet = finish() { ended.append(packet) }
            let code = Int(triplet.first & 0x3F)
            size = code == 0 ? 128 : code * 2
        } else if bytes.isEmpty {
            return []
        }
        bytes += [triplet.first, triplet.second]
        if bytes.count >= size, let packet = finish() { ended.append(packet) }
        return ended
    }

    /// Returns the packet that has begun, and forgets it.
    mutating func finish() -> DTVCCPacket? {
        guard let header = bytes.first else { return nil }
        let packet = DTVCCPacket(
            sequenceNumber: header >> 6, data: Array(bytes.dropFirst()),
            isComplete: bytes.count >= size)
        bytes = []
        return packet
    }
}
