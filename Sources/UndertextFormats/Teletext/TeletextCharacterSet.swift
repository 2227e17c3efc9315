/// The primary sets of characters, G0.
///
/// EN 300 706, section 15.6, tables 35 to 46.
enum TeletextPrimarySet: Hashable {
    case latin, cyrillic1, cyrillic2, cyrillic3, greek, arabic, hebrew

    /// The characters of codes 0x20 to 0x7F.
    fileprivate var table: [Unicode.Scalar] {
        switch self {
        case .latin: TeletextTables.latin
        case .cyrillic1: TeletextTables.cyrillic1
        case .cyrillic2: TeletextTables.cyrillic2
        case .cyrillic3: TeletextTables.cyrillic3
        case .greek: TeletextTables.greek
        case .arabic: TeletextTables.arabic
        case .hebrew: TeletextTables.hebrew
        }
    }
}

/// The supplementary sets of characters, G2.
enum TeletextSupplementarySet: Hashable {
    case latin, cyrillic, greek, arabic

    fileprivate var table: [Unicode.Scalar] {
        switch self {
        case .latin: TeletextTables.latinG2
        case .cyrillic: TeletextTables.cyrillicG2
        case .greek: TeletextTables.greekG2
        case .arabic: TeletextTables.arabicG2
        }
    }
}

/// A national option: the characters that replace 13 of the Latin primary set.
///
/// EN 300 706, table 36.
enum TeletextNationalOption: Int, Hashable, CaseIterable {
    case czechSlovak, english, estonian, french, german, italian, latvianLithuanian, polish
    case portugueseSpanish, romanian, serbianCroatianSlovenian, swedishFinnishHungarian, turkish

    /// The codes whose characters it replaces.
    static let codes: [UInt8] = [
        0x23, 0x24, 0x40, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F, 0x60, 0x7B, 0x7C, 0x7D, 0x7E,
    ]

    /// The characters in the order of ``codes``.
    var characters: [Unicode.Scalar] { Self.table[rawValue] }

    private static let table: [[Unicode.Scalar]] = [
        "#ůčťžýířéáěúš", "£$@←½→↑#―¼‖¾÷", "#õŠÄÖŽÜÕšäöžü", "éïàëêùî#èâôûç", "#$§ÄÖÜ^_°äöüß",
        "£$é°ç→↑#ùàòèì", "#$ŠėęŽčūšąųžį", "#ńąƵŚŁćóężśłź", "ç$¡áéíóú¿üñèà", "#¤ŢÂŞĂÎıţâşăî",
        "#ËČĆŽĐŠëčćžđš", "#¤ÉÄÖÅÜ_éäöåü", "₺ğİŞÖÇÜĞışöçü",
    ].map { Array($0.unicodeScalars) }
}

/// The sets of a page or of text within it.
struct TeletextCharacterSet: Hashable {
    var primary = TeletextPrimarySet.latin
    var option: TeletextNationalOption? = .english
    var supplementary = TeletextSupplementarySet.latin

    /// The sets of a designation code, seven bits; `nil` for reserved codes.
    ///
    /// EN 300 706, section 15.2, table 32: four bits of a region, and three that are C12, C13 and C14 in headers.
    init?(designation: UInt8) {
        switch designation {
        case 0x20: self.init(.cyrillic1, .cyrillic)
        case 0x24: self.init(.cyrillic2, .cyrillic)
        case 0x25: self.init(.cyrillic3, .cyrillic)
        case 0x37: self.init(.greek, .greek)
        case 0x40: self.init(.latin, .arabic, .english)
        case 0x44: self.init(.latin, .arabic, .french)
        case 0x47, 0x57: self.init(.arabic, .arabic)
        case 0x55: self.init(.hebrew, .arabic)
        default:
            guard let option = Self.latinOptions[designation] else { return nil }
            self.init(.latin, .latin, option)
        }
    }

