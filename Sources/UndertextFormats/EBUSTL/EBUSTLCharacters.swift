internal import UndertextCore

/// A character code table of text fields.
///
/// EBU Tech 3264-E, appendix 1. The raw value is the number in the GSI block.
enum EBUSTLCharacters: Int, CaseIterable {
    /// ISO 6937: letters of many languages, with diacritical marks before the letter.
    case latin
    /// ISO 8859-5.
    case cyrillic
    /// ISO 8859-6.
    case arabic
    /// ISO 8859-7.
    case greek
    /// ISO 8859-8.
    case hebrew

    /// The character of a byte from 0x20 on; `nil` for a byte without one.
    func scalar(_ code: UInt8) -> Unicode.Scalar? {
        switch code {
        case 0x20...0x7E: Unicode.Scalar(code)
        case 0xA0...: Self.upperHalves[rawValue][Int(code) - 0xA0]
        default: nil
        }
    }

    /// The bytes of a character; `nil` if the table does not have it.
    ///
    /// Characters are equal if they are canonically equivalent.
    func bytes(of character: Character) -> [UInt8]? {
        if let ascii = character.asciiValue {
            return (0x20...0x7E).contains(ascii) ? [ascii] : nil
        }
        if let found = Self.codes[rawValue][character] { return found }
        guard character.unicodeScalars.count > 1, self != .latin else { return nil }
        // Vowel signs follow their letter.
        var bytes: [UInt8] = []
        for scalar in character.unicodeScalars {
            guard let found = Self.codes[rawValue][Character(scalar)] else { return nil }
            bytes += found
        }
        return bytes
    }

    /// The diacritical mark that a byte of ``latin`` puts on the letter after it.
    func mark(_ code: UInt8) -> Mark? { self == .latin ? Self.marks[code] : nil }

    /// The letter without its mark, for what ``latin`` has no code of; `nil` for other characters.
    static func base(of character: Character) -> Character? { bases[character] }

    private static let bases: [Character: Character] = {
        var bases: [Character: Character] = [:]
        for letter in (0x41...0x7A).compactMap({ Unicode.Scalar($0) })
        where letter.properties.isAlphabetic {
            for mark in marks.values {
                bases[Character(String(letter) + String(mark.combining))] = Character(letter)
            }
        }
        return bases
    }()

    // MARK: Diacritical marks

    /// A diacritical mark.
    struct Mark {
        /// The mark as Unicode has it, after its letter.
        let combining: Unicode.Scalar
        /// The mark alone.
        let alone: Unicode.Scalar
        fileprivate let composed: [Unicode.Scalar: Unicode.Scalar]

        /// Pairs of a letter and the letter with the mark.
        fileprivate init(_ combining: Unicode.Scalar, alone: Unicode.Scalar, _ pairs: String) {
            self.combining = combining
            self.alone = alone
            let scalars = Array(pairs.unicodeScalars)
            var composed: [Unicode.Scalar: Unicode.Scalar] = [:]
            for index in stride(from: 0, to: scalars.count - 1, by: 2) {
                composed[scalars[index]] = scalars[index + 1]
            }
            self.composed = composed
        }

        /// The text of the mark on a letter.
        func text(on letter: Unicode.Scalar) -> String {
            if letter == " " { return String(alone) }
            if let found = composed[letter] { return String(found) }
            return String(letter) + String(combining)
        }
    }

    private static let marks: [UInt8: Mark] = [
        0xC1: Mark("\u{300}", alone: "`", "AÀEÈIÌOÒUÙaàeèiìoòuù"),
        0xC2: Mark("\u{301}", alone: "´", "AÁCĆEÉIÍLĹNŃOÓRŔSŚUÚYÝZŹaácćeégģiílĺnńoórŕsśuúyýzź"),
        0xC3: Mark("\u{302}", alone: "^", "AÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶaâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷ"),
        0xC4: Mark("\u{303}", alone: "~", "AÃIĨNÑOÕUŨaãiĩnñoõuũ"),
        0xC5: Mark("\u{304}", alone: "¯", "AĀEĒIĪOŌUŪaāeēiīoōuū"),
        0xC6: Mark("\u{306}", alone: "˘", "AĂGĞUŬaăgğuŭ"),
        0xC7: Mark("\u{307}", alone: "˙", "CĊEĖGĠIİZŻcċeėgġzż"),
        0xC8: Mark("\u{308}", alone: "¨", "AÄEËIÏOÖUÜYŸaäeëiïoöuüyÿ"),
        // The umlaut of the first edition.
        0xC9: Mark("\u{308}", alone: "¨", "AÄOÖUÜaäoöuü"),
        0xCA: Mark("\u{30A}", alone: "˚", "AÅUŮaåuů"),
        0xCB: Mark("\u{327}", alone: "¸", "CÇGĢKĶLĻNŅRŖSŞTŢcçgģkķlļnņrŗsştţ"),
        0xCD: Mark("\u{30B}", alone: "˝", "OŐUŰoőuű"),
        0xCE: Mark("\u{328}", alone: "˛", "AĄEĘIĮUŲaąeęiįuų"),
        0xCF: Mark("\u{30C}", alone: "ˇ", "CČDĎEĚLĽNŇRŘSŠTŤZŽcčdďeělľnňrřsštťzž"),
    ]

