internal import UndertextCore

/// The text of a cue as WebVTT writes it.
///
/// W3C WebVTT, section 4.2.2 (cue components).
struct WebVTTCueEncoder {
    /// UTF-8 without an empty line and without an arrow; empty if there is nothing to show.
    private(set) var bytes: [UInt8] = []
    /// The losses of the text.
    private(set) var losses: LossKinds = []

    /// Uses the stored text if the cue comes from WebVTT, otherwise the styled text with tags.
    ///
    /// - Parameters:
    ///   - cue: the cue; an image becomes an empty text and the loss `image`.
    ///   - colors: assigns classes to colors.
    init(_ cue: Cue, colors: inout WebVTTColors) {
        if !cue.isPlain, case .webVTT(let stored) = cue.source {
            bytes = Self.repaired(stored.utf8)
            colors.use(classesIn: bytes)
            return
        }
        guard case .text(let text) = cue.content else {
            losses.insert(.image)
            return
        }
        if let plain = plainLines(of: text, unless: Self.hasMeaning) {
            bytes = plain
        } else {
            write(repairedRuns(of: text), of: cue, colors: &colors)
        }
        if !cue.isPlain, cue.layout.background != nil { losses.insert(.region) }
    }

    /// `true` if a byte must be escaped in cue text.
    static func hasMeaning(_ byte: UInt8) -> Bool {
        byte == Byte.ampersand || byte == Byte.less || byte == Byte.greater
    }

    /// Cue text that cannot end its cue: no empty line, no arrow, no NUL, one kind of line end.
    static func repaired<Bytes: Collection>(_ text: Bytes) -> [UInt8]
    where Bytes.Element == UInt8 {
        var lines = unifiedLineEnds(text)
        while let last = lines.last, last == Byte.lineFeed { lines.removeLast() }
        var lineIsEmpty = true
        lines = fillingEmptyLines(lines, lineIsEmpty: &lineIsEmpty)
        if lines.contains(0) {
            lines = Array(lines.map { $0 == 0 ? Byte.replacement : [$0] }.joined())
        }
        return replacing("-->", with: "--&gt;", in: lines)
    }

    private mutating func write(
        _ runs: [RepairedRun], of cue: Cue, colors: inout WebVTTColors
    ) {
        let span = MillisecondSpan(cue)
        var shown = span.start
        var open: [Tag] = []
        for part in runs {
            if let time = part.run.appearsAt?.roundedMilliseconds, time > span.start {
                if time > shown, time < span.end {
                    bytes.append(Byte.less)
                    bytes.appendClock(milliseconds: time, separator: Byte.period)
                    bytes.append(Byte.greater)
                    shown = time
                } else if time != shown {
                    losses.insert(.karaoke)
                }
            }
            guard !part.bytes.isEmpty || part.run.ruby != nil else { continue }
            change(from: &open, to: tags(for: part.run.style, colors: &colors))
            if let ruby = part.run.ruby, !ruby.isEmpty {
                bytes += "<ruby>".utf8
                appendEscaped(part.bytes)
                bytes += "<rt>".utf8
                appendEscaped(oneLine(ruby))
                bytes += "</rt></ruby>".utf8
            } else {
                appendEscaped(part.bytes)
            }
        }
        change(from: &open, to: [])
    }

    // MARK: Tags

    private enum Tag: Hashable {
        case language(String)
        case voice(String)
        case classes([String])
        case bold
        case italic
        case underline

        var name: String {
            switch self {
            case .language: "lang"
            case .voice: "v"
            case .classes: "c"
            case .bold: "b"
            case .italic: "i"
            case .underline: "u"
            }
        }
    }

    /// The tags that a style needs, outermost first.
    private mutating func tags(for style: TextStyle, colors: inout WebVTTColors) -> [Tag] {
        var tags: [Tag] = []
        if let language = style.language, !language.isEmpty { tags.append(.language(language)) }
        if let voice = style.voice, !voice.isEmpty { tags.append(.voice(voice)) }
        var classes = style.classes.compactMap(Self.className)
        for name in classes { colors.use(className: name) }
        if let color = style.color {
            if let name = colors.textClass(color) {
                if !classes.contains(name) { classes.append(name) }
            } else {
                losses.insert(.color)
            }
        }
        if let color = style.background {
            if let name = colors.backgroundClass(color) {
                if !classes.contains(name) { classes.append(name) }
            } else {
                losses.insert(.background)
            }
        }
        for effect in WebVTTEffect.all(of: style) {
            if let name = colors.effectClass(effect) {
                if !classes.contains(name) { classes.append(name) }
            } else {
                losses.insert(.style)
            }
        }
        if !classes.isEmpty { tags.append(.classes(classes)) }
        if style.isBold { tags.append(.bold) }
        if style.isItalic { tags.append(.italic) }
        if style.isUnderlined { tags.append(.underline) }
        if style.isStruckThrough { losses.insert(.style) }
        if style.font != nil { losses.insert(.font) }
        if let size = style.fontSize, size != .usual { losses.insert(.size) }
        return tags
    }

    /// Closes what `wanted` lacks, innermost first, and opens what is missing.
    private mutating func change(from open: inout [Tag], to wanted: [Tag]) {
        let kept = open.prefix { wanted.contains($0) }.count
        for tag in open[kept...].reversed() { bytes += "</\(tag.name)>".utf8 }
        open.removeSubrange(kept...)
        for tag in wanted where !open.contains(tag) {
            appendStart(of: tag)
            open.append(tag)
        }
    }

    private mutating func appendStart(of tag: Tag) {
        bytes.append(Byte.less)
        bytes += tag.name.utf8
        switch tag {
        case .language(let annotation), .voice(let annotation):
            bytes.append(Byte.space)
            appendEscaped(oneLine(annotation))
        case .classes(let names):
            bytes += names.map { ".\($0)" }.joined().utf8
        case .bold, .italic, .underline: break
        }
        // "--" before the end of the tag would make an arrow; trailing space is trimmed.
        if bytes.last == Byte.hyphen { bytes.append(Byte.space) }
        bytes.append(Byte.greater)
    }

    /// The characters of a class name that the syntax allows; `nil` if none is left.
    private static func className(_ name: String) -> String? {
        let bytes = name.utf8.filter {
            $0 > Byte.space && $0 != Byte.period && $0 != Byte.less && $0 != Byte.greater
                && $0 != Byte.ampersand
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private func oneLine(_ text: String) -> [UInt8] {
        text.utf8.map { $0 < Byte.space ? Byte.space : $0 }
    }

    private mutating func appendEscaped(_ text: [UInt8]) {
        for byte in text { Self.appendEscaped(byte, to: &bytes) }
    }

    /// Appends a byte of text, with a reference for one that has a meaning.
    static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case Byte.ampersand: bytes += "&amp;".utf8
        case Byte.less: bytes += "&lt;".utf8
        case Byte.greater: bytes += "&gt;".utf8
        default: bytes.append(byte)
        }
    }
}
