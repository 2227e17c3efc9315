internal import UndertextCore

/// Parses text outlines and shadows.
enum TTMLTextEffects {
    /// More shadows than any document has: IMSC 1.1, section 8.4, allows four.
    private static let shadowsAtMost = 8

    /// A color, a thickness and a radius; `.some(nil)` for `none`, `nil` if malformed.
    ///
    /// TTML2, section 10.2.44.
    static func outline(_ text: ArraySlice<UInt8>) -> TTMLOutline?? {
        if text.text == "none" { return .some(nil) }
        guard let (color, lengths) = parts(of: text), (1...2).contains(lengths.count),
            lengths.allSatisfy({ $0.value >= 0 })
        else { return nil }
        return TTMLOutline(
            color: color, width: lengths[0], blur: lengths.count > 1 ? lengths[1] : nil)
    }

    /// Shadows separated by commas, each with two offsets, a radius and a color; none for `none`.
    ///
    /// TTML2, section 10.2.46.
    static func shadows(_ text: ArraySlice<UInt8>) -> [TTMLShadow]? {
        if text.text == "none" { return [] }
        var shadows: [TTMLShadow] = []
        for part in pieces(of: text, at: { $0 == 0x2C }) {
            guard shadows.count < shadowsAtMost, let (color, lengths) = parts(of: part.trimmed),
                (2...3).contains(lengths.count), lengths.count < 3 || lengths[2].value >= 0
            else { return nil }
            shadows.append(
                TTMLShadow(
                    color: color, x: lengths[0], y: lengths[1],
                    blur: lengths.count > 2 ? lengths[2] : nil))
        }
        return shadows.isEmpty ? nil : shadows
    }

    /// The color, which is first or last, and the lengths.
    private static func parts(
        of text: ArraySlice<UInt8>
    ) -> (color: RGBA?, lengths: [TTMLLength])? {
        var color: RGBA?
        var lengths: [TTMLLength] = []
        let words = pieces(of: text, at: \.isSpace).filter { !$0.isEmpty }
        for (index, word) in words.enumerated() {
            if let length = TTMLLength(word) {
                lengths.append(length)
            } else if index == 0 || index == words.count - 1, color == nil,
                let stated = TTMLColor.parse(word)
            {
                color = stated
            } else {
                return nil
            }
        }
        return (color, lengths)
    }

    /// Returns the pieces between separators outside parentheses, up to a few.
    private static func pieces(
        of text: ArraySlice<UInt8>, at isSeparator: (UInt8) -> Bool
    ) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var isInside = false
        for (index, byte) in zip(text.indices, text) {
            if byte == 0x28 { isInside = true }
            if byte == 0x29 { isInside = false }
            guard !isInside, isSeparator(byte), pieces.count <= shadowsAtMost else { continue }
            pieces.append(text[start..<index])
            start = index + 1
        }
        return pieces + [text[start...]]
    }
}

/// Outlines, shadows and the height of lines as text inherits them: percent of the root's height.
struct TTMLEffects: Hashable {
    /// An outline; without a color it has the text color.
    private struct Outline: Hashable {
        var color: RGBA?
        var width: Double
        var blur: Double
    }

    private struct Shadow: Hashable {
        var color: RGBA?
        var x: Double
        var y: Double
        var blur: Double
    }

    private var outline: Outline?
    private var shadows: [Shadow] = []
    private var lineHeight: Double?
    var wraps = true

    /// `true` if a setting is one of these.
    static func contains(_ setting: TTMLStyleProperty) -> Bool {
        switch setting {
        case .textOutline, .textShadow, .lineHeight, .wraps: true
        default: false
        }
    }

    /// Applies a property of an element.
    ///
    /// Percentages and `em` refer to the element's own font, and computed values are inherited: TTML2, sections
    /// 10.2.24 (`lineHeight`), 10.2.44 (`textOutline`), 10.2.46 (`textShadow`).
    mutating func apply(
        _ setting: TTMLStyleProperty, isSpan: Bool, fontSize: Double, root: TTMLRoot
    ) {
        func percent(_ length: TTMLLength) -> Double {
            switch length.unit {
            case .em: min(max(length.value * fontSize, -1e6), 1e6)
            default: root.vertical(length, percentOf: fontSize)
            }
        }
        switch setting {
        case .textOutline(let value):
            outline = value.map {
                Outline(
                    color: $0.color, width: percent($0.width), blur: $0.blur.map(percent) ?? 0)
            }
        case .textShadow(let values):
            shadows = values.map {
                Shadow(
                    color: $0.color, x: percent($0.x), y: percent($0.y),
                    blur: $0.blur.map(percent) ?? 0)
            }
        // It is a paragraph's.
        case .lineHeight(let value): if !isSpan { lineHeight = value.map(percent) }
        case .wraps(let value): wraps = value
        default: break
        }
    }

    /// Converts the effects to the cue model, for text with a color and an opacity.
    func apply(to style: inout TextStyle, color: RGBA, opacity: Double) {
        if self == TTMLEffects() { return }
        if let outline, outline.width > 0 {
            style.outline = TextOutline(
                color: (outline.color ?? color).faded(opacity),
                width: Self.thousandths(outline.width),
                blur: Self.thousandths(outline.blur))
        }
        if !shadows.isEmpty {
            style.shadows = shadows.map {
                TextShadow(
                    color: ($0.color ?? color).faded(opacity), x: Self.thousandths($0.x),
                    y: Self.thousandths($0.y), blur: Self.thousandths($0.blur))
            }
        }
        style.lineHeight = lineHeight.map(Self.thousandths)
        if !wraps { style.isUnbroken = true }
    }

    /// Thousandths of a percent; nothing reaches further than the root's height.
    private static func thousandths(_ percent: Double) -> Int {
        Int((min(max(percent, -100), 100) * 1000).rounded())
    }
}
