internal import UndertextCore

/// The resolved style of text in a script: every property that a style or override tags state.
struct ASSResolvedStyle: Hashable {
    /// The font's family.
    var font: String
    /// The font's size in thousandths of a script pixel.
    var size: Int
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var isStruckThrough = false
    /// The text color.
    var color = RGBA.white
    /// The box around the text; `nil` for none.
    var box: RGBA?
    /// The outline, if it differs from that of the style; never part of a style that the writer creates.
    var outline: Outline?
    /// The shadow, if it differs from that of the style; never part of a style that the writer creates.
    var shadow: Shadow?

    /// A text outline, in thousandths of a script pixel.
    struct Outline: Hashable {
        var color: RGBA
        var width: Int
        var blur: Int
    }

    /// A shadow, in thousandths of a script pixel.
    struct Shadow: Hashable {
        var color: RGBA
        var x: Int
        var y: Int
    }

    /// The style without properties that only tags can state.
    var withoutEffects: ASSResolvedStyle {
        var result = self
        result.outline = nil
        result.shadow = nil
        return result
    }

    /// The tags that change effects from those of `other` to these; without a value they are the style's.
    func effectTags(after other: ASSResolvedStyle) -> String {
        var tags = ""
        if outline != other.outline {
            if let outline {
                tags += "\\bord\(decimalText(thousandths: outline.width))"
                tags += Self.tags(outline.color, "\\3c", "\\3a")
                if outline.blur > 0 || other.outline?.blur ?? 0 > 0 {
                    tags += "\\blur\(decimalText(thousandths: outline.blur))"
                }
            } else {
                tags += "\\bord\\3c\\3a" + (other.outline?.blur ?? 0 > 0 ? "\\blur0" : "")
            }
        }
        if shadow != other.shadow {
            if let shadow {
                tags += "\\xshad\(decimalText(thousandths: shadow.x))"
                tags += "\\yshad\(decimalText(thousandths: shadow.y))"
                tags += Self.tags(shadow.color, "\\4c", "\\4a")
            } else {
                tags += "\\shad\\4c\\4a"
            }
        }
        return tags
    }

    /// The tags of a color.
    static func tags(_ color: RGBA, _ colorTag: String, _ alphaTag: String) -> String {
        "\(colorTag)&H\(ASSColor.hex(color))&\(alphaTag)&H\(ASSColor.hex(255 - color.alpha))&"
    }

    /// The properties that this style and `other` share, and those of `standard` where they differ.
    func common(with other: ASSResolvedStyle, standard: ASSResolvedStyle) -> ASSResolvedStyle {
        var result = self
        func keep<Value: Equatable>(_ path: WritableKeyPath<ASSResolvedStyle, Value>) {
            if self[keyPath: path] != other[keyPath: path] {
                result[keyPath: path] = standard[keyPath: path]
            }
        }
        keep(\.font)
        keep(\.size)
        keep(\.isBold)
        keep(\.isItalic)
        keep(\.isUnderlined)
        keep(\.isStruckThrough)
        keep(\.color)
        keep(\.box)
        keep(\.outline)
        keep(\.shadow)
        return result
    }
}

/// Resolves the styles of runs.
struct ASSStyleResolver {
    /// The style of unstyled text.
    let standard: ASSResolvedStyle
    /// The script's canvas.
    let canvas: PixelSize
    /// `true` if text may have a box: a script that is kept may have no style for it.
    let allowsBoxes: Bool
    /// The colors that style sheets give to classes.
    let classes: WebVTTClassColors

