internal import UndertextCore

/// The styles of a script that is being written.
struct ASSStyleTable {
    /// Whether the script is SSA v4: its styles lack underlines and strokes.
    let isSSA: Bool
    /// The look of the style called Default.
    let standard: ASSResolvedStyle
    /// How far text keeps from the edges, in script pixels.
    let margins: ASSMargins
    private var entries: [(name: String, look: ASSResolvedStyle)]
    private var nameByLook: [ASSResolvedStyle: Int] = [:]
    private var mayGrow: Bool

    /// Further looks get override tags.
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

    /// The style for a look, a new one if need be; its own look where that is not quite the same.
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
            let size = ASSNumber.text(thousandths: look.size)
            let lines = ASSNumber.text(thousandths: margins.outline)
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
        colors.map { "&H\(ASSNumber.hex(255 - $0.alpha))\(ASSNumber.hex($0))" }
    }
}

/// How far text keeps from the edges, in script pixels.
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

/// `WrapStyle`: where lines are broken that do not fit.
enum ASSWrapping: Int {
    /// So that all are about as long.
    case even = 0
    /// As late as possible.
    case late = 1

    /// How lines of a format are broken: TTML fills them, WebVTT evens them out, others do not say.
    init(_ codec: CodecID) { self = codec == .ttml ? .late : .even }
}

/// Numbers as scripts write them.
enum ASSNumber {
    /// A decimal number of at most three decimals.
    static func text(thousandths value: Int) -> String {
        WebVTTSettingsText.number(Double(value) / 1000)
    }

    /// `BBGGRR`.
    static func hex(_ color: RGBA) -> String { hex(color.blue) + hex(color.green) + hex(color.red) }

    /// Two digits.
    static func hex(_ value: UInt8) -> String {
        (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true)
    }
}
