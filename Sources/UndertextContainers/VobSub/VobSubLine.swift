internal import UndertextCore

/// Characters that structure text files.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let hash: UInt8 = 0x23
    static let comma: UInt8 = 0x2C
    static let colon: UInt8 = 0x3A
}

/// The values in the lines of an .idx file.
enum VobSubLine {
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// A number of at most nine decimal digits.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The text of a value without the blanks around it, at most 1024 bytes.
    static func text(_ value: ArraySlice<UInt8>) -> String {
        var bytes = value.drop { $0 <= ASCII.space }.prefix(1024)
        while let last = bytes.last, last <= ASCII.space { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `[sign]hh:mm:ss:mmm` or a number of milliseconds.
    static func clock(_ value: ArraySlice<UInt8>) -> Int64? {
        var rest = value.drop { $0 == ASCII.space || $0 == ASCII.tab }
        while let last = rest.last, last <= ASCII.space { rest.removeLast() }
        var sign: Int64 = 1
        if let first = rest.first, first == 0x2D || first == 0x2B {
            if first == 0x2D { sign = -1 }
            rest.removeFirst()
        }
        let parts = rest.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { number($0).map(Int64.init) }
        guard numbers.count == parts.count else { return nil }
        switch numbers.count {
        case 1: return sign * numbers[0]
        case 4:
            let seconds = (numbers[0] * 60 + numbers[1]) * 60 + numbers[2]
            return sign * (seconds * 1000 + numbers[3])
        default: return nil
        }
    }

    /// ` filepos: 00000a800`, hexadecimal.
    static func position(_ value: ArraySlice<UInt8>) -> UInt64? {
        let words = text(value).lowercased()
        let name = "filepos:"
        guard words.hasPrefix(name) else { return nil }
        return UInt64(words.dropFirst(name.count).drop { $0 == " " }, radix: 16)
    }

    /// `720x576`; `nil` for anything else and for nothing.
    static func size(_ value: ArraySlice<UInt8>) -> PixelSize? {
        let parts = text(value).lowercased().utf8.split(separator: 0x78)
        guard parts.count == 2, let width = number(Array(parts[0])[...]),
            let height = number(Array(parts[1])[...]), width > 0, height > 0
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The language of `id:`; codes that ISO 639 has given up since DVDs began are renewed.
    static func language(_ identifier: String) -> LanguageTag? {
        let renewed = ["iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"]
        let word = identifier.lowercased()
        return LanguageTag(renewed[word] ?? word)
    }
}
