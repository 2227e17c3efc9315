internal import UndertextCore

extension TTMLStyleProperty {
    /// The result of reading an attribute.
    enum Reading {
        case setting(TTMLStyleProperty)
        /// A property that the cue model cannot represent.
        case unused
        /// A supported property with an invalid value.
        case invalid
    }

    /// Reads a style attribute; `nil` where it is none that TTML knows.
    static func reading(
        _ namespace: TTMLNamespace, _ name: Substring, _ value: String
    ) -> Reading? {
        let bytes = Array(value.utf8)
        let text = bytes[...].trimmed
        switch namespace {
        case .styling, .none, .core: return style(name, text)
        case .imscStyling:
            switch name {
            case "forcedDisplay": return boolean(text).map { .setting(.forced($0)) } ?? .invalid
            case "fillLineGap": return .unused
            default: return nil
            }
        case .ebuStyling:
            return name == "linePadding" || name == "multiRowAlign" ? .unused : nil
        case .smpte:
            guard name == "backgroundImage" else { return nil }
            return text.isEmpty || text.text == "none" ? .unused : .setting(.image(text.text))
        default: return nil
        }
    }

    private static func style(_ name: Substring, _ text: ArraySlice<UInt8>) -> Reading? {
        let found: TTMLStyleProperty?
        switch name {
        case "color": found = TTMLColor.parse(text).map { .color($0) }
        case "backgroundColor": found = TTMLColor.parse(text).map { .background($0) }
        case "fontStyle":
            found = keyword(text, ["normal": false, "italic": true, "oblique": true])
                .map { .italic($0) }
        case "fontWeight":
            found = keyword(text, ["normal": false, "bold": true]).map { .bold($0) }
        case "textDecoration": found = decoration(text)
        case "fontFamily": found = text.isEmpty ? nil : .font(text.text)
        case "fontSize": found = TTMLLength.list(text, atMost: 2)?.last.map { .fontSize($0) }
        case "textAlign":
            found = keyword(
                text,
                [
                    "start": .start, "center": .center, "end": .end, "left": .left,
                    "right": .right, "justify": .start,
                ]
            ).map { .textAlign($0) }
        case "direction":
            found = keyword(text, ["ltr": false, "rtl": true]).map { .rightToLeft($0) }
        case "display":
            found = keyword(text, ["auto": true, "none": false, "inlineBlock": true])
                .map { .display($0) }
        case "visibility":
            found = keyword(text, ["visible": true, "hidden": false]).map { .visible($0) }
        case "opacity": found = text.leadingNumber.map { .opacity(min(max($0, 0), 1)) }
        case "ruby":
            found = keyword(
                text,
                [
                    "none": .none, "container": .container, "base": .base,
                    "baseContainer": .baseContainer, "text": .text,
                    "textContainer": .textContainer, "delimiter": .delimiter,
                ]
            ).map { .ruby($0) }
        case "displayAlign":
            found = keyword(
                text, ["before": .before, "center": .center, "after": .after, "justify": .before]
            ).map { .displayAlign($0) }
        case "writingMode": found = writingMode(text).map { .writingMode($0) }
        case "origin": found = pair(text).map { .origin($0) }
        case "extent": found = pair(text).map { .extent($0) }
        case "position": found = TTMLPosition(text).map { .position($0) }
        case "padding": found = padding(text).map { .padding($0) }
        case "backgroundImage":
            found = text.text == "none" ? nil : address(text).map { .image($0) }
        case "textOutline": found = TTMLTextEffects.outline(text).map { .textOutline($0) }
        case "textShadow": found = TTMLTextEffects.shadows(text).map { .textShadow($0) }
        case "lineHeight":
            found = text.text == "normal" ? .lineHeight(nil) : lineHeight(text)
        case "wrapOption":
            found = keyword(text, ["wrap": true, "noWrap": false]).map { .wraps($0) }
        case "showBackground":
            found = keyword(text, ["always": true, "whenActive": false])
                .map { .showsBackgroundAlways($0) }
        case "overflow", "unicodeBidi", "zIndex", "dynamicFlow", "textEmphasis", "textCombine",
            "textOrientation", "rubyAlign", "rubyPosition", "rubyReserve", "rubyOverflow",
            "rubyOverhang", "shear", "fontShear", "lineShear", "luminanceGain", "disparity",
            "bpd", "ipd", "border", "fontKerning", "fontVariant", "fontSelectionStrategy",
            "gain", "pan", "pitch", "speak", "letterSpacing", "lineThickness",
            "backgroundClip", "backgroundExtent", "backgroundOrigin", "backgroundPosition",
            "backgroundRepeat":
            return .unused
        default: return nil
        }
        return found.map { .setting($0) } ?? .invalid
    }

    private static func keyword<Value>(
        _ text: ArraySlice<UInt8>, _ values: KeyValuePairs<String, Value>
    ) -> Value? {
        values.first { text.elementsEqual($0.key.utf8) }?.value
    }

    private static func boolean(_ text: ArraySlice<UInt8>) -> Bool? {
        keyword(text, ["true": true, "false": false, "1": true, "0": false])
    }

