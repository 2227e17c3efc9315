internal import UndertextCore
internal import UndertextXML

/// The texts of a USF subtitle: the content of `subtitle`.
///
/// Each `text` has its own style and position; text outside of any `text` is one text.
final class USFText: XMLHandler {
    /// A text with its position.
    struct Part {
        var text: StyledText
        var layout: CueLayout
    }

    /// The results.
    private(set) var parts: [Part] = []
    /// Texts beyond those that one subtitle may have, which are left out.
    private(set) var surplus = 0
    /// `true` if there are images, which are left out.
    private(set) var hasImages = false

    private let styles: USFStyles
    private let start: Timestamp
    private var flow = FlowingText()
    private var style: USFStyle
    private var open: [(name: String, style: USFStyle)] = []
    /// Elements that are open within one whose content is left out, and that one.
    private var ignoredDepth = 0
    /// Elements that are open beyond what is allowed: their text counts, they do not.
    private var surplusDepth = 0
    private var elapsed = Duration.zero

    /// Elements that are open at most.
    private static let deepest = 64
    /// Texts of one subtitle at most.
    private static let partsAtMost = 64

    init(styles: USFStyles, start: Timestamp) {
        self.styles = styles
        self.start = start
        style = styles.style(nil)
        flow.builder.setStyle(style.text)
    }

    func start(_ name: String, attributes: [XMLAttribute]) {
        if ignoredDepth > 0 {
            ignoredDepth += 1
            return
        }
        if open.count >= Self.deepest {
            surplusDepth += 1
            return
        }
        func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
        switch name {
        case "text", "karaoke":
            // Karaoke is within a text, or a text itself.
            if name == "text" || !open.contains(where: { $0.name == "text" }) {
                finishPart()
                style = styles.style(value("style"))
                style.apply(position: attributes)
                if let speaker = value("speaker"), !speaker.isEmpty { style.text.voice = speaker }
            }
        case "image", "shape":
            hasImages = true
            ignoredDepth = 1
            return
        case "comment":
            ignoredDepth = 1
            return
        case "br": flow.breakLine()
        case "k":
            // The duration of the following syllable in milliseconds.
            flow.builder.setAppearsAt(elapsed == .zero ? nil : start.advanced(by: elapsed))
            let length = value("t").flatMap { Array($0.utf8)[...].leadingInteger } ?? 0
            elapsed += .milliseconds(min(max(length, 0), 3_600_000))
        case "b": style.text.isBold = true
        case "i": style.text.isItalic = true
        case "u": style.text.isUnderlined = true
        case "s": style.text.isStruckThrough = true
        case "font": style.apply(font: attributes)
        default: break
        }
        open.append((name, style))
        flow.builder.setStyle(style.text)
    }

    func end(_ name: String) {
        guard ignoredDepth == 0 else {
            ignoredDepth -= 1
            return
        }
        guard surplusDepth == 0 else {
            surplusDepth -= 1
            return
        }
        // The reader has seen to it that ends match.
        guard open.popLast() != nil else { return }
        if name == "text" || name == "karaoke" && !open.contains(where: { $0.name == "text" }) {
            finishPart()
            style = styles.style(nil)
        } else {
            style = open.last?.style ?? styles.style(nil)
        }
        flow.builder.setStyle(style.text)
    }

    func text(_ text: String) {
        guard ignoredDepth == 0 else { return }
        for byte in text.utf8 {
            if byte.isSpace { flow.addSpace() } else { flow.append(byte) }
        }
    }

    /// Ends the last text.
    func finish() { finishPart() }

    private func finishPart() {
        if !flow.builder.isEmpty {
            if parts.count < Self.partsAtMost {
                parts.append(Part(text: flow.builder.finish(), layout: style.layout))
            } else {
                surplus += 1
            }
        }
        flow = FlowingText()
        elapsed = .zero
    }
}
