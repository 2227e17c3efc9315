import UndertextCore

/// A small Matroska file with one track, made for comparisons with `mkvextract`.
///
/// RFC 9559; each block lies in a cluster of its own.
struct MatroskaFile {
    var codecID: String
    var codecPrivate: [UInt8] = []
    var language = "und"
    var packets: [Packet]

    var bytes: [UInt8] {
        let head = element(
            0x1A45_DFA3,
            element(0x4282, Array("matroska".utf8)) + number(0x4287, 4) + number(0x4285, 2))
        let info = element(
            0x1549_A966,
            number(0x2AD7B1, 1_000_000) + element(0x4D80, [0x78]) + element(0x5741, [0x78]))
        var entry = number(0xD7, 1) + number(0x73C5, 1) + number(0x83, 0x11)
        entry += element(0x86, Array(codecID.utf8)) + element(0x22B59C, Array(language.utf8))
        if !codecPrivate.isEmpty { entry += element(0x63A2, codecPrivate) }
        let tracks = element(0x1654_AE6B, element(0xAE, entry))
        let clusters = packets.flatMap(cluster)
        return head + element(0x1853_8067, info + tracks + clusters)
    }

    private func cluster(_ packet: Packet) -> [UInt8] {
        var group = element(0xA1, [0x81, 0, 0, 0] + packet.data)
        if let duration = packet.duration { group += number(0x9B, UInt64(duration)) }
        if let addition = packet.sideData(.blockAdditional) {
            let more = element(0xA5, Array(addition.dropFirst(8))) + number(0xEE, 1)
            group += element(0x75A1, element(0xA6, more))
        }
        return element(
            0x1F43_B675, number(0xE7, UInt64(packet.pts ?? 0)) + element(0xA0, group))
    }

    private func element(_ id: UInt32, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(id)
        bytes = Array(bytes.drop { $0 == 0 })
        bytes.appendBigEndian(UInt64(payload.count) | 1 << 56)
        return bytes + payload
    }

    private func number(_ id: UInt32, _ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(value)
        return element(id, bytes)
    }
}
