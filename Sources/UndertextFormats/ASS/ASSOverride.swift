internal import UndertextCore

/// One override tag of ASS, such as `\b1`, with what neutral cues and loss ledgers need.
///
/// `nil` values mean: back to the style.
package enum ASSOverride: Hashable, Sendable {
    /// `\i`: slanted.
    case italic(Bool?)
    /// `\b`: bold; weights of at least 600 are bold.
    case bold(Bool?)
    /// `\u`: underlined.
    case underline(Bool?)
    /// `\s`: struck through.
    case strikeOut(Bool?)
    /// `\c`, `\1c` to `\4c`: a color as `0xBBGGRR`; the number selects which.
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
    /// A tag without a neutral equivalent, or one whose argument is missing.
    case other(ASSFeatures)
}

extension ASSOverride {
    /// The features of the tag that a neutral cue cannot express.
    var features: ASSFeatures {
        switch self {
        case .other(let features): features
        case .move: .animation
        case .drawing(let scale): scale > 0 ? .drawing : []
        case .karaoke, .karaokeTime: .karaoke
        case .color(2...4, _), .alpha(2...4, _): .decoration
        default: []
        }
    }
}

extension ASSOverride {
    /// The tag of that name with its argument, such as `(10,20)`.
    init(_ name: ASSTagName, _ argument: ArraySlice<UInt8>) {
        let argument = argument.trimmed
        let value = argument.withoutParentheses
        switch name {
        case .b: self = .bold(value.leadingInteger.flatMap(Self.isBold))
        case .i: self = .italic(Self.flag(value))
        case .u: self = .underline(Self.flag(value))
        case .s: self = .strikeOut(Self.flag(value))
        case .c, .color1: self = .color(1, Self.color(value))
        case .color2: self = .color(2, Self.color(value))
        case .color3: self = .color(3, Self.color(value))
        case .color4: self = .color(4, Self.color(value))
        case .alpha: self = .alpha(0, Self.alpha(argument))
        case .alpha1: self = .alpha(1, Self.alpha(value))
        case .alpha2: self = .alpha(2, Self.alpha(value))
        case .alpha3: self = .alpha(3, Self.alpha(value))
        case .alpha4: self = .alpha(4, Self.alpha(value))
        case .a:
            let alignment = value.leadingInteger.flatMap(NumpadAlignment.init(ssa:))
            self = alignment.map { .alignment($0) } ?? .other([])
        case .an:
            let alignment = value.leadingInteger.flatMap(NumpadAlignment.init(numpad:))
            self = alignment.map { .alignment($0) } ?? .other([])
        case .fn: self = .font(value.isEmpty || value.elementsEqual([0x30]) ? nil : value.text)
        case .fs: self = Self.fontSize(value)
        case .p: self = .drawing(value.leadingInteger ?? 0)
        case .q: self = .wrapStyle(value.leadingInteger ?? 0)
        case .r: self = .reset(value.isEmpty ? nil : value.text)
        case .k, .upperK, .kf, .ko: self = .karaoke(Self.hundredths(value))
        case .kt: self = .karaokeTime(Self.hundredths(value))
        case .pos:
            let numbers = Self.numbers(argument)
            self = numbers.count < 2 ? .other([]) : .position(x: numbers[0], y: numbers[1])
        case .move:
            let numbers = Self.numbers(argument)
            self = numbers.count < 4 ? .other([]) : .move(x: numbers[0], y: numbers[1])
        case .clip, .iclip: self = .other(.clip)
        case .t, .fad, .fade: self = .other(.animation)
        case .fr, .frx, .fry, .frz, .fax, .fay, .org: self = .other(.rotation)
        case .fscx, .fscy, .fsc: self = .other(.scaling)
        case .be, .bord, .xbord, .ybord, .shad, .xshad, .yshad, .blur, .fsp:
            self = .other(.decoration)
        case .fe: self = .other(.metadata)
        // Moves a drawing, which counts itself.
        case .pbo: self = .other([])
        }
    }

    // MARK: Arguments

    private static func flag(_ argument: ArraySlice<UInt8>) -> Bool? {
        switch argument.leadingInteger {
        case 0: false
        case 1: true
        default: nil
        }
    }

    private static func isBold(_ weight: Int) -> Bool? {
        switch weight {
        case 0: false
        case 1: true
        case 100...: weight >= 600
        default: nil
        }
    }

    private static func hundredths(_ argument: ArraySlice<UInt8>) -> Int {
        // A syllable of more than a day is damage; the bound keeps sums in range.
        min(max(argument.leadingInteger ?? 0, 0), 8_640_000)
    }

    private static func fontSize(_ argument: ArraySlice<UInt8>) -> ASSOverride {
        guard let value = argument.leadingNumber else { return .fontSize(nil) }
        if let first = argument.first, first == 0x2B || first == 0x2D {
            return .fontSizeChange(value)
        }
        return .fontSize(value > 0 ? value : nil)
    }

    /// The numbers of `(1, 2.5)`.
    private static func numbers(_ argument: ArraySlice<UInt8>) -> [Double] {
        guard argument.first == 0x28 else { return [] }
        return argument.dropFirst().split(
            separator: 0x2C, maxSplits: 8, omittingEmptySubsequences: false
        ).prefix(8).compactMap(\.leadingNumber)
    }

    /// The color of `&HBBGGRR&` as `0xAABBGGRR`; `nil` without an argument.
    static func color(_ argument: ArraySlice<UInt8>) -> UInt32? {
        hexadecimal(argument)
    }

    private static func alpha(_ argument: ArraySlice<UInt8>) -> UInt8? {
        hexadecimal(argument).map { UInt8(truncatingIfNeeded: $0) }
    }

    /// The hexadecimal number after any `&` and `H`; `nil` if there is no digit.
    private static func hexadecimal(_ argument: ArraySlice<UInt8>) -> UInt32? {
        let digits = argument.drop { $0 == 0x26 || $0 == 0x48 || $0 == 0x68 || $0.isSpace }
        guard digits.first?.hexValue != nil else { return nil }
        var value: UInt32 = 0
        for byte in digits {
            guard let digit = byte.hexValue else { break }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}

extension ArraySlice<UInt8> {
    /// The bytes between the parentheses that libass accepts around any argument: `\b(1)` is `\b1`.
    fileprivate var withoutParentheses: ArraySlice<UInt8> {
        guard first == 0x28 else { return self }
        return dropFirst().prefix { $0 != 0x29 }.trimmed
    }
}
