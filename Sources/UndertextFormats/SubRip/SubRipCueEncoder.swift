internal import UndertextCore

/// Encodes the text of a cue for SubRip: lines with the tags `b i u s font` and `{\an}`.
///
/// SubRip has no standard and no escapes: in text that would be read as a tag or a timing line, the encoder
/// inserts an invisible word joiner (U+2060).
struct SubRipCueEncoder {
    /// UTF-8 without an empty line; empty if there is nothing to show.
    private(set) var bytes: [UInt8] = []
    /// The losses of the text.
    private(set) var losses: LossKinds = []
    private let classes: WebVTTClassColors

    /// Uses the stored text if the cue comes from SubRip, otherwise the styled text with tags.
    init(_ cue: Cue, classes: WebVTTClassColors = WebVTTClassColors([])) {
        self.classes = classes
        let isStored: Bool
        if case .subRip(let stored) = cue.source {
            bytes = Self.repaired(stored)
            isStored = true
        } else if case .text(let text) = cue.content {
            if let plain = plainLines(of: text, unless: Self.hasMeaning) {
                bytes = plain
            } else {
                write(repairedRuns(of: text))
            }
            isStored = false
        } else {
            losses.insert(.image)
            return
        }
        guard !bytes.isEmpty else { return }
        bytes = Self.withoutTimingLines(bytes)
        if !cue.isPlain { place(cue.layout, unlessTagged: isStored) }
    }

    /// Returns `true` if a byte may need an escape, because it may be a part of a tag or of a timing line.
    static func hasMeaning(_ byte: UInt8) -> Bool {
        byte == Byte.less || byte == 0x7B || byte == Byte.greater
    }

    /// Puts the position tag before the text, unless stored text has one.
    private mutating func place(_ layout: CueLayout, unlessTagged: Bool) {
        if layout.region != nil || layout.background != nil { losses.insert(.region) }
        guard !layout.isDefault else { return }
        if unlessTagged, Self.hasPlacement(bytes) { return }
        let placement = SubRipPlacement(layout)
        if !placement.isExact { losses.insert(.position) }
        if placement.key != 2 { bytes = Array("{\\an\(placement.key)}".utf8) + bytes }
    }

    /// `true` if the text contains `{\a…}`, which already positions the cue.
    private static func hasPlacement(_ text: [UInt8]) -> Bool {
        text != replacing("{\\a", with: "", in: text)
    }

    private static func repaired(_ text: String) -> [UInt8] {
        var lines = unifiedLineEnds(text.utf8).filter { $0 != 0 }
        while let last = lines.last, last == Byte.lineFeed { lines.removeLast() }
        var lineIsEmpty = true
        lines = fillingEmptyLines(lines, lineIsEmpty: &lineIsEmpty)
        return replacing("-->", with: "--\u{2060}>", in: lines)
    }

    // MARK: Tags

    private enum Tag: Hashable {
        case font(String)
        case bold
        case italic
        case underline
        case strike

        var name: String {
            switch self {
            case .font: "font"
            case .bold: "b"
            case .italic: "i"
            case .underline: "u"
            case .strike: "s"
            }
        }

        var start: String {
            guard case .font(let color) = self else { return "<\(name)>" }
            return "<font color=\"#\(color)\">"
        }
    }

    private mutating func write(_ runs: [RepairedRun]) {
        var open: [Tag] = []
        for part in runs where !part.bytes.isEmpty {
            if part.run.appearsAt != nil { losses.insert(.karaoke) }
            if part.run.ruby != nil { losses.insert(.ruby) }
            change(from: &open, to: tags(for: part.run.style))
            appendProtected(part.bytes)
        }
        change(from: &open, to: [])
    }

    /// Kinds of loss that tags avoid only in part.
    private static let tagged: LossKinds = [.color, .style]

    private mutating func tags(for style: TextStyle) -> [Tag] {
        var tags: [Tag] = []
        let ruled = style.classes.compactMap { classes[$0] }
        if ruled.contains(where: { $0.background != nil }) { losses.insert(.background) }
        if let color = style.color ?? ruled.compactMap(\.text).last {
            tags.append(.font(String(color.hexadecimal.prefix(6))))
            if color.alpha != 255 { losses.insert(.color) }
        }
        if style.isBold { tags.append(.bold) }
        if style.isItalic { tags.append(.italic) }
        if style.isUnderlined { tags.append(.underline) }
        if style.isStruckThrough { tags.append(.strike) }
        losses.formUnion(LossKinds(style).subtracting(Self.tagged))
        if style.classes.contains(where: { classes[$0] == nil }) { losses.insert(.style) }
        if style.hasEffects { losses.insert(.style) }
        return tags
    }

    private mutating func change(from open: inout [Tag], to wanted: [Tag]) {
        let kept = open.prefix { wanted.contains($0) }.count
        for tag in open[kept...].reversed() { bytes += "</\(tag.name)>".utf8 }
        open.removeSubrange(kept...)
        for tag in wanted where !open.contains(tag) {
            bytes += tag.start.utf8
            open.append(tag)
        }
    }

    private mutating func appendProtected(_ text: [UInt8]) {
        for byte in text {
            // The preceding text may belong to an earlier run.
            let startsTag = bytes.last == Byte.less && (byte == 0x2F || 0x41...0x5A ~= byte & 0xDF)
            let startsOverride = bytes.last == 0x7B && byte == 0x5C
            let endsArrow = bytes.last == Byte.hyphen && byte == Byte.greater
            if startsTag || startsOverride || endsArrow { bytes += Self.wordJoiner }
            bytes.append(byte)
        }
    }

    private static let wordJoiner: [UInt8] = [0xE2, 0x81, 0xA0]

    /// The text without a line that a reader would take for the times of another cue.
    static func withoutTimingLines(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(Byte.greater) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var lines = LineCursor(text)
        while let line = lines.next() {
            if lines.number > 1 { result.append(Byte.lineFeed) }
            let isTiming =
                lines.traits.contains(.greater) && SubRipTimingLine(text, line) != nil
            for byte in text[line] {
                if isTiming, byte == Byte.greater { result += wordJoiner }
                result.append(byte)
            }
        }
        return result
    }
}
