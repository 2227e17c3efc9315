internal import UndertextCore

/// A script, or scripts that are written together; the raw values are ISO 15924 codes.
package enum WritingSystem: String, Hashable, Sendable, CaseIterable {
    /// Latin.
    case latin = "Latn"
    /// Cyrillic.
    case cyrillic = "Cyrl"
    /// Greek.
    case greek = "Grek"
    /// Arabic.
    case arabic = "Arab"
    /// Hebrew.
    case hebrew = "Hebr"
    /// Devanagari.
    case devanagari = "Deva"
    /// Thai.
    case thai = "Thai"
    /// Chinese characters.
    case han = "Hani"
    /// Kana and Chinese characters.
    case japanese = "Jpan"
    /// Hangul.
    case korean = "Kore"

    /// `true` if spaces separate words.
    var separatesWords: Bool {
        switch self {
        case .thai, .han, .japanese: false
        default: true
        }
    }

    /// The script of a character; `nil` for those of several scripts, such as digits, and of others.
    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0x24F, 0x1E00...0x1EFF, 0xFF21...0xFF3A,
            0xFF41...0xFF5A:
            guard scalar.properties.isAlphabetic else { return nil }
            self = .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
        case 0x590...0x5FF, 0xFB1D...0xFB4F: self = .hebrew
        case 0x620...0x64A, 0x66E...0x6D3, 0x6FA...0x6FF, 0x750...0x77F, 0x8A0...0x8FF,
            0xFB50...0xFDCF, 0xFDF0...0xFDFF, 0xFE70...0xFEFC:
            self = .arabic
        case 0x900...0x963, 0x966...0x97F, 0xA8E0...0xA8FF: self = .devanagari
        case 0xE01...0xE3A, 0xE40...0xE5B: self = .thai
        case 0x3041...0x309F, 0x30A1...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D: self = .japanese
        case 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97F, 0xAC00...0xD7FB, 0xFFA1...0xFFDC:
            self = .korean
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0x2_0000...0x3_FFFD:
            self = .han
        default: return nil
        }
    }
}

/// Counts the letters of texts by their script.
struct WritingSystemCounts {
    private var counts: [WritingSystem: Int] = [:]

    /// Counts the letters of a text.
    mutating func add(_ text: String) {
        for scalar in text.unicodeScalars {
            if let system = WritingSystem(scalar) { counts[system, default: 0] += 1 }
        }
    }

    /// The script with the most letters, or `nil` without any; Chinese characters with kana among them are Japanese.
    var most: WritingSystem? {
        var counts = counts
        if let kana = counts[.japanese] {
            counts[.japanese] = kana + (counts[.han] ?? 0)
            counts[.han] = nil
        }
        return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }
}

/// The way in which characters are counted.
package enum CharacterCount: String, Hashable, Sendable, CaseIterable {
    /// Each grapheme cluster is one character.
    case characters
    /// Wide characters count 1, all others ½, as style guides for Japanese and Korean count them.
    case fullWidth = "full-width"
}

/// The measures of a text that people read.
package enum TextMeasure {
    /// Returns the number of characters of a line or a text.
    ///
    /// A character is a grapheme cluster (Unicode Standard Annex 29). Spaces and punctuation count; line breaks, and
    /// characters without a shape such as directional marks, do not.
    package static func characters(
        in text: some StringProtocol, by count: CharacterCount = .characters
    ) -> Double {
        var halves = 0
        for character in text where !isInvisible(character) {
            halves += count == .characters || isWide(character) ? 2 : 1
        }
        return Double(halves) / 2
    }

    /// Returns the number of words: parts between white space with a letter, a digit or another sign that is read.
    package static func words(in text: String) -> Int {
        text.split(whereSeparator: \.isWhitespace).count { part in
            part.contains { $0.isLetter || $0.isNumber || $0.isSymbol }
        }
    }

    /// Returns the lines of a text without blank ones at its beginning and end.
    package static func lines(of text: String) -> [Substring] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        while let first = lines.first, isBlank(first) { lines.removeFirst() }
        while let last = lines.last, isBlank(last) { lines.removeLast() }
        return Array(lines)
    }

    /// A Boolean value that indicates whether a text has nothing that is visible.
    package static func isBlank(_ text: some StringProtocol) -> Bool {
        text.allSatisfy { $0.isWhitespace || isInvisible($0) }
    }

    private static func isInvisible(_ character: Character) -> Bool {
        if character.isNewline { return true }
        return character.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF:
                true
            case 0..<0x20, 0x7F..<0xA0: true
            default: false
            }
        }
    }

    /// A Boolean value that indicates whether a character is wide in East Asian text.
    ///
    /// Unicode Standard Annex 11: the classes F and W, and of class A the punctuation and signs that Japanese text uses.
    private static func isWide(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_F300...0x1_F64F, 0x1_F900...0x1_F9FF,
            0x2_0000...0x3_FFFD:
            return true
        case 0x2010...0x2016, 0x2018, 0x2019, 0x201C, 0x201D, 0x2020...0x2027, 0x2030, 0x2032,
            0x2033, 0x203B, 0x2103, 0x2116, 0x2121, 0x2190...0x2199, 0x2460...0x24FF,
            0x25A0...0x266F:
            return true
        default: return false
        }
    }
}
