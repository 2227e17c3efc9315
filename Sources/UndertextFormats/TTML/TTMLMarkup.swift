internal import UndertextCore

/// Text fit for XML, in elements and between double quotes.
enum TTMLMarkup {
    /// Appends text; what XML 1.0, section 2.2, forbids becomes U+FFFD.
    static func append(_ text: some StringProtocol, to output: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;".utf8
            case "<": output += "&lt;".utf8
            case ">": output += "&gt;".utf8
            case "\"": output += "&quot;".utf8
            default:
                let value = scalar.value
                let isAllowed =
                    value >= 0x20 && value & 0xFFFE != 0xFFFE || value == 0x09 || value == 0x0A
                if isAllowed {
                    output += UTF8.encode(scalar).map { Array($0) } ?? Byte.replacement
                } else {
                    output += Byte.replacement
                }
            }
        }
    }

    /// The same as a string.
    static func escaped(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Text on one line, its white space made single spaces.
    static func oneLine(_ text: String) -> String {
        text.utf8.split { $0.isSpace }.map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: " ")
    }

    /// `true` if a text can be an `xml:id` beside generated ones: an NCName of ASCII characters.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isNameStart else { return false }
        guard text.utf8.count <= 200, text.utf8.allSatisfy({ $0.isNameStart || $0.isNameRest })
        else { return false }
        return !["style", "region", "agent"].contains { word in
            text.hasPrefix(word) && text.dropFirst(word.utf8.count).utf8.allSatisfy(\.isDigit)
        }
    }
}

extension UInt8 {
    /// A letter or an underscore.
    fileprivate var isNameStart: Bool { (self | 0x20) &- 0x61 < 26 || self == 0x5F }

    /// A digit, a hyphen or a point.
    fileprivate var isNameRest: Bool { isDigit || self == Byte.hyphen || self == Byte.period }
}
