internal import UndertextCore

/// The script that cues came from, where the target is a script, too.
struct ASSKeptScript {
    /// The header, translated if the target is the other kind of script.
    let header: ASSFileHeader
    /// The canvas of the script.
    let canvas: PixelSize
    /// The margins of the style Default.
    let margins: ASSMargins
    private let parsed: ASSScriptHeader
    private let translation: ASSStyleTranslation?

    /// The script of a header; `nil` if the cues did not come from one.
    init?(_ header: SubtitleHeader, target: ASSWriter.Kind) {
        guard header.codec == .ass || header.codec == .ssa, !header.codecPrivate.isEmpty else {
            return nil
        }
        parsed = ASSScriptHeader(header.codecPrivate)
        let style = parsed.style(named: "Default")
        margins = ASSMargins(
            left: style.marginLeft, right: style.marginRight, vertical: style.marginVertical)
        canvas = parsed.canvas
        let isSSA = target == .ssa
        if (header.codec == .ssa) == isSSA {
            translation = nil
            self.header = ASSFileHeader(codecPrivate: header.codecPrivate, isSSA: isSSA)
        } else {
            let translated = ASSStyleTranslation(header.codecPrivate, toSSA: isSSA)
            translation = translated
            self.header = ASSFileHeader(codecPrivate: translated.script, isSSA: isSSA)
        }
    }

    /// What text of the style Default looks like.
    func standard(canvas: PixelSize) -> ASSResolvedStyle {
        let style = parsed.style(named: "Default").textStyle(canvas: canvas)
        var look = ASSResolvedStyle(font: style.font ?? "Arial", size: 0)
        if case .ofHeight(let part)? = style.fontSize {
            look.size = max(1, part * canvas.height / 100)
        }
        look.isBold = style.isBold
        look.isItalic = style.isItalic
        look.isUnderlined = style.isUnderlined
        look.isStruckThrough = style.isStruckThrough
        look.color = style.color ?? .white
        look.box = style.background
        return look
    }

    /// An event of the script as the target has it, and what that costs.
    func translated(_ event: ASSPacketEvent) -> (ASSPacketEvent, LossKinds) {
        guard let translation else { return (event, []) }
        var event = event
        var losses = translation.losses[Self.styleName(event)] ?? []
        if translation.toSSA {
            if let layer = event.layer.leadingInteger, layer != 0 { losses.insert(.metadata) }
            event.layer = [0x30]
        } else if event.layer.leadingInteger == nil {
            event.layer = [0x30]
        }
        return (event, losses)
    }

    private static func styleName(_ event: ASSPacketEvent) -> String {
        event.fields[0][...].trimmed.drop { $0 == 0x2A }.text
    }
}

/// The header of a script with the styles of the other kind.
struct ASSStyleTranslation {
    /// Whether the target is SSA.
    let toSSA: Bool
    /// The translated header.
    private(set) var script: [UInt8] = []
    /// What the styles lose, by their names.
    private(set) var losses: [String: LossKinds] = [:]

    private var columns: [String]
    private let lineEnd: [UInt8]

    init(_ script: [UInt8], toSSA: Bool) {
        self.toSSA = toSSA
        lineEnd = ASSFileHeader(codecPrivate: script, isSSA: !toSSA).lineEnd
        columns = toSSA ? Self.assColumns : Self.ssaColumns
        var section: ASSSectionName?
        var lines = LineCursor(Array(script.prefix { $0 != 0 }))
        while let range = lines.next() {
            let line = lines.bytes[range]
            let isData = section == .fonts || section == .graphics
            if ASSSectionName.isHeading(line, withinData: isData) {
                section = ASSSectionName(line.trimmed)
                appendHeading(line, section)
            } else {
                append(line, in: section)
            }
        }
    }

    private mutating func put(_ line: some Sequence<UInt8>) {
        script += line
        script += lineEnd
    }

    private mutating func appendHeading(_ line: ArraySlice<UInt8>, _ section: ASSSectionName?) {
        switch section {
        case .info:
            put(line)
            put("ScriptType: v4.00\(toSSA ? "" : "+")".utf8)
        case .styles:
            put((toSSA ? "[V4 Styles]" : "[V4+ Styles]").utf8)
            let names = toSSA ? Self.ssaColumns : Self.assColumns
            put("Format: \(names.joined(separator: ", "))".utf8)
        case .events:
            put(line)
            put(
                ("Format: \(toSSA ? "Marked" : "Layer"), Start, End, Style, Name, MarginL, MarginR, "
                    + "MarginV, Effect, Text").utf8)
        case .fonts, .graphics, nil: put(line)
        }
    }

