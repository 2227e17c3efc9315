/// Parameters of addresses and forms.
enum QueryText {
    /// `name=value&…`, encoded as forms are: a blank is `+`, other bytes than letters, digits and
    /// `-._` are `%XX`.
    ///
    /// URL Standard, section 5.2.
    static func encoded(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: result.append(byte)
            case 0x20: result.append(0x2B)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A part of an address as text: `%20` is a blank; what is no sequence stays.
    static func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == 0x25, place + 2 < bytes.count,
                let value = UInt8(
                    String(decoding: bytes[place + 1...place + 2], as: UTF8.self), radix: 16)
            {
                result.append(value)
                place += 3
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
