internal import UndertextCore

/// Values, each once, numbered from 1 in the order of their first use.
struct NumberedValues<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value] = []
    private var numbers: [Value: Int] = [:]

    /// The number of a value, a new one if need be.
    mutating func number(of value: Value) -> Int {
        if let known = numbers[value] { return known }
        values.append(value)
        numbers[value] = values.count
        return values.count
    }
}

/// The styles of a document that is written, each once, in the order of their first use.
struct TTMLStyleTable {
    private var styles = NumberedValues<[String]>()

    /// The name of a style with these attributes; `nil` for none.
    mutating func name(of attributes: [String]) -> String? {
        attributes.isEmpty ? nil : "style\(styles.number(of: attributes))"
    }

    /// `true` if there is none.
    var isEmpty: Bool { styles.values.isEmpty }

    /// Appends the elements.
    func append(to output: inout [UInt8]) {
        for (number, attributes) in styles.values.enumerated() {
            output += "      <style xml:id=\"style\(number + 1)\"".utf8
            for attribute in attributes { output += " \(attribute)".utf8 }
            output += "/>\n".utf8
        }
    }
}

/// The style of a run as attributes of TTML, without those that equal the default.
struct TTMLRunLook: Hashable {
    /// The attributes that a paragraph may have for all its runs.
    private(set) var shared: [String] = []
    /// The attributes that draw a background only if a span has them.
    private(set) var background: String?
    private(set) var language: String?
    private(set) var voice: String?

    /// The default.
    init() {}

    /// The attributes of a style; inexpressible properties are added to `losses`.
    init(
        _ style: TextStyle, classes: WebVTTClassColors, language documentLanguage: String,
        losses: inout LossKinds
    ) {
        var color = style.color
        var box = style.background
        for name in style.classes {
            guard let known = classes[name] else {
                losses.insert(.style)
                continue
            }
            if let value = known.text { color = value }
            if let value = known.background { box = value }
        }
        if let color, color != .white { shared.append("tts:color=\"\(Self.hex(color))\"") }
        if let font = style.font {
            let name = Self.fontName(font)
            if let name { shared.append("tts:fontFamily=\"\(name)\"") }
            if name == nil, TTMLFont.name(font) != nil { losses.insert(.font) }
        }
        if let size = style.fontSize.map(Self.thousandths), size != Self.usualSize {
            shared.append(
                "tts:fontSize=\"\(decimalText(thousandths: size))rh\"")
        }
        if style.isItalic { shared.append("tts:fontStyle=\"italic\"") }
        if style.isBold { shared.append("tts:fontWeight=\"bold\"") }
        switch (style.isUnderlined, style.isStruckThrough) {
        case (false, false): break
        case (true, false): shared.append("tts:textDecoration=\"underline\"")
        case (false, true): shared.append("tts:textDecoration=\"lineThrough\"")
        case (true, true): shared.append("tts:textDecoration=\"underline lineThrough\"")
        }
        if style.hasEffects || style.lineHeight != nil { setEffects(of: style, &losses) }
        if let box, box.alpha > 0 { background = "tts:backgroundColor=\"\(Self.hex(box))\"" }
        if let tag = style.language.map(TTMLMarkup.oneLine), !tag.isEmpty, tag != documentLanguage {
            language = tag
        }
        if let name = style.voice.map(TTMLMarkup.oneLine), !name.isEmpty { voice = name }
    }

    /// IMSC 1.1, section 8.4: outlines are sharp and at most a tenth of the font's size; there are four shadows.
    private mutating func setEffects(of style: TextStyle, _ losses: inout LossKinds) {
        if let outline = style.outline {
            let widest = style.fontSize.map(Self.thousandths) ?? Self.usualSize
            if outline.width > widest / 10 || outline.blur > 0 { losses.insert(.style) }
            let width = Self.length(min(outline.width, widest / 10))
            shared.append("tts:textOutline=\"\(Self.hex(outline.color)) \(width)\"")
        }
        if style.shadows.count > 4 { losses.insert(.style) }
        let shadows = style.shadows.prefix(4).map {
            "\(Self.length($0.x)) \(Self.length($0.y))"
                + ($0.blur > 0 ? " \(Self.length($0.blur))" : "") + " \(Self.hex($0.color))"
        }
        if !shadows.isEmpty {
            shared.append("tts:textShadow=\"\(shadows.joined(separator: ", "))\"")
        }
        if let height = style.lineHeight {
            shared.append("tts:lineHeight=\"\(Self.length(height))\"")
        }
        if style.isUnbroken { shared.append("tts:wrapOption=\"noWrap\"") }
    }

    /// A length in thousandths of a percent of the root's height.
    private static func length(_ part: Int) -> String {
        decimalText(thousandths: part) + "rh"
    }

    /// 1c of fifteen rows.
    private static let usualSize = 6667

    /// The em, in thousandths of a percent of the root's height.
    private static func thousandths(_ size: FontSize) -> Int {
        let em = 8 / Double(FontSize.lineEighths)
        let value: Double =
            switch size {
            case .ofHeight(let part): Double(part) * em
            case .percent(let part): Double(part) * 1000 / 15
            // Pixels of formats without a canvas are those of libavformat's: 288 lines.
            case .pixels(let count): Double(count) * 100_000 / 288 * em
            }
        return Int(min(max(value, 100), 100_000).rounded())
    }

    /// A family's name as it is quoted; `nil` where it is the default, or nothing is left of it.
    private static func fontName(_ font: String) -> String? {
        guard let name = TTMLFont.name(font) else { return nil }
        let kept = TTMLMarkup.oneLine(
            String(decoding: name.utf8.filter { ![0x22, 0x27, 0x5C].contains($0) }, as: UTF8.self))
        guard let again = TTMLFont.name(kept) else { return nil }
        if again == "monospace" || again == "serif" { return again }
        return "'\(TTMLMarkup.escaped(again))'"
    }

    /// A color in hexadecimal.
    static func hex(_ color: RGBA) -> String { "#" + color.hexadecimal }
}
