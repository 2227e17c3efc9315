/// Base64 of RFC 4648, section 4.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The base64 of bytes, with padding.
    package static func encoded(_ bytes: [UInt8]) -> String {
        let alphabet = Self.alphabet
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let group = bytes[index..<min(index + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= 8 * UInt32(3 - group.count)
            for digit in 0..<4 {
                let shift = UInt32(18 - 6 * digit)
                text.append(digit <= group.count ? alphabet[Int(bits >> shift & 0x3F)] : 0x3D)
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text in base64 or base64url, white space and missing padding allowed.
    ///
    /// - Returns: `nil` for a text with other characters, and for one without bytes.
    package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count / 4 * 3)
        var value: UInt32 = 0
        var bits = 0
        var isAtEnd = false
        for byte in text.utf8 {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: continue
            case 0x3D: isAtEnd = true
            default:
                guard !isAtEnd, let digit = digit(byte) else { return nil }
                value = value << 6 | UInt32(digit)
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    result.append(UInt8(truncatingIfNeeded: value >> UInt32(bits)))
                }
            }
        }
        return result.isEmpty ? nil : result
    }

    /// The text after the comma of a `data:` URL in base64 (RFC 2397); `nil` for other URLs.
    package static func text(ofDataURL url: String) -> Substring? {
        guard url.utf8.starts(with: "data:".utf8), let comma = url.utf8.firstIndex(of: 0x2C),
            url[..<comma].hasSuffix(";base64")
        else { return nil }
        return url[url.utf8.index(after: comma)...]
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte &- 0x41
        case 0x61...0x7A: byte &- 0x61 &+ 26
        case 0x30...0x39: byte &- 0x30 &+ 52
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }
}