    /// The sets of a page.
    ///
    /// - Parameters:
    ///   - designation: the code of X/28 or M/29; `nil` without one.
    ///   - option: C12 to C14 of the header, which take the place of the last three bits.
    init(designation: UInt8?, option: UInt8) {
        self =
            Self(designation: (designation ?? 0) & 0x78 | option)
            ?? designation.flatMap(Self.init(designation:))
            ?? Self(.latin, .latin)
    }

    private init(
        _ primary: TeletextPrimarySet, _ supplementary: TeletextSupplementarySet,
        _ option: TeletextNationalOption? = nil
    ) {
        (self.primary, self.supplementary, self.option) = (primary, supplementary, option)
    }

    private static let latinOptions: [UInt8: TeletextNationalOption] = [
        0x00: .english, 0x01: .german, 0x02: .swedishFinnishHungarian, 0x03: .italian,
        0x04: .french, 0x05: .portugueseSpanish, 0x06: .czechSlovak,
        0x08: .polish, 0x09: .german, 0x0A: .swedishFinnishHungarian, 0x0B: .italian,
        0x0C: .french, 0x0E: .czechSlovak,
        0x10: .english, 0x11: .german, 0x12: .swedishFinnishHungarian, 0x13: .italian,
        0x14: .french, 0x15: .portugueseSpanish, 0x16: .turkish,
        0x1D: .serbianCroatianSlovenian, 0x1F: .romanian,
        0x21: .german, 0x22: .estonian, 0x23: .latvianLithuanian, 0x26: .czechSlovak,
        0x36: .turkish,
    ]

    // MARK: Characters

    /// The character of the primary set with its national option, code 0x20 to 0x7F.
    func character(_ code: UInt8) -> Unicode.Scalar {
        if primary == .latin, let option,
            let place = TeletextNationalOption.codes.firstIndex(of: code)
        {
            return option.characters[place]
        }
        return plainCharacter(code)
    }

    /// The character of the primary set without a national option.
    func plainCharacter(_ code: UInt8) -> Unicode.Scalar {
        primary.table[Int(code & 0x7F) - 0x20]
    }

    /// The character of the supplementary set, code 0x20 to 0x7F.
    func supplementaryCharacter(_ code: UInt8) -> Unicode.Scalar {
        supplementary.table[Int(code & 0x7F) - 0x20]
    }

    /// A character of the primary set with the diacritical mark of column 4 of G2, 0 to 15; 0 = without one.
    ///
    /// EN 300 706, section 12.3.4, table 28: an asterisk without a mark is the commercial at.
    func character(_ code: UInt8, mark: UInt8) -> Character {
        let base = plainCharacter(code)
        guard mark & 0x0F > 0 else { return code == 0x2A ? "@" : Character(base) }
        let composed = Character(
            String(base) + String(TeletextTables.marks[Int(mark & 0x0F) - 1]))
        return TeletextTables.precomposed[composed].map { Character($0) } ?? composed
    }

    // MARK: Mosaics

    /// The block mosaic of a code with bit 6: two by three blocks.
    ///
    /// EN 300 706, table 47. Unicode has no separated ones but in a block that fonts lack.
    static func mosaic(_ code: UInt8) -> Unicode.Scalar {
        let blocks = UInt32(code & 0x1F | (code & 0x40) >> 1)
        switch blocks {
        case 0: return " "
        case 0x15: return "▌"
        case 0x2A: return "▐"
        case 0x3F: return "█"
        default:
            let skipped: UInt32 = blocks > 0x2A ? 3 : blocks > 0x15 ? 2 : 1
            return Unicode.Scalar(0x1FB00 + blocks - skipped) ?? " "
        }
    }

    /// The character of G3, smooth mosaics and line drawing, code 0x20 to 0x7F.
    static func lineDrawing(_ code: UInt8) -> Unicode.Scalar {
        TeletextTables.lineDrawing[Int(code & 0x7F) - 0x20]
    }
}
