internal import UndertextCore

/// One tag between angle brackets that SubRip authors use.
struct SubRipTag {
    /// The effect of a tag.
    enum Name {
        case bold
        case italic
        case underline
        case strike
        case font
        case lineBreak
    }

    /// The effect.
    var name: Name
    /// `true` if it ends what an earlier tag began.
    var isClosing = false
    /// The attribute `color`.
    var color: RGBA?
    /// The attribute `size`, if it is a plain number.
    var size: Int?
    /// The attribute `face`.
    var face: String?
    /// The index after the closing bracket.
    var end: Int

    /// Bytes a tag may have; a longer one is text, which also bounds the search for its end.
    private static let longestTag = 1024

    /// The tag at the `<` of `start`; `nil` if there is no known tag.
    init?(_ bytes: [UInt8], at start: Int) {
        let limit = min(bytes.count, start + Self.longestTag)
        var index = start + 1
        if index < limit, bytes[index] == 0x2F {
            isClosing = true
            index += 1
        }
        let nameStart = index
        while index < limit, bytes[index].isLetter { index += 1 }
        guard let name = Self.name(bytes[nameStart..<index]) else { return nil }
        self.name = name
        end = index
        var hasWords = false
        var hasValue = false
        while index < limit {
            let byte = bytes[index]
            if byte == 0x3E {
                // Words alone are no attributes: "a <b and c> d".
                if hasWords, !hasValue { return nil }
                end = index + 1
                return
            }
            if byte == 0x3C { return nil }
            if byte.isSpace || byte == 0x2F {
                index += 1
            } else if name == .font, !isClosing, index > nameStart + 4 {
                guard let next = readAttribute(bytes, at: index, limit: limit) else { return nil }
                index = next
            } else {
                // Attributes of other tags mean nothing, but only after white space.
                guard name != .font, !isClosing, bytes[index - 1].isSpace || hasWords else {
                    return nil
                }
                hasWords = true
                if byte == 0x3D { hasValue = true }
                index += 1
            }
        }
        return nil
    }

    private static func name(_ bytes: ArraySlice<UInt8>) -> Name? {
        if bytes.count == 1, let byte = bytes.first {
            switch byte.lowercased {
            case 0x62: return .bold
            case 0x69: return .italic
            case 0x75: return .underline
            case 0x73: return .strike
            default: return nil
            }
        }
        if bytes.equalsIgnoringCase("font") { return .font }
        if bytes.equalsIgnoringCase("br") { return .lineBreak }
        if bytes.equalsIgnoringCase("strike") { return .strike }
        if bytes.equalsIgnoringCase("strong") { return .bold }
        if bytes.equalsIgnoringCase("em") { return .italic }
        return nil
    }

    /// Reads `name=value` and returns the index after it; `nil` if a quote is not closed.
    private mutating func readAttribute(_ bytes: [UInt8], at start: Int, limit: Int) -> Int? {
        var index = start
        while index < limit, !Self.endsName(bytes[index]) { index += 1 }
        let key = bytes[start..<index]
        while index < limit, bytes[index].isSpace { index += 1 }
        guard index < limit, bytes[index] == 0x3D else { return max(index, start + 1) }
        index += 1
        while index < limit, bytes[index].isSpace { index += 1 }
        guard index < limit else { return nil }
        let value: ArraySlice<UInt8>
        if bytes[index] == 0x22 || bytes[index] == 0x27 {
            guard let close = bytes[(index + 1)..<limit].firstIndex(of: bytes[index]) else {
                return nil
            }
            value = bytes[(index + 1)..<close]
            index = close + 1
        } else {
            let valueStart = index
            while index < limit, !bytes[index].isSpace, bytes[index] != 0x3E { index += 1 }
            value = bytes[valueStart..<index]
        }
        set(key, to: value)
        return index
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte == 0x3D || byte == 0x3E || byte == 0x2F || byte.isSpace
    }

    private mutating func set(_ key: ArraySlice<UInt8>, to value: ArraySlice<UInt8>) {
        if key.equalsIgnoringCase("color") || key.equalsIgnoringCase("colour") {
            color = CSSColor.parse(value)
        } else if key.equalsIgnoringCase("size") {
            // A relative size (+1) has nothing to be relative to.
            if let first = value.first, first.isDigit, let number = value.leadingNumber {
                size = clampedPixels(number)
            }
        } else if key.equalsIgnoringCase("face") {
            face = value.isEmpty ? nil : value.text
        }
    }
}
