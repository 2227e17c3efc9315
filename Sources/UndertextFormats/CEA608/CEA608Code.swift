/// A control code of line 21 data: a pair whose first byte is 0x10 to 0x1F.
///
/// CTA-608-E, section 6.4 and tables 51 to 53; 47 CFR 79.101 (e) and (f).
enum CEA608Code: Hashable {
    /// The part of a preamble address code beside the row.
    enum Preamble: Hashable {
        case color(CEA608Pen.Color)
        case italic
        case indent(Int)
    }

    /// Codes without a parameter.
    enum Command: UInt8 {
        case resumeCaptionLoading = 0x20
        case backspace, alarmOff, alarmOn, deleteToEndOfRow
        case rollUp2, rollUp3, rollUp4
        case flashOn, resumeDirectCaptioning, textRestart, resumeTextDisplay
        case eraseDisplayedMemory, carriageReturn, eraseNonDisplayedMemory, endOfCaption
    }

    case preamble(row: Int, Preamble, isUnderlined: Bool)
    /// A mid-row code; `nil` = italics.
    case midRow(CEA608Pen.Color?, isUnderlined: Bool)
    /// A special character; `nil` = transparent space.
    case special(Unicode.Scalar?)
    case extended(Unicode.Scalar)
    case background(CEA608Pen.Color, CEA608Pen.Opacity)
    case blackForeground(isUnderlined: Bool)
    case tabOffset(Int)
    case command(Command)

    /// Rows of preamble address codes by the low bits of the first byte, those of the second half of codes last.
    private static let rows: [[Int?]] = [
        [10, 0, 2, 11, 13, 4, 6, 8], [nil, 1, 3, 12, 14, 5, 7, 9],
    ]

    /// The code of a pair without parity bits and without the bit of the data channel; `nil` for codes that have no
    /// meaning.
    init?(_ first: UInt8, _ second: UInt8) {
        guard 0x10...0x17 ~= first, 0x20...0x7F ~= second else { return nil }
        let isOdd = second & 1 != 0
        let index = (second >> 1) & 7
        if second >= 0x40 {
            guard let row = Self.rows[Int(second >> 5) & 1][Int(first & 7)] else { return nil }
            let style: Preamble =
                if second & 0x10 != 0 {
                    .indent(Int(index) * 4)
                } else {
                    index < 7 ? .color(Self.color(index)) : .italic
                }
            self = .preamble(row: row, style, isUnderlined: isOdd)
            return
        }
        switch (first, second) {
        case (0x10, 0x20...0x2F):
            self = .background(Self.color(index), isOdd ? .semiTransparent : .opaque)
        case (0x11, 0x20...0x2F):
            self = .midRow(index < 7 ? Self.color(index) : nil, isUnderlined: isOdd)
        case (0x11, 0x30...0x3F): self = .special(CEA608Character.special(second))
        case (0x12, _), (0x13, _): self = .extended(CEA608Character.extended(first, second))
        // Field 2 has 0x15, so that a decoder notices swapped fields; some encoders send 0x14 there.
        case (0x14, _), (0x15, _):
            guard let command = Command(rawValue: second) else { return nil }
            self = .command(command)
        case (0x17, 0x21...0x23): self = .tabOffset(Int(second & 3))
        case (0x17, 0x2D): self = .background(.black, .transparent)
        case (0x17, 0x2E), (0x17, 0x2F): self = .blackForeground(isUnderlined: isOdd)
        default: return nil
        }
    }

    private static func color(_ index: UInt8) -> CEA608Pen.Color {
        CEA608Pen.Color(rawValue: index) ?? .white
    }
}