    private mutating func append(_ line: ArraySlice<UInt8>, in section: ASSSectionName?) {
        let colon = line.firstIndex(of: Byte.colon) ?? line.endIndex
        let key = line[..<colon].trimmed
        let value = colon < line.endIndex ? line[(colon + 1)...] : []
        switch section {
        case .info where key.equalsIgnoringCase("scripttype"): break
        case .styles where key.equalsIgnoringCase("format"):
            columns = value.split(separator: Byte.comma, maxSplits: 63).map(\.trimmed.text)
        case .styles where key.equalsIgnoringCase("style"): appendStyle(value)
        case .events where key.equalsIgnoringCase("format"): break
        default: put(line)
        }
    }

    private mutating func appendStyle(_ value: ArraySlice<UInt8>) {
        let values = value.split(
            separator: Byte.comma, maxSplits: 63, omittingEmptySubsequences: false)
        var byName: [String: String] = [:]
        for (column, value) in zip(columns, values) {
            byName[column.lowercased()] = value.trimmed.text
        }
        let name = byName["name"] ?? "Default"
        losses[String(name.drop { $0 == "*" })] = toSSA ? Self.losses(byName) : []
        let targets = toSSA ? Self.ssaColumns : Self.assColumns
        let fields = targets.map { translated($0.lowercased(), byName) }
        put("Style: \(fields.joined(separator: ","))".utf8)
    }

    /// The value of a column of the target.
    private func translated(_ column: String, _ values: [String: String]) -> String {
        let stated = values[column]
        switch column {
        case "primarycolour", "secondarycolour": return color(stated) ?? "&H00FFFFFF"
        case "tertiarycolour": return color(values["outlinecolour"]) ?? "&H00000000"
        // SSA draws outlines and boxes in the color of the background.
        case "backcolour":
            return color(toSSA ? values["outlinecolour"] ?? stated : stated) ?? "&H00000000"
        case "outlinecolour": return color(values["backcolour"]) ?? "&H00000000"
        case "alignment": return alignment(stated)
        case "borderstyle": return stated == "4" && toSSA ? "3" : stated ?? "1"
        case "scalex", "scaley": return stated ?? "100"
        case "fontname": return stated ?? "Arial"
        case "fontsize": return stated ?? "18"
        case "encoding": return stated ?? "1"
        case "name": return stated ?? "Default"
        default: return stated ?? "0"
        }
    }

    /// Old scripts have colors as decimal numbers.
    private func color(_ value: String?) -> String? {
        guard let value, !value.isEmpty else { return nil }
        guard let number = Int64(value) else { return value }
        let digits = String(UInt32(truncatingIfNeeded: number), radix: 16, uppercase: true)
        return "&H" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    private func alignment(_ value: String?) -> String {
        let number = value.flatMap { Int($0) } ?? 2
        if toSSA {
            guard (1...9).contains(number) else { return "2" }
            return "\([1, 2, 3, 9, 10, 11, 5, 6, 7][number - 1])"
        }
        return "\(NumpadAlignment(ssa: number)?.rawValue ?? 2)"
    }

    private static func losses(_ values: [String: String]) -> LossKinds {
        func number(_ name: String) -> Double? { values[name].flatMap { Double($0) } }
        var losses: LossKinds = []
        if (number("underline") ?? 0) != 0 || (number("strikeout") ?? 0) != 0
            || (number("spacing") ?? 0) != 0
        {
            losses.insert(.style)
        }
        if (number("scalex") ?? 100) != 100 || (number("scaley") ?? 100) != 100 {
            losses.insert(.size)
        }
        if (number("angle") ?? 0) != 0 { losses.insert(.rotation) }
        return losses
    }

    private static let assColumns = [
        "Name", "Fontname", "Fontsize", "PrimaryColour", "SecondaryColour", "OutlineColour",
        "BackColour", "Bold", "Italic", "Underline", "StrikeOut", "ScaleX", "ScaleY", "Spacing",
        "Angle", "BorderStyle", "Outline", "Shadow", "Alignment", "MarginL", "MarginR", "MarginV",
        "Encoding",
    ]
    private static let ssaColumns = [
        "Name", "Fontname", "Fontsize", "PrimaryColour", "SecondaryColour", "TertiaryColour",
        "BackColour", "Bold", "Italic", "BorderStyle", "Outline", "Shadow", "Alignment", "MarginL",
        "MarginR", "MarginV", "AlphaLevel", "Encoding",
    ]
}
