internal import UndertextCore

/// Parses the text of one SubRip cue.
///
/// There is no standard. Known tags (`b i u s font br` and their variants in players) take effect and are
/// removed, and so is `{\…}`; everything else, such as `<3` and `{line}`, is text.
struct SubRipParser {
    /// An open element and what it changes.
    private struct OpenTag {
        var name: SubRipTag.Name
        var color: RGBA?
        var fontSize: FontSize?
        var font: String?
    }

    private let bytes: [UInt8]
    private var builder = StyledTextBuilder()
    private var openTags: [OpenTag] = []
    /// The properties that `{\…}` tags set.
    private var base = TextStyle()
    private var alignment: NumpadAlignment?
    private var position: SubRipText.Point?
    private var isDrawing = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func parse() -> SubRipText {
        var index = 0
        var hasUnclosedBrace = false
        while index < bytes.count {
            switch bytes[index] {
            case 0x3C:
                if let tag = SubRipTag(bytes, at: index) {
                    apply(tag)
                    index = tag.end
                    continue
                }
            case 0x7B where !hasUnclosedBrace && index + 1 < bytes.count:
                if bytes[index + 1] == 0x5C {
                    if let end = bytes[index...].firstIndex(of: 0x7D) {
                        applyOverrides(bytes[index...end])
                        index = end + 1
                        continue
                    }
                    hasUnclosedBrace = true
                }
            default: break
            }
            // The outline of a drawing is nothing to be read.
            if !isDrawing { builder.append(bytes[index]) }
            index += 1
        }
        return SubRipText(text: builder.finish(), alignment: alignment, position: position)
    }

    private mutating func apply(_ tag: SubRipTag) {
        if tag.name == .lineBreak {
            builder.append(0x0A)
            return
        }
        if tag.isClosing {
            // Authors overlap tags; the innermost one of that name is meant.
            guard let place = openTags.lastIndex(where: { $0.name == tag.name }) else { return }
            openTags.remove(at: place)
        } else if openTags.count < 64 {
            openTags.append(
                OpenTag(
                    name: tag.name, color: tag.color, fontSize: tag.size.map { .pixels($0) },
                    font: tag.face))
        }
        updateStyle()
    }

    private mutating func applyOverrides(_ block: ArraySlice<UInt8>) {
        var tokens = ASSTokenizer(block)
        while let token = tokens.next() {
            guard case .tag(let name, _, let argument) = token else { continue }
            switch ASSOverride(name, block[argument]) {
            case .italic(let value): base.isItalic = value ?? false
            case .bold(let value): base.isBold = value ?? false
            case .underline(let value): base.isUnderlined = value ?? false
            case .strikeOut(let value): base.isStruckThrough = value ?? false
            case .color(1, let value): base.color = value.map { RGBA(assColor: $0, alpha: 255) }
            case .font(let name): base.font = name
            case .fontSize(let size): base.fontSize = size.map { .pixels(clampedPixels($0)) }
            case .alignment(let value): alignment = alignment ?? value
            case .position(let x, let y), .move(let x, let y):
                position = position ?? SubRipText.Point(x: x, y: y)
            case .reset: base = TextStyle()
            case .drawing(let scale): isDrawing = scale > 0
            default: break
            }
        }
        updateStyle()
    }

    private mutating func updateStyle() {
        var style = base
        for tag in openTags {
            switch tag.name {
            case .bold: style.isBold = true
            case .italic: style.isItalic = true
            case .underline: style.isUnderlined = true
            case .strike: style.isStruckThrough = true
            case .font:
                style.color = tag.color ?? style.color
                style.fontSize = tag.fontSize ?? style.fontSize
                style.font = tag.font ?? style.font
            case .lineBreak: break
            }
        }
        builder.setStyle(style)
    }
}

/// A size from a file as whole pixels.
func clampedPixels(_ size: Double) -> Int {
    Int(min(max(size, 1), 10_000).rounded())
}

extension RGBA {
    /// A color from ASS's `0xBBGGRR`.
    init(assColor value: UInt32, alpha: UInt8) {
        self.init(
            red: UInt8(truncatingIfNeeded: value), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value >> 16), alpha: alpha)
    }
}