    /// The resolved style of a run; inexpressible properties are added to `losses`.
    func look(of style: TextStyle, losses: inout LossKinds) -> ASSResolvedStyle {
        var look = standard
        if let font = style.font {
            let name = Self.fontName(font)
            if name != font { losses.insert(.font) }
            if !name.isEmpty { look.font = name }
        }
        if let size = style.fontSize { look.size = thousandths(size) }
        look.isBold = style.isBold
        look.isItalic = style.isItalic
        look.isUnderlined = style.isUnderlined
        look.isStruckThrough = style.isStruckThrough
        look.color = style.color ?? .white
        look.box = style.background.flatMap { $0.alpha == 0 ? nil : $0 }
        for name in style.classes {
            guard let colors = classes[name] else {
                losses.insert(.style)
                continue
            }
            if let color = colors.text { look.color = color }
            if let color = colors.background { look.box = color.alpha == 0 ? nil : color }
        }
        if !allowsBoxes, look.box != standard.box {
            losses.insert(.background)
            look.box = standard.box
        }
        if style.language != nil { losses.insert(.metadata) }
        if let outline = style.outline {
            look.outline = .init(
                color: outline.color, width: thousandths(outline.width),
                blur: thousandths(outline.blur))
        }
        if let shadow = style.shadows.first {
            look.shadow = .init(
                color: shadow.color, x: thousandths(shadow.x), y: thousandths(shadow.y))
            // In a script, blur applies to the text and its only shadow.
            if style.shadows.count > 1 || shadow.blur > 0 { losses.insert(.style) }
        }
        return look
    }

    /// A length of the cue model in thousandths of a script pixel.
    private func thousandths(_ part: Int) -> Int {
        Int((Double(part) * Double(max(canvas.height, 1)) / 100).rounded())
    }

    private func thousandths(_ size: FontSize) -> Int {
        let height = Double(max(canvas.height, 1))
        let pixels: Double =
            switch size {
            case .ofHeight(let part): Double(part) * height / 100_000
            case .percent(let part): Double(standard.size) / 1000 * Double(part) / 100
            // Pixels of formats without a canvas are those of libavformat's: 288 lines.
            case .pixels(let count): Double(count) * height / 288
            }
        let exact = Int((min(max(pixels, 0.001), 1e6) * 1000).rounded())
        // The roundest number that is the same part of the height: 60 rather than 60.005.
        func part(_ size: Int) -> Int { Int((Double(size) * 100 / height).rounded()) }
        for step in [1000, 100, 10] {
            let round = (exact + step / 2) / step * step
            if round > 0, part(round) == part(exact) { return round }
        }
        return exact
    }

    /// The first of the names that a font may have, without what ends it in a script.
    static func fontName(_ font: String) -> String {
        let first = font.utf8.prefix(256).prefix { $0 != Byte.comma }
        let kept = first.filter {
            $0 >= Byte.space && ![0x5C, 0x7B, 0x7D, 0x28, 0x29].contains($0)
        }
        let name = Array(kept)[...].trimmed.text
        return name == "0" ? "" : name
    }
}

/// The styles of a script that is being written.
struct ASSStyleTable {
    /// `true` if the script is SSA v4: its styles lack underlines and strokes.
    let isSSA: Bool
    /// The resolved style of the style called Default.
    let standard: ASSResolvedStyle
    /// The distances of text from the edges, in script pixels.
    let margins: ASSMargins
    private var entries: [(name: String, look: ASSResolvedStyle)]
    private var nameByLook: [ASSResolvedStyle: Int] = [:]
    private var mayGrow: Bool

    /// Styles beyond this number become override tags.
    private static let mostStyles = 1000

    /// Starts with Default; without `mayGrow` there is one more, Box, for text on a box.
    init(isSSA: Bool, standard: ASSResolvedStyle, margins: ASSMargins, mayGrow: Bool) {
        self.isSSA = isSSA
        self.standard = standard
        self.margins = margins
        self.mayGrow = mayGrow
        entries = []
        add("Default", standard)
        if !mayGrow, standard.box == nil {
            var box = standard
            box.box = .black
            add("Box", box)
        }
    }

    /// Allows no more styles.
    mutating func close() { mayGrow = false }

    private mutating func add(_ name: String, _ look: ASSResolvedStyle) {
        nameByLook[look] = entries.count
        entries.append((name, look))
    }

