/// The characters of line 21 data.
///
/// CTA-608-E, section 6.4.2, tables 49 and 50 for standard and special characters, and tables 5 to 10 for extended ones.
enum CEA608Character {
    /// The solid block that replaces a character with wrong parity.
    ///
    /// 47 CFR 79.101 (j): a decoder shows the solid block, 0x7F, for such a character.
    static let solidBlock: Unicode.Scalar = "\u{2588}"

    /// The character of a byte from 0x20 to 0x7F.
    static func standard(_ code: UInt8) -> Unicode.Scalar {
        switch code {
        case 0x2A: "á"
        case 0x5C: "é"
        case 0x5E: "í"
        case 0x5F: "ó"
        case 0x60: "ú"
        case 0x7B: "ç"
        case 0x7C: "÷"
        case 0x7D: "Ñ"
        case 0x7E: "ñ"
        case 0x7F: solidBlock
        default: Unicode.Scalar(code)
        }
    }

    /// The character of the second byte of a pair that begins with 0x11, from 0x30 to 0x3F; `nil` for the transparent
    /// space.
    static func special(_ code: UInt8) -> Unicode.Scalar? {
        let index = Int(code & 0x0F)
        return index == transparentSpace ? nil : specials[index]
    }

    /// The character of a pair that begins with 0x12 or 0x13, its second byte from 0x20 to 0x3F.
    static func extended(_ first: UInt8, _ second: UInt8) -> Unicode.Scalar {
        extended[Int(first & 1) * 32 + Int(second & 0x1F)]
    }

    private static let transparentSpace = 9
    private static let specials = Array("®°½¿™¢£♪à èâêîôû".unicodeScalars)
    /// Spanish, miscellaneous and French, then Portuguese, German and Danish.
    private static let extended = Array(
        ("ÁÉÓÚÜü‘¡*’—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»" + "ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤│ÅåØø┌┐└┘").unicodeScalars)

    /// The bytes of a character without parity bits, as a writer sends them.
    enum Code: Hashable {
        /// One byte.
        case standard(UInt8)
        /// A pair of the first data channel.
        case special(UInt8, UInt8)
        /// A pair of the first data channel that replaces the character before it, which decoders without the pair show.
        case extended(UInt8, UInt8, instead: UInt8)
    }

    /// The characters that can be sent; characters are equal if they are canonically equivalent.
    static let scalars: [Character: Unicode.Scalar] = Dictionary(
        codes.keys.map { (Character($0), $0) }
    ) { first, _ in first }

    /// The bytes of each character.
    static let codes: [Unicode.Scalar: Code] = {
        var codes: [Unicode.Scalar: Code] = [:]
        for (index, scalar) in extended.enumerated() {
            let first: UInt8 = index < 32 ? 0x12 : 0x13
            codes[scalar] = .extended(
                first, 0x20 | UInt8(index & 0x1F), instead: similar(to: scalar))
        }
        for (index, scalar) in specials.enumerated() where index != transparentSpace {
            codes[scalar] = .special(0x11, 0x30 | UInt8(index))
        }
        for code in UInt8(0x20)...0x7F { codes[standard(code)] = .standard(code) }
        return codes
    }()

    /// The standard character that looks most like an extended one.
    private static func similar(to scalar: Unicode.Scalar) -> UInt8 {
        let base = base(of: String(scalar))
        if base != scalar, base.isASCII { return UInt8(truncatingIfNeeded: base.value) }
        return switch scalar {
        case "‘", "’": 0x27
        case "“", "”", "«", "»": 0x22
        case "—", "_", "~": 0x2D
        case "¡": 0x21
        case "•", "*": 0x2E
        case "{": 0x28
        case "}": 0x29
        case "\\": 0x2F
        case "Ø": 0x4F
        case "ø": 0x6F
        case "ß": 0x73
        case "¥": 0x59
        case "©": 0x63
        case "℠": 0x73
        case "│", "|": 0x21
        default: 0x2B
        }
    }
}

extension CEA608Character {
    /// The letter of a text of one character without its accent; the first scalar where Unicode has no such letter.
    static func base(of text: String) -> Unicode.Scalar {
        for letter in letters {
            // Strings are equal if they are canonically equivalent.
            for accent in accents where text == String(letter) + String(accent) { return letter }
        }
        return text.unicodeScalars.first ?? " "
    }

    private static let letters = (0x41...0x7A).compactMap { Unicode.Scalar($0) }
    /// Grave, acute, circumflex, tilde, macron, breve, dot above, diaeresis, ring above, double acute, caron, comma
    /// below, cedilla, ogonek.
    private static let accents = Array(
        "\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}\u{30A}\u{30B}\u{30C}\u{326}\u{327}\u{328}"
            .unicodeScalars)
}
