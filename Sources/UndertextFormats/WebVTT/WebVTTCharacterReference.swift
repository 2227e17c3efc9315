internal import UndertextCore

/// An HTML character reference such as `&amp;` or `&#39;`.
///
/// HTML standard, sections 13.2.5.72 to 13.2.5.80, as WebVTT uses them.
struct WebVTTCharacterReference {
    /// The characters that replace it.
    var text: String
    /// The index after it.
    var end: Int

    /// The reference at the `&` of `start`; `nil` if there is none.
    init?(_ bytes: [UInt8], at start: Int) {
        guard start + 1 < bytes.count else { return nil }
        if bytes[start + 1] == 0x23 {
            self.init(number: bytes, at: start + 2)
        } else {
            self.init(name: bytes, at: start + 1)
        }
    }

    private init?(number bytes: [UInt8], at start: Int) {
        var index = start
        var radix: UInt32 = 10
        if index < bytes.count, bytes[index] == 0x78 || bytes[index] == 0x58 {
            radix = 16
            index += 1
        }
        let digits = index
        var value: UInt32 = 0
        while index < bytes.count, let digit = bytes[index].hexValue, digit < radix {
            if value <= 0x10FFFF { value = value * radix + UInt32(digit) }
            index += 1
        }
        guard index > digits else { return nil }
        if index < bytes.count, bytes[index] == 0x3B { index += 1 }
        text = String(Self.scalar(value))
        end = index
    }

    private init?(name bytes: [UInt8], at start: Int) {
        var index = start
        while index < bytes.count, index - start < Self.longestName, bytes[index].isAlphanumeric {
            index += 1
        }
        guard index > start else { return nil }
        if index < bytes.count, bytes[index] == 0x3B,
            let found = Self.lookUp(bytes[start..<index].text)
        {
            text = found
            end = index + 1
            return
        }
        // Some names need no semicolon: the longest one that what follows begins with counts.
        for length in stride(from: min(Self.longestLegacyName, index - start), to: 1, by: -1) {
            let name = bytes[start..<start + length].text
            if Self.legacy.contains(name), let found = Self.lookUp(name) {
                text = found
                end = start + length
                return
            }
        }
        return nil
    }

    private static let longestName = 32
    private static let longestLegacyName = 6

    private static func lookUp(_ name: String) -> String? {
        switch name {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "nbsp": "\u{A0}"
        case "lrm": "\u{200E}"
        case "rlm": "\u{200F}"
        default: named[name]
        }
    }

    /// All names but the commonest, read at the first use of one.
    private static let named: [String: String] = {
        var named: [String: String] = [:]
        for entry in WebVTTNamedReferences.table.utf8.split(whereSeparator: \.isSpace) {
            let halves = entry.split(separator: 0x3D)
            guard halves.count == 2 else { continue }
            var text = ""
            for code in halves[1].split(separator: 0x2B) {
                guard let value = UInt32(String(Substring(code)), radix: 16) else { continue }
                text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
            }
            named[String(Substring(halves[0]))] = text
        }
        return named
    }()

    private static let legacy = Set(
        WebVTTNamedReferences.legacy.utf8.split(whereSeparator: \.isSpace).map {
            String(Substring($0))
        })

    /// The character of a number; numbers of Windows-1252's upper control range mean its characters.
    private static func scalar(_ value: UInt32) -> Unicode.Scalar {
        if (0x80...0x9F).contains(value) {
            let replacement = windows1252[Int(value) - 0x80]
            return Unicode.Scalar(replacement == 0 ? value : replacement) ?? "\u{FFFD}"
        }
        return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    /// HTML standard, section 13.2.5.80: replacements for 0x80 to 0x9F, 0 = none.
    private static let windows1252: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
        0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
        0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
    ]
}
