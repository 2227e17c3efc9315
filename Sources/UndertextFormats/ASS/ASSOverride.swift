/// One override tag of ASS, such as `\b1`, as far as neutral cues and loss ledgers need it.
///
/// `nil` values mean: back to the style.
public enum ASSOverride: Hashable, Sendable {
    /// `\i`: slanted.
    case italic(Bool?)
    /// `\b`: heavy; weights from 600 on count as bold.
    case bold(Bool?)
    /// `\u`: underlined.
    case underline(Bool?)
    /// `\s`: struck through.
    case strikeOut(Bool?)
    /// `\c`, `\1c` to `\4c`: a color as `0xBBGGRR`; the number tells which.
    case color(Int, UInt32?)
    /// `\1a` to `\4a`, `\alpha` (number 0): transparency, 255 is invisible.
    case alpha(Int, UInt8?)
    /// `\fn`: the font's name.
    case font(String?)
    /// `\fs`: the font's size in script pixels.
    case fontSize(Double?)
    /// `\fs+` and `\fs-`: the size changes by tenths of itself.
    case fontSizeChange(Double)
    /// `\an` and `\a`.
    case alignment(NumpadAlignment)
    /// `\pos`, in script pixels.
    case position(x: Double, y: Double)
    /// `\move`: its start, in script pixels.
    case move(x: Double, y: Double)
    /// `\r`: back to a style; `nil` = the event's own.
    case reset(String?)
    /// `\p`: above 0 what follows is a drawing.
    case drawing(Int)
    /// `\k` and its kin: the next syllable, in hundredths of a second.
    case karaoke(Int)
    /// `\kt`: where the next syllable begins, in hundredths of a second.
    case karaokeTime(Int)
    /// `\q`: how lines are wrapped.
    case wrapStyle(Int)
    /// A tag without a neutral equivalent, or none that we know.
    case other(ASSFeatures)
}
