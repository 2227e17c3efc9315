internal import UndertextCore
internal import UndertextXML

/// A style and a position of USF: the content of `style`, or the attributes of `text`.
///
/// Universal Subtitle Format 1.1, sections `fontstyle` and `position`.
struct USFStyle: Hashable, Sendable {
    /// The text style; font and size are left to players if the style is the default one.
    var text = TextStyle()
    /// One of nine positions.
    var alignment: NumpadAlignment?
    /// Distance from the left or right edge, in percent.
    var horizontalMargin: Double?
    /// Distance from the top or bottom edge, in percent.
    var verticalMargin: Double?

    /// Text this near to an edge, in percent, is at the default position of players.
    private static let usualMargin = 15.0

    /// The player's default.
    init() {}

    /// The position of its text.
    var layout: CueLayout {
        let place = alignment ?? .bottomCenter
        var layout = place.layout(margin: min(max(horizontalMargin ?? 5, 0), 50))
        if let margin = verticalMargin, margin > Self.usualMargin, place.row != 1 {
            layout.line = place.row == 0 ? 100 - min(margin, 100) : min(margin, 100)
            layout.snapToLines = false
            layout.lineAlignment = place.row == 0 ? .end : .start
        }
        return layout
    }

    /// Applies attributes of `fontstyle` and `font`.
    mutating func apply(font attributes: [XMLAttribute]) {
        for attribute in attributes {
            let value = Array(attribute.value.utf8)[...]
            switch attribute.name {
            case "face": text.font = attribute.value.isEmpty ? nil : attribute.value.ifName
            case "size":
                text.fontSize = value.leadingNumber.map { .pixels(clampedPixels($0)) }
            case "color":
                guard let color = CSSColor.parse(value) else { continue }
                // The leading alpha is a transparency that would make text unreadable; it is ignored.
                text.color = color == .white ? nil : color
            case "back-color": text.background = CSSColor.parse(value)
            case "italic": text.isItalic = Self.isOn(value)
            case "underline": text.isUnderlined = Self.isOn(value)
            case "weight":
                text.isBold =
                    value.equalsIgnoringCase("bold") || (value.leadingInteger ?? 0) >= 600
            default: continue
            }
        }
    }

    /// Applies attributes of `position` and `text`.
    mutating func apply(position attributes: [XMLAttribute]) {
        for attribute in attributes {
            let value = Array(attribute.value.utf8)[...]
            switch attribute.name {
            case "alignment": alignment = Self.alignment(value) ?? alignment
            case "horizontal-margin": horizontalMargin = Self.percent(value)
            case "vertical-margin": verticalMargin = Self.percent(value)
            default: continue
            }
        }
    }

    private static func isOn(_ value: ArraySlice<UInt8>) -> Bool {
        value.equalsIgnoringCase("yes") || value.equalsIgnoringCase("true")
            || value.equalsIgnoringCase("1")
    }

    /// A part of the screen; pixels of an unknown window have no meaning.
    private static func percent(_ value: ArraySlice<UInt8>) -> Double? {
        value.trimmed.last == 0x25 ? value.leadingNumber.map { min(max($0, 0), 100) } : nil
    }

    /// `TopLeft` to `BottomRight`.
    private static func alignment(_ value: ArraySlice<UInt8>) -> NumpadAlignment? {
        let word = String(decoding: value.trimmed.map(\.lowercased), as: UTF8.self)
        let row = ["bottom", "middle", "top"].firstIndex { word.hasPrefix($0) }
        let column = ["left", "center", "right"].firstIndex { word.hasSuffix($0) }
        guard let row, let column else { return nil }
        return NumpadAlignment(numpad: row * 3 + column + 1)
    }
}

/// The styles of a USF track by name: the header of the file, as Matroska keeps it.
struct USFStyles: Sendable {
    private(set) var byName: [String: USFStyle] = [:]

    private static let stylesAtMost = 1000

    /// Reads a header; what is after damage is missing.
    init(_ header: [UInt8]) {
        let collector = Collector()
        // A header may end where the subtitles of the file began.
        try? XMLReader.read(Self.withoutDoctype(header), handler: collector)
        byName = collector.styles
    }

    /// The style of a name, or the default one.
    func style(_ name: String?) -> USFStyle {
        byName[name ?? ""] ?? byName["Default"] ?? USFStyle()
    }

    /// Without a type declaration that only names a file, which USF's own examples have.
    private static func withoutDoctype(_ header: [UInt8]) -> [UInt8] {
        let mark = Array("<!DOCTYPE".utf8)
        guard
            let start = header.prefix(1024).indices.first(where: {
                header[$0...].starts(with: mark)
            }),
            let end = header[start...].firstIndex(of: 0x3E), !header[start..<end].contains(0x5B)
        else { return header }
        return Array(header[..<start] + header[(end + 1)...])
    }

    private final class Collector: XMLHandler {
        var styles: [String: USFStyle] = [:]
        private var name: String?
        private var style = USFStyle()

        func start(_ element: String, attributes: [XMLAttribute]) {
            switch element {
            case "style":
                name = attributes.first { $0.name == "name" }?.value
                style = styles["Default"] ?? USFStyle()
            case "fontstyle" where name != nil:
                style.apply(font: attributes)
                // Programs write a font and size for all the text; users did not choose them.
                if name == "Default" {
                    style.text.font = nil
                    style.text.fontSize = nil
                    style.text.background = nil
                }
            case "position" where name != nil: style.apply(position: attributes)
            default: break
            }
        }

        func end(_ element: String) {
            guard element == "style", let name else { return }
            if styles.count < USFStyles.stylesAtMost { styles[name] = style }
            self.name = nil
        }

        func text(_ text: String) {}
    }
}
