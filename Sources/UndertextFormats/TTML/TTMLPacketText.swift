internal import UndertextCore

/// The text of a packet that is a document: all of it, in UTF-8 from then on.
struct TTMLPacketText: PacketTextRule {
    func text(of packet: [UInt8]) -> String? {
        if packet.starts(with: [0xFE, 0xFF]) {
            return utf16(packet.dropFirst(2)) { UInt16($0) << 8 | UInt16($1) }
        }
        if packet.starts(with: [0xFF, 0xFE]) {
            return utf16(packet.dropFirst(2)) { UInt16($1) << 8 | UInt16($0) }
        }
        return String(decoding: packet[...].withoutByteOrderMark, as: UTF8.self)
    }

    func packet(_ packet: [UInt8], with text: String) -> [UInt8] {
        XMLProlog.statingUTF8(Array(text.utf8))
    }

    private func utf16(
        _ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16
    ) -> String {
        let starts = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
        return String(decoding: starts.map { unit(bytes[$0], bytes[$0 + 1]) }, as: UTF16.self)
    }
}
