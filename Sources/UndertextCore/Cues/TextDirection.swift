/// The direction of the lines of a text.
public enum TextDirection: String, Hashable, Sendable {
    /// The direction of Latin.
    case leftToRight = "ltr"
    /// The direction of Hebrew and Arabic.
    case rightToLeft = "rtl"

    /// Creates the direction of the first strong character of a text, or left to right if it has none.
    ///
    /// Unicode Standard Annex 9, rules P2 and P3; the lines of a text are one paragraph.
    ///
    /// - Parameter text: The text, lines separated by line feeds.
    package init(of text: String) {
        var isolates = 0
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x2066...0x2068: isolates += 1
            case 0x2069: isolates = max(isolates - 1, 0)
            case 0x0A, 0x0D, 0x85, 0x2029: isolates = 0
            default:
                guard isolates == 0, let direction = Self.strong(scalar) else { continue }
                self = direction
                return
            }
        }
        self = .leftToRight
    }

    /// The direction of a character of the bidirectional classes L, R and AL; `nil` for others.
    ///
    /// By the blocks of scripts that run from right to left: the standard library has no bidirectional
    /// classes. In these blocks marks, digits and some signs have no direction.
    private static func strong(_ scalar: Unicode.Scalar) -> TextDirection? {
        switch scalar.value {
        case 0x200E: return .leftToRight
        case 0x200F, 0x061C: return .rightToLeft
        case 0x0609, 0x060A, 0x060C, 0x066A...0x066C, 0xFD3E, 0xFD3F: return nil
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x1_0800...0x1_0FFF,
            0x1_E800...0x1_EFFF:
            switch scalar.properties.generalCategory {
            case .otherLetter, .modifierLetter, .uppercaseLetter, .lowercaseLetter,
                .otherPunctuation, .dashPunctuation:
                return .rightToLeft
            default: return nil
            }
        default: return scalar.properties.isAlphabetic ? .leftToRight : nil
        }
    }
}
