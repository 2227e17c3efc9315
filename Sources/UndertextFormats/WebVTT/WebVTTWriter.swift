package import UndertextCore

/// Writes cues as a WebVTT file.
///
/// W3C WebVTT, section 4.1. Cues from WebVTT keep their text; others are encoded from their styled text. A cue
/// without text is not written, and events with equal times, position and text are written once.
///
/// Every color class gets a rule, including the default ones (`red`, `bg_blue`, …), because Chromium does not
/// know them. Rules must precede the first cue, but the needed rules are known only after the last: cues are
/// held back until ``finish(into:)``, or until they take 64 MiB. With `streaming`, each cue is written
/// immediately, after the rules of all default classes, and other colors are a loss.
package struct WebVTTWriter: CueWriter, Sendable {
    /// The losses so far.
    package private(set) var losses = ConversionLosses()
    /// Number of cues written so far.
    package private(set) var cueCount = 0
    /// Number of cues left out because one equal to them was written.
    package var mergedCount: Int { duplicates.found }
    private var header: SubtitleHeader
    private var isStreaming: Bool
    private let signature: WebVTTSignature
    /// `true` if lines of the header are lost, which is reported once.
    private var losesLines: Bool
    private let sources: SourceLosses
    private var colors: WebVTTColors
    private var held: [UInt8] = []
    private var duplicates = DuplicateFilter()
    private var scratch = ByteScratch()

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - header: style sheets and regions.
    ///   - streaming: `true` to write each cue immediately.
    package init(header: SubtitleHeader = SubtitleHeader(), streaming: Bool = false) {
        self.header = header
        isStreaming = streaming
        signature = WebVTTSignature(header)
        losesLines = signature.losesLines
        sources = SourceLosses(.karaoke, header: header)
        colors = WebVTTColors(allowsRules: !streaming, styleSheets: header.styleSheets)
    }

    /// Creates a writer for a part of the cues, such as a segment, that has the styles of all.
    ///
    /// A copy of it that nothing was written with can be made for each part.
    ///
    /// - Parameters:
    ///   - header: style sheets and regions.
    ///   - cues: the cues of all parts: the STYLE blocks of each part have the rules for their colors.
    package init(header: SubtitleHeader, stylesOf cues: some Sequence<Cue>) {
        self.init(header: header)
        for cue in cues { colors.use(cue) }
    }

    /// `true` if style sheets and regions are written at the end.
    package var takesLateStyles: Bool { !isStreaming }

    /// Adds style sheets and regions that the reader found after the beginning.
    package mutating func update(_ header: SubtitleHeader) {
        guard takesLateStyles else { return }
        self.header.styleSheets = header.styleSheets
        self.header.regions = header.regions
        colors.update(styleSheets: header.styleSheets)
    }

    /// Writes the signature, and in streaming mode style sheets and regions.
    package mutating func begin(into output: inout [UInt8]) {
        output += signature.bytes
        output.append(Byte.lineFeed)
        if isStreaming { appendBlocks(to: &output) }
    }

    /// Writes a cue, or holds it back.
    package mutating func write(_ cue: Cue, into output: inout [UInt8]) {
        let text = WebVTTCueEncoder(cue, colors: &colors)
        losses.record(text.losses, of: cue, sources: sources)
        if losesLines {
            losesLines = false
            losses.record(.metadata, in: cue)
        }
        guard !text.bytes.isEmpty else { return }
        let span = MillisecondSpan(cue)
        guard duplicates.isNew(cue, span: span, text: text.bytes) else { return }
        cueCount += 1
        if isStreaming {
            append(cue, span: span, text: text.bytes, to: &output)
        } else {
            var held = take()
            append(cue, span: span, text: text.bytes, to: &held)
            self.held = held
            if self.held.count > heldAtMost { stopHolding(into: &output) }
        }
    }

    /// Writes what is held back, and each further cue at once.
    private mutating func stopHolding(into output: inout [UInt8]) {
        colors.close()
        appendBlocks(to: &output)
        output += take()
        isStreaming = true
    }

    /// Moves the held-back bytes out of the writer, so that they can grow without a copy.
    private mutating func take() -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &held)
        return bytes
    }

    /// Writes style sheets, regions and cues that were held back.
    package mutating func finish(into output: inout [UInt8]) {
        guard !isStreaming else { return }
        appendBlocks(to: &output)
        if output.isEmpty {
            output = take()
        } else {
            output += take()
        }
    }

    private mutating func append(
        _ cue: Cue, span: MillisecondSpan, text: [UInt8], to output: inout [UInt8]
    ) {
        output.append(Byte.lineFeed)
        if !cue.isPlain, let id = WebVTTLine.identifier(cue.identifier.utf8) {
            output += id
            output.append(Byte.lineFeed)
        }
        WebVTTLine.appendTimes(start: span.start, end: span.end, to: &output)
        if !cue.isPlain, !WebVTTSettingsText.append(cue.layout, to: &output) {
            losses.record(.position, in: cue)
        }
        output.append(Byte.lineFeed)
        output += text
        output.append(Byte.lineFeed)
    }

    private func appendBlocks(to output: inout [UInt8]) {
        appendStyle(colors.rules.joined(separator: "\n"), to: &output)
        for sheet in header.styleSheets { appendStyle(sheet, to: &output) }
        for region in header.regions { WebVTTSettingsText.append(region, to: &output) }
    }

    /// Appends a STYLE block: an empty line or an arrow would end it.
    private func appendStyle(_ css: String, to output: inout [UInt8]) {
        let text = replacing("-->", with: "", in: unifiedLineEnds(css.utf8))
        let lines = text.split(separator: Byte.lineFeed).filter { line in
            line.contains { $0 != Byte.space && $0 != Byte.tab }
        }
        guard !lines.isEmpty else { return }
        output += "\nSTYLE\n".utf8
        for line in lines {
            output += line
            output.append(Byte.lineFeed)
        }
    }
}