    private static func decoration(_ text: ArraySlice<UInt8>) -> TTMLStyleProperty? {
        var underline: Bool?
        var lineThrough: Bool?
        for word in text.split(maxSplits: 8, whereSeparator: \.isSpace) {
            switch word.text {
            case "none": (underline, lineThrough) = (false, false)
            case "underline": underline = true
            case "noUnderline": underline = false
            case "lineThrough": lineThrough = true
            case "noLineThrough": lineThrough = false
            case "overline", "noOverline": break
            default: return nil
            }
        }
        return .decoration(underline: underline, lineThrough: lineThrough)
    }

    private static func lineHeight(_ text: ArraySlice<UInt8>) -> TTMLStyleProperty? {
        guard let length = TTMLLength(text), length.value >= 0 else { return nil }
        return .lineHeight(length)
    }

    private static func writingMode(_ text: ArraySlice<UInt8>) -> TTMLWritingMode? {
        keyword(
            text,
            [
                "lrtb": .leftToRight, "lr": .leftToRight, "rltb": .rightToLeft,
                "rl": .rightToLeft, "tbrl": .verticalLeftwards, "tb": .verticalLeftwards,
                "tblr": .verticalRightwards,
            ])
    }

    /// Two lengths, or `auto` and its relatives, which mean none.
    private static func pair(_ text: ArraySlice<UInt8>) -> TTMLPair?? {
        switch text.text {
        case "auto", "contain", "cover": return .some(nil)
        default:
            guard let lengths = TTMLLength.list(text, atMost: 2), lengths.count == 2 else {
                return nil
            }
            return TTMLPair(x: lengths[0], y: lengths[1])
        }
    }

    /// Before, end, after, start from one to four lengths: TTML2, section 10.2.33.
    private static func padding(_ text: ArraySlice<UInt8>) -> [TTMLLength]? {
        guard let lengths = TTMLLength.list(text, atMost: 4) else { return nil }
        switch lengths.count {
        case 1: return [lengths[0], lengths[0], lengths[0], lengths[0]]
        case 2: return [lengths[0], lengths[1], lengths[0], lengths[1]]
        case 3: return [lengths[0], lengths[1], lengths[2], lengths[1]]
        default: return lengths
        }
    }

    /// Returns the address in `url(…)`, with or without quotes, or without `url`.
    private static func address(_ text: ArraySlice<UInt8>) -> String? {
        var inner = text
        if inner.hasPrefix("url("), inner.last == 0x29 {
            inner = inner.dropFirst(4).dropLast().trimmed
        }
        if let quote = inner.first, inner.count > 1, quote == 0x22 || quote == 0x27,
            inner.last == quote
        {
            inner = inner.dropFirst().dropLast()
        }
        return inner.isEmpty ? nil : inner.text
    }
}

extension TTMLPosition {
    /// Reads one to four keywords and lengths: TTML2, section 10.2.34.
    init?(_ text: ArraySlice<UInt8>) {
        let words = text.split(maxSplits: 4, whereSeparator: \.isSpace)
        guard (1...4).contains(words.count) else { return nil }
        var hasX = false
        var hasY = false
        var index = 0
        while index < words.count {
            let word = words[index]
            let offset =
                index + 1 < words.count && words.count > 2
                ? TTMLLength(words[index + 1]) : nil
            switch word.text {
            case "left", "right":
                guard !hasX else { return nil }
                hasX = true
                countsFromRight = word.text == "right"
                x = offset ?? TTMLLength(0, .percent)
                if offset != nil { index += 1 }
            case "top", "bottom":
                guard !hasY else { return nil }
                hasY = true
                countsFromBottom = word.text == "bottom"
                y = offset ?? TTMLLength(0, .percent)
                if offset != nil { index += 1 }
            case "center":
                // The middle of the axis that is not stated otherwise.
                break
            default:
                guard let length = TTMLLength(word) else { return nil }
                if !hasX, index == 0 {
                    hasX = true
                    x = length
                } else if !hasY {
                    hasY = true
                    y = length
                } else {
                    return nil
                }
            }
            index += 1
        }
    }
}

/// Colors of TTML: TTML2, section 10.3.8 (`<color>`).
enum TTMLColor {
    /// A color in hexadecimal, by name, or as `rgb()` and `rgba()`, whose alpha goes to 255.
    static func parse(_ text: ArraySlice<UInt8>) -> RGBA? {
        guard let open = text.firstIndex(of: 0x28) else {
            // Names and, for IMSC, #RRGGBB; without its sign a number is none.
            if text.first == 0x23 { return CSSColor.parse(text) }
            return text.first?.isDigit ?? true ? nil : CSSColor.parse(text)
        }
        let name = text[..<open].text
        guard text.last == 0x29, name == "rgb" || name == "rgba" else { return nil }
        let parts = text[(open + 1)...].dropLast().split(
            separator: 0x2C, maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == (name == "rgb" ? 3 : 4) else { return nil }
        var components: [UInt8] = []
        for part in parts {
            let number = part.trimmed
            guard !number.isEmpty, number.allSatisfy(\.isDigit), let value = number.leadingInteger
            else { return nil }
            components.append(UInt8(min(max(value, 0), 255)))
        }
        return RGBA(
            red: components[0], green: components[1], blue: components[2],
            alpha: parts.count == 4 ? components[3] : 255)
    }
}