    // MARK: Tables

    private static let upperHalves = allCases.map { table in
        (0xA0...0xFF).map { table.upper(UInt32($0)) }
    }

    private func upper(_ code: UInt32) -> Unicode.Scalar? {
        switch self {
        case .latin: Self.latinUpper[Int(code) - 0xA0]
        case .cyrillic: Self.cyrillic(code)
        case .arabic: Self.arabic(code)
        case .greek: Self.greek(code)
        case .hebrew: Self.hebrew(code)
        }
    }

    /// Full stops have no character; those of the third row put a mark on a letter.
    private static let latinUpper: [Unicode.Scalar?] = Array(
        ("\u{A0}¡¢£$¥#§¤‘“«←↑→↓" + "°±²³×µ¶·÷’”»¼½¾¿" + "................"
            + "—¹®©™♪¬¦....⅛⅜⅝⅞" + "\u{2126}ÆĐªĦ.ĲĿŁØŒºÞŦŊŉ" + "ĸæđðħıĳŀłøœßþŧŋ\u{AD}")
            .unicodeScalars
    ).map { $0 == "." ? nil : $0 }

    private static func cyrillic(_ code: UInt32) -> Unicode.Scalar? {
        switch code {
        case 0xA0, 0xAD: Unicode.Scalar(code)
        case 0xF0: "№"
        case 0xFD: "§"
        default: Unicode.Scalar(code + 0x360)
        }
    }

    private static func arabic(_ code: UInt32) -> Unicode.Scalar? {
        switch code {
        case 0xA0, 0xA4, 0xAD: Unicode.Scalar(code)
        case 0xAC, 0xBB, 0xBF, 0xC1...0xDA, 0xE0...0xF2: Unicode.Scalar(code + 0x560)
        default: nil
        }
    }

    private static func greek(_ code: UInt32) -> Unicode.Scalar? {
        switch code {
        case 0xA1: "‘"
        case 0xA2: "’"
        case 0xA4: "€"
        case 0xA5: "₯"
        case 0xAA: "\u{37A}"
        case 0xAF: "―"
        case 0xA0...0xAD, 0xB0...0xB3, 0xB7, 0xBB, 0xBD: Unicode.Scalar(code)
        case 0xAE, 0xD2, 0xFF: nil
        default: Unicode.Scalar(code + 0x2D0)
        }
    }

    private static func hebrew(_ code: UInt32) -> Unicode.Scalar? {
        switch code {
        case 0xAA: "×"
        case 0xBA: "÷"
        case 0xA0, 0xA2...0xBE: Unicode.Scalar(code)
        case 0xDF: "‗"
        case 0xE0...0xFA: Unicode.Scalar(code + 0x4F0)
        case 0xFD, 0xFE: Unicode.Scalar(code + 0x1F11)
        default: nil
        }
    }

    /// The bytes of each character beyond ASCII, by table.
    private static let codes: [[Character: [UInt8]]] = allCases.map { table in
        var codes: [Character: [UInt8]] = [:]
        if table == .latin {
            for (code, mark) in marks.sorted(by: { $0.key > $1.key }) where code != 0xC9 {
                codes[Character(mark.alone)] = [code, 0x20]
                for (letter, composed) in mark.composed {
                    codes[Character(composed)] = [code, UInt8(truncatingIfNeeded: letter.value)]
                }
            }
            // Letters that look the same: of Icelandic, and of Romanian with a comma below.
            codes["Ð"] = [0xE2]
            for (letter, base) in [("Ș", "S"), ("ș", "s"), ("Ț", "T"), ("ț", "t")] {
                codes[Character(letter)] = [0xCB] + base.utf8
            }
        }
        for code in UInt8(0xA0)...0xFF {
            guard let scalar = table.scalar(code) else { continue }
            codes[Character(scalar)] = [code]
        }
        return codes
    }
}
