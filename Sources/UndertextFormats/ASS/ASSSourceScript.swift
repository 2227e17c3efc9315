internal import UndertextCore

/// The source script of cues, if the target is a script, too.
struct ASSSourceScript {
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
        guard header.codec.isScript, !header.codecPrivate.isEmpty else {
            return nil
        }
        let script = ASSScript(codecPrivate: header.codecPrivate)
        parsed = ASSScriptHeader(script)
        let style = parsed.style(named: "Default")
        margins = ASSMargins(
            left: style.marginLeft, right: style.marginRight, vertical: style.marginVertical)
        canvas = parsed.canvas
        let isSSA = target == .ssa
        if (header.codec == .ssa) == isSSA {
            translation = nil
            self.header = ASSFileHeader(script, isSSA: isSSA)
        } else {
            let translated = ASSStyleTranslation(script, toSSA: isSSA)
            translation = translated
            self.header = ASSFileHeader(ASSScript(translated.text), isSSA: isSSA)
        }
    }

    /// The resolved style of text in the style Default.
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
        ASSStyle.cleanName(event.fields[0][...].trimmed.text)
    }
}

/// The header of a script with the styles of the other kind.
struct ASSStyleTranslation {
    /// `true` if the target is SSA.
    let toSSA: Bool
    /// The translated header.
    private(set) var text: [UInt8] = []
    /// The losses of the styles, by their names.
    private(set) var losses: [String: LossKinds] = [:]

    private let lineEnd: [UInt8]

    init(_ script: ASSScript, toSSA: Bool) {
        self.toSSA = toSSA
        lineEnd = script.lineEnd
        for section in script.sections {
            if let heading = section.heading {
                appendHeading(script.bytes(of: script.lines[heading]), section.name)
            }
            var columns = ASSStyleColumns(isLegacy: section.name == .styles(isLegacy: true))
            for line in script.lines[section.lines] {
                if let style = columns.read(line, of: script) {
                    append(style)
                } else if line.kind != .format, !isScriptType(line, of: script, in: section) {
                    put(script.bytes(of: line))
                }
            }
        }
    }

    private func isScriptType(
        _ line: ASSScript.Line, of script: ASSScript, in section: ASSScript.Section
    ) -> Bool {
        section.name == .info && line.kind == .property
            && script.key(of: line).equalsIgnoringCase("scripttype")
    }

    private mutating func put(_ line: some Sequence<UInt8>) {
        text += line
        text += lineEnd
    }

    private mutating func appendHeading(_ line: ArraySlice<UInt8>, _ section: ASSSectionName?) {
        switch section {
        case .info:
            put(line)
            put("ScriptType: v4.00\(toSSA ? "" : "+")".utf8)
        case .styles:
            put((toSSA ? "[V4 Styles]" : "[V4+ Styles]").utf8)
            put(targets.formatLine.utf8)
        case .events:
            put(line)
            put((toSSA ? ASSEventColumns.ssa : .ass).formatLine.utf8)
        case .fonts, .graphics, nil: put(line)
        }
    }

    // MARK: Styles

    /// The columns of the target.
    private var targets: ASSStyleColumns { toSSA ? .ssa : .ass }

    private mutating func append(_ style: ASSStyleLine) {
        let name = style[.name]?.text ?? "Default"
        losses[ASSStyle.cleanName(name)] = toSSA ? Self.losses(style) : []
        let fields = targets.fields.map { $0.map { translated($0, style) } ?? "0" }
        put("Style: \(fields.joined(separator: ","))".utf8)
    }

    /// The value of a column of the target.
    private func translated(_ column: ASSStyleColumns.Field, _ style: ASSStyleLine) -> String {
        let stated = style[column]?.text
        switch column {
        case .primaryColor, .secondaryColor: return color(stated) ?? "&H00FFFFFF"
        case .tertiaryColor: return color(style[.outlineColor]?.text) ?? "&H00000000"
        // SSA draws outlines and boxes in the color of the background.
        case .backColor:
            return color(toSSA ? style[.outlineColor]?.text ?? stated : stated) ?? "&H00000000"
        case .outlineColor: return color(style[.backColor]?.text) ?? "&H00000000"
        case .alignment: return alignment(stated)
        case .borderStyle: return stated == "4" && toSSA ? "3" : stated ?? "1"
        case .scaleX, .scaleY: return stated ?? "100"
        case .font: return stated ?? "Arial"
        case .fontSize: return stated ?? "18"
        case .encoding: return stated ?? "1"
        case .name: return stated ?? "Default"
        default: return stated ?? "0"
        }
    }

    /// Old scripts have colors as decimal numbers.
    private func color(_ value: String?) -> String? {
        guard let value, !value.isEmpty else { return nil }
        guard let number = Int64(value) else { return value }
        let digits = zeroPadded(UInt32(truncatingIfNeeded: number), to: 8, radix: 16)
        return "&H" + digits.uppercased()
    }

    private func alignment(_ value: String?) -> String {
        let number = value.flatMap { Int($0) } ?? 2
        if toSSA {
            guard (1...9).contains(number) else { return "2" }
            return "\([1, 2, 3, 9, 10, 11, 5, 6, 7][number - 1])"
        }
        return "\(NumpadAlignment(ssa: number)?.rawValue ?? 2)"
    }

    private static func losses(_ style: ASSStyleLine) -> LossKinds {
        func number(_ field: ASSStyleColumns.Field) -> Double? {
            style[field].flatMap { Double($0.text) }
        }
        var losses: LossKinds = []
        if (number(.underline) ?? 0) != 0 || (number(.strikeOut) ?? 0) != 0
            || (number(.spacing) ?? 0) != 0
        {
            losses.insert(.style)
        }
        if (number(.scaleX) ?? 100) != 100 || (number(.scaleY) ?? 100) != 100 {
            losses.insert(.size)
        }
        if (number(.angle) ?? 0) != 0 { losses.insert(.rotation) }
        return losses
    }
}
