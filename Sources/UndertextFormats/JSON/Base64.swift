/// Encodes bytes as base64 with padding.
///
/// RFC 4648, section 4.
func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
        let group = bytes[index..<min(index + 3, bytes.count)]
        var bits: UInt32 = 0
        for byte in group { bits = bits << 8 | UInt32(byte) }
        bits <<= 8 * UInt32(3 - group.count)
        for place in 0..<4 {
            let shift = UInt32(18 - 6 * place)
            text.append(place <= group.count ? alphabet[Int(bits >> shift & 0x3F)] : 0x3D)
        }
        index += 3
    }
    return String(decoding: text, as: UTF8.self)
}