    /// The style for a resolved style, created if necessary; returns the resolved style of the result, which
    /// may differ.
    mutating func style(for look: ASSResolvedStyle) -> (name: String, look: ASSResolvedStyle) {
        var wanted = look.withoutEffects
        if isSSA {
            wanted.isUnderlined = standard.isUnderlined
            wanted.isStruckThrough = standard.isStruckThrough
        }
        if let known = nameByLook[wanted] { return entries[known] }
        guard mayGrow, entries.count < Self.mostStyles else {
            return entries.first { ($0.look.box == nil) == (wanted.box == nil) } ?? entries[0]
        }
        add("Style \(entries.count)", wanted)
        return entries[entries.count - 1]
    }

    /// Appends the section of styles.
    func append(to output: inout [UInt8]) {
        let columns = ASSStyleColumns(isLegacy: isSSA)
        output += "[V4\(isSSA ? "" : "+") Styles]\n\(columns.formatLine)\n".utf8
        for entry in entries {
            let look = entry.look
            let fields: [String]
            let outline = look.box ?? .black
            let shadow = RGBA(red: 0, green: 0, blue: 0, alpha: 0x80)
            let unsung = RGBA(
                red: look.color.red, green: look.color.green, blue: look.color.blue,
                alpha: look.color.alpha / 3)
            let size = decimalText(thousandths: look.size)
            let lines = decimalText(thousandths: margins.outline)
            let border = look.box == nil ? ["1", lines, "0"] : ["3", lines, "0"]
            let edges = [margins.left, margins.right, margins.vertical].map(String.init)
            if isSSA {
                fields =
                    [entry.name, look.font, size] + colors([look.color, unsung, outline, outline])
                    + [flag(look.isBold), flag(look.isItalic)] + border + ["2"] + edges + [
                        "0", "1",
                    ]
            } else {
                fields =
                    [entry.name, look.font, size]
                    + colors([look.color, unsung, outline, look.box == nil ? shadow : outline])
                    + [look.isBold, look.isItalic, look.isUnderlined, look.isStruckThrough].map(
                        flag)
                    + ["100", "100", "0", "0"] + border + ["2"] + edges + ["1"]
            }
            output += "Style: \(fields.joined(separator: ","))\n".utf8
        }
    }

    private func flag(_ value: Bool) -> String { value ? "-1" : "0" }

    private func colors(_ colors: [RGBA]) -> [String] {
        colors.map { "&H\(ASSColor.hex(255 - $0.alpha))\(ASSColor.hex($0))" }
    }
}

/// The distances of text from the edges, in script pixels.
struct ASSMargins: Hashable {
    var left: Int
    var right: Int
    var vertical: Int
    /// The width of outlines, in thousandths of a pixel.
    var outline: Int

    /// Five percent of the canvas.
    init(canvas: PixelSize) {
        left = max(1, canvas.width / 20)
        right = left
        vertical = max(1, canvas.height / 20)
        outline = max(100, canvas.height * 1000 / 432)
    }

    /// Given margins.
    init(left: Int, right: Int, vertical: Int) {
        self.left = left
        self.right = right
        self.vertical = vertical
        outline = 2000
    }
}

/// `WrapStyle`: the way to break lines that do not fit.
enum ASSWrapping: Int {
    /// Lines of about equal length.
    case even = 0
    /// As late as possible.
    case late = 1

    /// The line breaking of a format: TTML fills lines, WebVTT balances them, others do not define it.
    init(_ codec: CodecID) { self = codec == .ttml ? .late : .even }
}

/// Colors as scripts write them.
enum ASSColor {
    /// `BBGGRR`.
    static func hex(_ color: RGBA) -> String { hex(color.blue) + hex(color.green) + hex(color.red) }

    /// Two digits.
    static func hex(_ value: UInt8) -> String {
        zeroPadded(value, to: 2, radix: 16).uppercased()
    }
}
