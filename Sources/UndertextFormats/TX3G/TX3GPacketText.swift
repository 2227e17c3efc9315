internal import UndertextCore

/// The text of a sample, between its length and the boxes that change its style.
///
/// The boxes count characters: a text of another length keeps them, so styles may move.
struct TX3GPacketText: PacketTextRule {
    func text(of packet: [UInt8]) -> String? {
        guard let sample = TX3GSample(packet), !sample.characters.isEmpty else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: sample.characters)
        return String(text)
    }

    func packet(_ packet: [UInt8], with text: String) -> [UInt8] {
        guard packet.count >= 2 else { return packet }
        let length = Int(packet[0]) << 8 | Int(packet[1])
        var bytes = Array(text.utf8)
        if bytes.count > Int(UInt16.max) {
            var end = Int(UInt16.max)
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes.removeSubrange(end...)
        }
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
            + packet.dropFirst(2 + length)
    }
}
