internal import UndertextCore

/// The values in the lines of an .idx file.
enum VobSubLine {
    /// A number of at most nine decimal digits.
    static func number(_ digits: some Collection<UInt8>) -> Int? {
        digits.count <= 9 ? decimalNumber(digits) : nil
    }

    /// The text of a value without the blanks around it, at most 1024 bytes.
    static func text(_ value: ArraySlice<UInt8>) -> String {
        var bytes = value.drop { $0 <= 0x20 }.prefix(1024)
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `[sign]hh:mm:ss:mmm` or a number of milliseconds.
    static func clock(_ value: ArraySlice<UInt8>) -> Int64? {
        var rest = value.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = rest.last, last <= 0x20 { rest.removeLast() }
        var sign: Int64 = 1
        if let first = rest.first, first == 0x2D || first == 0x2B {
            if first == 0x2D { sign = -1 }
            rest.removeFirst()
        }
        let parts = rest.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
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

    /// `720x576`, with blanks anywhere; `nil` for anything else and for nothing.
    static func size(_ value: ArraySlice<UInt8>) -> PixelSize? {
        let sides = value.filter { $0 > 0x20 }.split { $0 == 0x78 || $0 == 0x58 }.map(number)
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The language of `id:`; ISO 639 codes that have been replaced since are updated.
    static func language(_ identifier: String) -> LanguageTag? {
        let renewed = ["iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"]
        let word = identifier.lowercased()
        return LanguageTag(renewed[word] ?? word)
    }
}
