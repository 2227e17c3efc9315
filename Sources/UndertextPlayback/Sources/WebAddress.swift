/// An address taken apart as far as choosing a reader needs; the reader itself takes it as it is.
struct WebAddress {
    /// The scheme in lower case; `nil` for a path.
    let scheme: String?
    /// The path without query and fragment, percent signs resolved.
    let path: String

    /// Takes an address apart: `scheme://host/path?query#fragment` (RFC 3986), or a path.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8),
            colon > 0, bytes[..<colon].allSatisfy(Self.isSchemeByte)
        else {
            scheme = nil
            path = text
            return
        }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let rest = bytes[(colon + 3)...].prefix {
            $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        path = Self.decoded(rest.drop { $0 != UInt8(ascii: "/") })
    }

    /// The last part of the path.
    var fileName: String {
        path.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init) ?? ""
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
            || "+-.".utf8.contains(byte)
    }

    /// Bytes with `%41` as `A`; what is no such pair stays.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), bytes.endIndex - index > 2,
                let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x57
        default: nil
        }
    }
}
