/// The text in the packets of a format, for callers that change it before it is decoded.
package protocol PacketTextRule: Sendable {
    /// Returns the text of a packet, with markup as stored, or `nil` if it has none.
    func text(of packet: [UInt8]) -> String?

    /// Returns a packet with another text.
    func packet(_ packet: [UInt8], with text: String) -> [UInt8]
}

/// The rule of packets that contain only text.
struct WholePacketText: PacketTextRule {
    func text(of packet: [UInt8]) -> String? { String(decoding: packet, as: UTF8.self) }

    func packet(_ packet: [UInt8], with text: String) -> [UInt8] { Array(text.utf8) }
}
