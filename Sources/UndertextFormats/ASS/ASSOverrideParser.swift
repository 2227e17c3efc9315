internal import UndertextCore

extension ASSOverride {
    /// Reads a tag without its backslash, such as `pos(10,20)`.
    ///
    /// A name ends where the argument begins, so the longest known name that fits is taken:
    /// `bord2` is not `b` with the argument `ord2`.
    init(_ tag: ArraySlice<UInt8>) {
        let tag = tag.trimmed
        for length in stride(from: min(5, tag.count), through: 1, by: -1) {
            let name = tag.prefix(length)
            if let known = ASSOverride(name: name, argument: tag.dropFirst(length).trimmed) {
                self = known
                return
            }
        }
        self = .other([])
    }

    /// The tag of that name; `nil` for an unknown name.
    private init?(name: ArraySlice<UInt8>, argument: ArraySlice<UInt8>) {
        switch name.count {
        case 1: self.init(name: name[name.startIndex], argument: argument.withoutParentheses)
        case 2:
            self.init(
                name: (name[name.startIndex], name[name.startIndex + 1]),
                argument.withoutParentheses)
        default: self.init(longName: name.text, argument: argument)
        }
    }

    private init?(name: UInt8, argument: ArraySlice<UInt8>) {
        switch name {
        case 0x62:  // b
            self = .bold(argument.leadingInteger.flatMap(Self.isBold))
        case 0x69:  // i
            self = .italic(Self.flag(argument))
        case 0x75:  // u
            self = .underline(Self.flag(argument))
        case 0x73:  // s
            self = .strikeOut(Self.flag(argument))
        case 0x63:  // c
            self = .color(1, Self.color(argument))
        case 0x61:  // a
            let alignment = argument.leadingInteger.flatMap(NumpadAlignment.init(ssa:))
            self = alignment.map { .alignment($0) } ?? .other([])
        case 0x70:  // p
            self = .drawing(argument.leadingInteger ?? 0)
        case 0x71:  // q
            self = .wrapStyle(argument.leadingInteger ?? 0)
        case 0x72:  // r
            self = .reset(argument.isEmpty ? nil : argument.text)
        case 0x6B, 0x4B:  // k, K
            self = .karaoke(Self.hundredths(argument))
        case 0x74:  // t
            self = .other(.animation)
        default: return nil
        }
    }

    private init?(name: (UInt8, UInt8), _ argument: ArraySlice<UInt8>) {
        switch name {
        case (0x61, 0x6E):  // an
            let alignment = argument.leadingInteger.flatMap(NumpadAlignment.init(numpad:))
            self = alignment.map { .alignment($0) } ?? .other([])
        case (0x66, 0x6E):  // fn
            self = .font(argument.isEmpty || argument.elementsEqual([0x30]) ? nil : argument.text)
        case (0x66, 0x73):  // fs
            self = Self.fontSize(argument)
        case (0x66, 0x72):  // fr
            self = .other(.rotation)
        case (0x66, 0x65):  // fe
            self = .other(.metadata)
        case (0x62, 0x65):  // be
            self = .other(.decoration)
        case (0x6B, 0x66), (0x6B, 0x6F):  // kf, ko
            self = .karaoke(Self.hundredths(argument))
        case (0x6B, 0x74):  // kt
            self = .karaokeTime(Self.hundredths(argument))
        case (0x31...0x34, 0x63):  // 1c to 4c
            self = .color(Int(name.0 - 0x30), Self.color(argument))
        case (0x31...0x34, 0x61):  // 1a to 4a
            self = .alpha(Int(name.0 - 0x30), Self.alpha(argument))
        default: return nil
        }
    }

    private init?(longName: String, argument: ArraySlice<UInt8>) {
        switch longName {
        case "pos":
            let numbers = Self.numbers(argument)
            guard numbers.count >= 2 else { return nil }
            self = .position(x: numbers[0], y: numbers[1])
        case "move":
            let numbers = Self.numbers(argument)
            guard numbers.count >= 4 else { return nil }
            self = .move(x: numbers[0], y: numbers[1])
        case "alpha": self = .alpha(0, Self.alpha(argument))
        case "clip", "iclip": self = .other(.clip)
        case "fad", "fade": self = .other(.animation)
        case "frx", "fry", "frz", "fax", "fay", "org": self = .other(.rotation)
        case "fscx", "fscy", "fsc": self = .other(.scaling)
        case "bord", "xbord", "ybord", "shad", "xshad", "yshad", "blur", "fsp":
            self = .other(.decoration)
        // Moves a drawing, which counts itself.
        case "pbo": self = .other([])
        default: return nil
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
    /// What stands between the parentheses that libass takes around any argument: `\b(1)` is `\b1`.
    fileprivate var withoutParentheses: ArraySlice<UInt8> {
        guard first == 0x28 else { return self }
        return dropFirst().prefix { $0 != 0x29 }.trimmed
    }
}
