internal import UndertextCore

/// Styled text of SAMI markup.
struct SAMIText {
    /// The text; empty if there is only white space.
    private(set) var text = StyledText()
    /// The alignment of the text, if stated.
    private(set) var alignment: CueLayout.TextAlignment?

    private let sheet: SAMIStyleSheet
    private var flow = FlowingText()
    private var open: [(name: String, style: TextStyle)] = []
    private var base = TextStyle()
    private var hasText = false
    /// Ruby text that is being read, and the run that its base begins with.
    private var ruby: (text: [UInt8], first: Int)?
    private var rubyStart = 0

    /// Elements that are open at most.
    private static let deepest = 64

    /// Reads markup: `<P …>` tags with their text, or text alone.
    init(_ bytes: [UInt8], sheet: SAMIStyleSheet) {
        self.sheet = sheet
        var tokens = SAMITokenizer(bytes)
        while let token = tokens.next() {
            switch token {
            case .text(let range): append(bytes, range)
            case .start(let tag): begin(tag)
            case .end(let tag): end(tag.name)
            }
        }
        endRuby()
        if hasText { text = flow.builder.finish() }
    }

    // MARK: Text

    private mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte.isSpace {
                flow.addSpace()
                index += 1
            } else if byte == 0x26, let found = WebVTTCharacterReference(bytes, at: index),
                found.end <= range.upperBound
            {
                append(Array(found.text.utf8)[...])
                if !found.text.allSatisfy({ $0 == "\u{A0}" }) { hasText = true }
                index = found.end
            } else {
                let start = index
                index += 1
                // A no-break space alone is how a line is cleared.
                if byte == 0xC2, index < range.upperBound, bytes[index] == 0xA0 {
                    index += 1
                } else {
                    while index < range.upperBound, !bytes[index].isSpace, bytes[index] != 0x26,
                        bytes[index] != 0xC2
                    {
                        index += 1
                    }
                    hasText = true
                }
                append(bytes[start..<index])
            }
        }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        if ruby != nil {
            if flow.hasSpace, ruby?.text.isEmpty == false { ruby?.text.append(0x20) }
            ruby?.text += bytes
            flow.dropSpace()
        } else {
            flow.append(bytes)
        }
    }

    private mutating func breakLine() {
        endRuby()
        flow.breakLine()
    }

    // MARK: Elements

    private mutating func begin(_ tag: SAMITag) {
        switch tag.name {
        case "br": breakLine()
        case "p", "div": beginParagraph(tag)
        case "b", "strong": push(tag) { $0.isBold = true }
        case "i", "em", "cite": push(tag) { $0.isItalic = true }
        case "u": push(tag) { $0.isUnderlined = true }
        case "s", "strike", "del": push(tag) { $0.isStruckThrough = true }
        case "font": push(tag) { Self.apply(font: tag, to: &$0) }
        case "span": push(tag) { _ in }
        case "ruby":
            endRuby()
            flow.builder.endRun()
            rubyStart = flow.builder.runCount
        case "rt": ruby = ([], rubyStart)
        case "rp": break
        default: break
        }
    }

    private mutating func beginParagraph(_ tag: SAMITag) {
        if !flow.isAtLineStart { breakLine() }
        open = []
        var style = TextStyle()
        var selectors = ["p"]
        if let name = tag.value("class") { selectors.append("." + Self.lower(name)) }
        if let name = tag.value("id") { selectors.append("#" + Self.lower(name)) }
        for selector in selectors {
            guard let rule = sheet.rule(selector) else { continue }
            apply(rule.properties, to: &style, isDefault: selector == "p")
        }
        if let own = tag.value("style") {
            apply(SAMIStyleSheet.properties(own), to: &style, isDefault: false)
        }
        if let value = tag.value("align") { align(value) }
        base = style
        flow.builder.setStyle(style)
    }

    private mutating func push(_ tag: SAMITag, _ change: (inout TextStyle) -> Void) {
        guard open.count < Self.deepest else { return }
        var style = open.last?.style ?? base
        change(&style)
        if let name = tag.value("class"), let rule = sheet.rule("." + Self.lower(name)) {
            apply(rule.properties, to: &style, isDefault: false)
        }
        if let own = tag.value("style") {
            apply(SAMIStyleSheet.properties(own), to: &style, isDefault: false)
        }
        open.append((tag.name, style))
        setStyle()
    }

    private mutating func end(_ name: String) {
        switch name {
        case "p", "div":
            if !flow.isAtLineStart { breakLine() }
            open = []
            base = TextStyle()
            flow.builder.setStyle(base)
        case "rt": endRuby()
        case "ruby":
            endRuby()
            flow.builder.endRun()
        default:
            // Authors overlap tags; the innermost one of that name is meant, and what is in it ends, too.
            guard let place = open.lastIndex(where: { $0.name == name }) else { return }
            open.removeSubrange(place...)
            setStyle()
        }
    }

    private mutating func setStyle() { flow.builder.setStyle(open.last?.style ?? base) }

    private mutating func endRuby() {
        guard let found = ruby else { return }
        ruby = nil
        flow.dropSpace()
        flow.builder.attachRuby(String(decoding: found.text, as: UTF8.self), from: found.first)
        rubyStart = flow.builder.runCount
    }

    // MARK: Looks

    private static func lower(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.trimmed.prefix(64).map(\.lowercased), as: UTF8.self)
    }

    private static func apply(font tag: SAMITag, to style: inout TextStyle) {
        if let value = tag.value("color"), let color = CSSColor.parse(value) { style.color = color }
        if let face = tag.value("face"), !face.isEmpty { style.font = face.text }
        // 1 to 7, where 3 is usual: steps of a fifth, as browsers have them. More is in pixels.
        if let value = tag.value("size"), let number = value.leadingNumber {
            let isRelative = value.first == 0x2B || value.first == 0x2D
            let step = isRelative ? 3 + number : number
            style.fontSize =
                isRelative || (1...7).contains(step)
                ? .percent(sizes[Int(min(max(step, 1), 7))]) : .pixels(clampedPixels(number))
        }
    }

    /// Percent of the usual size by HTML's number.
    private static let sizes = [63, 63, 82, 100, 113, 150, 200, 300]

    /// Applies properties of CSS.
    ///
    /// Programs, not authors, write the font, size and background of all the text. White is what
    /// players draw.
    private mutating func apply(
        _ properties: [String: ArraySlice<UInt8>], to style: inout TextStyle, isDefault: Bool
    ) {
        if let value = properties["color"], let color = CSSColor.parse(value) {
            style.color = color == .white ? nil : color
        }
        if let value = properties["font-style"] {
            style.isItalic =
                value.equalsIgnoringCase("italic") || value.equalsIgnoringCase("oblique")
        }
        if let value = properties["font-weight"] {
            style.isBold =
                value.equalsIgnoringCase("bold") || value.equalsIgnoringCase("bolder")
                || (value.leadingInteger ?? 0) >= 600
        }
        if let value = properties["text-decoration"] {
            style.isUnderlined = value.equalsIgnoringCase("underline")
            style.isStruckThrough = value.equalsIgnoringCase("line-through")
        }
        if let value = properties["text-align"] { align(value) }
        guard !isDefault else { return }
        if let value = properties["background-color"], let color = CSSColor.parse(value) {
            style.background = color == .black || color == .clear ? nil : color
        }
    }

    private mutating func align(_ value: ArraySlice<UInt8>) {
        if value.equalsIgnoringCase("left") { alignment = .left }
        if value.equalsIgnoringCase("right") { alignment = .right }
        if value.equalsIgnoringCase("center") { alignment = nil }
    }
}
