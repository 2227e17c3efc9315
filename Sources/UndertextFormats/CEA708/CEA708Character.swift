/// The characters of the code sets G0 to G3 and of 16 bits.
///
/// CTA-708-E, section 7.1.
enum CEA708Character {
    /// Replaces characters that have no meaning, as CTA-708-E, section 7.1, has it.
    static let unknown: Unicode.Scalar = "_"

    /// The character of a byte from 0x20 to 0x7F or 0xA0 to 0xFF: ASCII with a note at its end, and Latin 1.
    static func standard(_ code: UInt8) -> Unicode.Scalar {
        code == 0x7F ? "♪" : Unicode.Scalar(code)
    }

    /// The character of a byte after EXT1, from 0x20 to 0x7F or 0xA0 to 0xFF; `nil` for the transparent spaces.
    static func extended(_ code: UInt8) -> Unicode.Scalar? {
        switch code {
        case 0x20, 0x21: nil
        // The symbol of closed captions has no code of its own in Unicode.
        case 0xA0: "㏄"
        default: extended[code] ?? unknown
        }
    }

    private static let extended: [UInt8: Unicode.Scalar] = [
        0x25: "…", 0x2A: "Š", 0x2C: "Œ", 0x30: "█", 0x31: "‘", 0x32: "’", 0x33: "“", 0x34: "”",
        0x35: "•", 0x39: "™", 0x3A: "š", 0x3C: "œ", 0x3D: "℠", 0x3F: "Ÿ", 0x76: "⅛", 0x77: "⅜",
        0x78: "⅝", 0x79: "⅞", 0x7A: "│", 0x7B: "┐", 0x7C: "└", 0x7D: "─", 0x7E: "┘", 0x7F: "┌",
    ]
}
