package import UndertextCore

/// A script whose dialogue has the viewer's style, property by property.
///
/// Each style gets a copy with the wanted properties, which dialogue uses from then on, and tags that would set
/// them again go. Signs stay as they are: events that are placed, turned, clipped or drawn, and those with an
/// effect. A style of ASS has one border: a wanted window wins over a background, and both over edges.
package struct ASSScriptOverride {
    /// The script up to its events, with the copies of styles.
    package private(set) var script: [UInt8] = []

    private let style: SubtitleStyle
    private var names: Set<String> = []
    private var height = 288.0
    private var width = 384.0
    private let dropped: Set<ASSTagName>
    private let lead: [UInt8]

    /// The suffix of the names of copied styles.
    private static let suffix = " (viewer)"

    /// Makes the copies; `nil` if the style leaves all that a script says.
    package init?(script text: [UInt8], style: SubtitleStyle) {
        // A script states everything, so nothing is left for properties that count after it.
        let style = style.overriding
        var wanted = style
        wanted.opacity = nil
        guard !wanted.isDefault else { return nil }
        self.style = style
        dropped = Self.droppedTags(style)
        let script = ASSScript(codecPrivate: text)
        let canvas = ASSScriptHeader(script).canvas
        height = Double(max(1, canvas.height))
        width = Double(max(1, canvas.width))
        var lead = ""
        if style.edge == .depressed, Self.border(style, height) == nil {
            let offset = decimalText(thousandths: Int(-height * 1000 / 432))
            lead = "{\\xshad\(offset)\\yshad\(offset)}"
        }
        self.lead = Array(lead.utf8)
        copyStyles(of: script)
    }

    // MARK: Styles

    private mutating func copyStyles(of source: ASSScript) {
        for section in source.sections {
            if let heading = section.heading { put(source.bytes(of: source.lines[heading])) }
            let isLegacy = section.name == .styles(isLegacy: true)
            var columns = ASSStyleColumns(isLegacy: isLegacy)
            for line in source.lines[section.lines] {
                put(source.bytes(of: line))
                if let style = columns.read(line, of: source), names.count < 10_000 {
                    putCopy(of: style, isLegacy: isLegacy)
                }
            }
        }
    }

    private mutating func put(_ line: some Sequence<UInt8>) {
        script += line
        script.append(Byte.lineFeed)
    }

    private mutating func putCopy(of line: ASSStyleLine, isLegacy: Bool) {
        guard let stated = line[.name]?.text else { return }
        let name = ASSStyle.cleanName(stated)
        names.insert(name)
        var fields = line.values.map(\.text)
        for (index, column) in line.columns.enumerated() where index < fields.count {
            guard let column else { continue }
            if column == .name {
                fields[index] = name + Self.suffix
            } else if let new = replacement(column, fields[index], isLegacy: isLegacy) {
                fields[index] = new
            }
        }
        put("Style: \(fields.joined(separator: ","))".utf8)
    }

    /// The value of a column of the copy; `nil` for the value it had.
    private func replacement(
        _ column: ASSStyleColumns.Field, _ old: String, isLegacy: Bool
    ) -> String? {
        switch column {
        case .font: return style.typeface.map(ASSStyleResolver.fontName)
        case .fontSize:
            guard let scale = style.scale, let size = Array(old.utf8)[...].leadingNumber else {
                return nil
            }
            return decimalText(thousandths: Self.scaled(size, scale))
        case .primaryColor: return style.foreground.map(Self.color)
        case .bold: return style.isBold.map { $0 ? "-1" : "0" }
        case .italic: return style.isItalic.map { $0 ? "-1" : "0" }
        case .alignment: return alignment(old, isLegacy: isLegacy)
        case .marginVertical: return verticalMargin
        case .marginLeft: return Self.margin(style.leftMargin, of: width)
        case .marginRight: return Self.margin(style.rightMargin, of: width)
        case .outlineColor, .tertiaryColor, .backColor, .borderStyle, .outline, .shadow:
            return border(column)
        default: return nil
        }
    }

    /// The number of a style's alignment with the wanted row and column; `nil` if it stays.
    private func alignment(_ old: String, isLegacy: Bool) -> String? {
        guard style.position != nil || style.alignment != nil else { return nil }
        let number = Array(old.utf8)[...].leadingInteger ?? 2
        let known = isLegacy ? NumpadAlignment(ssa: number) : NumpadAlignment(numpad: number)
        let key = key(known ?? .bottomCenter)
        return "\(isLegacy ? [1, 2, 3, 9, 10, 11, 5, 6, 7][key - 1] : key)"
    }

    /// An alignment with the wanted row and column.
    private func key(_ alignment: NumpadAlignment) -> Int {
        let row =
            switch style.position {
            case nil: alignment.row
            case .top: 2
            case .middle: 1
            case .bottom: 0
            case .percent(let part): part < 50 ? 2 : 0
            }
        return row * 3 + (style.alignment?.column ?? alignment.column) + 1
    }

    /// The margin at the top or the bottom in pixels of the script; `nil` if it stays.
    private var verticalMargin: String? {
        let edge = Self.margin(style.verticalMargin, of: height)
        guard let position = style.position else { return edge }
        let distance = (style.verticalMargin.map { min(max($0, 0), 45) } ?? 5) * height / 100
        let room = height - 2 * distance
        let margin: Double =
            switch position {
            case .top, .bottom: distance
            case .middle: 0
            case .percent(let part):
                distance + room * (part < 50 ? max(0, part) : 100 - min(part, 100)) / 100
            }
        return "\(Int(margin.rounded()))"
    }

    private static func margin(_ percent: Double?, of size: Double) -> String? {
        guard let percent, percent.isFinite else { return nil }
        return "\(Int((min(max(percent, 0), 45) * size / 100).rounded()))"
    }

    private func border(_ column: ASSStyleColumns.Field) -> String? {
        if let border = Self.border(style, height) { return border[column] }
        // The style changes only the colors of existing edges.
        guard let color = style.edgeColor else { return nil }
        return column == .outlineColor || column == .tertiaryColor || column == .backColor
            ? Self.color(color) : nil
    }

    /// The columns that make up a border, where all of it is wanted otherwise.
    private static func border(
        _ style: SubtitleStyle, _ height: Double
    ) -> [ASSStyleColumns.Field: String]? {
        let width = decimalText(thousandths: Int(height * 1000 / 432))
        let shadow = decimalText(thousandths: Int(height * 1600 / 432))
        let edge = color(style.edgeColor ?? .black)
        func columns(
            _ kind: String, _ outline: String, _ shadow: String, _ outlineColor: String,
            _ backColor: String
        ) -> [ASSStyleColumns.Field: String] {
            [
                .borderStyle: kind, .outline: outline, .shadow: shadow,
                .outlineColor: outlineColor, .tertiaryColor: outlineColor, .backColor: backColor,
            ]
        }
        if let window = style.window, window.alpha > 0 {
            let outline = style.edge == Edge.none ? "0" : width
            return columns("4", outline, width, edge, color(window))
        }
        if let background = style.background, background.alpha > 0 {
            return columns("3", width, "0", color(background), color(background))
        }
        switch style.edge {
        case Edge.none?: return columns("1", "0", "0", edge, edge)
        case .uniform?: return columns("1", width, "0", edge, edge)
        case .dropShadow?, .raised?, .depressed?: return columns("1", "0", shadow, edge, edge)
        case nil: break
        }
        // No box is wanted: an outline replaces it.
        if style.background != nil || style.window != nil {
            return columns("1", width, "0", edge, edge)
        }
        return nil
    }

    private typealias Edge = SubtitleStyle.Edge

    // MARK: Events

    /// An event in Matroska's form in the viewer's style; signs as they are.
    package func event(_ line: [UInt8]) -> [UInt8] {
        let fields = ASSEvent.fields(of: line[...])
        guard fields.count == 9, fields[7].trimmed.isEmpty, !Self.isSign(fields[8]) else {
            return line
        }
        guard let name = copy(of: fields[2].trimmed.text) else { return line }
        var result = Array(fields[0]) + [Byte.comma] + fields[1] + [Byte.comma] + name.utf8
        for (index, field) in fields.enumerated().dropFirst(3) {
            result.append(Byte.comma)
            // The style's own margin counts where the event has none.
            if isOwnMargin(index) {
                result.append(0x30)
            } else if index == 8 {
                result += lead + text(field)
            } else {
                result += field
            }
        }
        return result
    }

    /// `true` if a field of an event is a margin that the style's replaces.
    private func isOwnMargin(_ index: Int) -> Bool {
        switch index {
        case 4: style.leftMargin != nil
        case 5: style.rightMargin != nil
        case 6: style.position != nil || style.verticalMargin != nil
        default: false
        }
    }

    /// The name of the copy that replaces a style; `nil` if there is none.
    private func copy(of name: String) -> String? {
        let clean = ASSStyle.cleanName(name)
        if names.contains(clean) { return clean + Self.suffix }
        return names.contains("Default") ? "Default" + Self.suffix : nil
    }

    private func text(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var tokens = ASSTokenizer(text, splitsArguments: true)
        while let token = tokens.next() {
            switch token {
            case .text(let range), .comment(let range): result += text[range]
            case .tag(let tag, let range, let argument):
                if tag == .r {
                    let name = text[argument].trimmed.text
                    result += "\\r\(name.isEmpty ? "" : copy(of: name) ?? name)".utf8
                } else if tag == .fs, let scale = style.scale,
                    let size = absoluteSize(text[argument])
                {
                    result += "\\fs\(decimalText(thousandths: Self.scaled(size, scale)))".utf8
                } else if let key = key(of: tag, text[argument]) {
                    result += "\\an\(key)".utf8
                } else if !dropped.contains(tag) {
                    result += text[range]
                }
            }
        }
        return result
    }

    /// The alignment that replaces one of a tag, if only its column is wanted otherwise.
    private func key(of tag: ASSTagName, _ argument: ArraySlice<UInt8>) -> Int? {
        guard tag == .an || tag == .a, style.position == nil, style.alignment != nil,
            let number = argument.trimmed.leadingInteger
        else { return nil }
        return (tag == .a ? NumpadAlignment(ssa: number) : NumpadAlignment(numpad: number))
            .map { key($0) }
    }

    /// The size of `\fs`; `nil` for changes of it and for none.
    private func absoluteSize(_ argument: ArraySlice<UInt8>) -> Double? {
        let value = argument.trimmed.drop { $0 == 0x28 }
        guard let first = value.first, first.isDigit else { return nil }
        return value.leadingNumber
    }

    private static let signTags: Set<ASSTagName> = [
        .pos, .move, .org, .clip, .iclip, .frx, .fry, .frz, .fr, .fax, .fay, .pbo,
    ]

    /// `true` if the text is placed, turned, clipped or drawn.
    private static func isSign(_ text: ArraySlice<UInt8>) -> Bool {
        var tokens = ASSTokenizer(text, splitsArguments: true)
        while let token = tokens.next() {
            guard case .tag(let tag, _, let argument) = token else { continue }
            if signTags.contains(tag) { return true }
            if tag == .p, (text[argument].leadingInteger ?? 0) > 0 { return true }
        }
        return false
    }

    private static func droppedTags(_ style: SubtitleStyle) -> Set<ASSTagName> {
        var tags: Set<ASSTagName> = []
        if style.foreground != nil { tags.formUnion([.c, .color1, .alpha1]) }
        if style.typeface != nil { tags.insert(.fn) }
        if style.isBold != nil { tags.insert(.b) }
        if style.isItalic != nil { tags.insert(.i) }
        if style.position != nil { tags.formUnion([.an, .a]) }
        if style.edgeColor != nil { tags.formUnion([.color3, .color4]) }
        if style.edge != nil || style.background != nil || style.window != nil {
            tags.formUnion([
                .bord, .xbord, .ybord, .shad, .xshad, .yshad, .color3, .color4, .alpha3, .alpha4,
            ])
        }
        return tags
    }

    // MARK: Values

    private static func scaled(_ size: Double, _ scale: Double) -> Int {
        let value = size * (scale.isFinite ? min(max(scale, 0.01), 100) : 1) * 1000
        return Int(min(max(value, 0), 1e9).rounded())
    }

    private static func color(_ color: RGBA) -> String {
        "&H\(ASSColor.hex(255 - color.alpha))\(ASSColor.hex(color))"
    }
}