extension WebVTTWriter {
    /// Writes cues without positions, whose only tags are those of WebVTT.
    package mutating func write(
        _ cues: PlainCues, firstOrder: Int, into output: inout [UInt8]
    ) {
        var entries = cues.entries[...]
        // Losses of the header are counted for a cue.
        if losesLines, let first = entries.popFirst() {
            write(cues.cue(of: first, order: firstOrder), into: &output)
        }
        makeBlocks(of: entries, text: cues.text)
        if isStreaming {
            output += scratch.made
        } else {
            // At once, since growing would copy it again and again: pages that stay empty cost nothing.
            if held.isEmpty { held.reserveCapacity(cues.text.count + cues.text.count / 4) }
            held += scratch.made
            if held.count > heldAtMost { stopHolding(into: &output) }
        }
    }

    private mutating func makeBlocks(of entries: ArraySlice<PlainCues.Entry>, text: [UInt8]) {
        // A block has two times, an arrow and three ends of lines beside its words, of which an
        // escaped byte makes five.
        scratch.begin(size: entries.reduce(0) { $0 + $1.words.count * 5 + 60 })
        for entry in entries {
            scratch.put(Byte.lineFeed)
            scratch.putTimes(entry, separator: Byte.period)
            scratch.put(Byte.lineFeed)
            scratch.put(escapedWordsOf: entry, in: text)
            scratch.put(Byte.lineFeed)
        }
        cueCount += entries.count
    }
}

/// The lines of a cue block above its text.
enum WebVTTLine {
    /// An identifier that cannot be mistaken for a timing line; `nil` if there is none.
    static func identifier<Bytes: Sequence>(_ bytes: Bytes) -> [UInt8]?
    where Bytes.Element == UInt8 {
        var id: [UInt8] = []
        for byte in bytes {
            if byte == Byte.greater {
                // Two hyphens before it would make an arrow: one is left.
                while id.count > 1, id.last == Byte.hyphen, id[id.count - 2] == Byte.hyphen {
                    id.removeLast()
                }
            }
            id.append(byte < Byte.space ? Byte.space : byte)
        }
        return id.isEmpty ? nil : id
    }

    /// Appends `start --> end`, milliseconds.
    static func appendTimes(start: Int64, end: Int64, to output: inout [UInt8]) {
        output.appendClock(milliseconds: start, separator: Byte.period)
        output += " --> ".utf8
        output.appendClock(milliseconds: end, separator: Byte.period)
    }
}
