package import UndertextCore

/// Writes cues as JSON: text tracks, and the index of image folders.
///
/// Order of lines: track, regions and styles, cues, summary; diagnostics anywhere. A document has the same
/// records in the members `track`, `regions`, `styles`, `cues`, `diagnostics` and `summary`, one per line.
/// Every event is kept, including equal and empty ones.
///
/// `payload` is the cue text itself if the cue comes from WebVTT, otherwise the text that ``WebVTTWriter``
/// would write. Style records precede the cues, but the needed classes are known only after the last cue: text
/// cues are held back until ``finish(into:)``, or until they take 64 MiB. With `streaming`, each cue is written
/// immediately, after the rules of all default classes, and as with ``WebVTTWriter`` other colors are a loss.
/// Image cues need no style and are written immediately.
package struct JSONCueWriter: CueWriter {
    /// The form of the records.
    package enum Form: Hashable, Sendable {
        /// One JSON document.
        case document
        /// One record a line (JSON Lines).
        case lines
    }

    /// The losses of WebVTT's cue text so far.
    package private(set) var losses = ConversionLosses()
    /// Number of cues written so far.
    package private(set) var cueCount = 0
    private let form: Form
    private let track: JSONCueTrack
    private var header: SubtitleHeader
    private let holdsText: Bool
    private let sources: SourceLosses
    private var colors: WebVTTColors
    private var held: [UInt8] = []
    /// Diagnostics of a document, which follow its cues.
    private var diagnostics: [JSON] = []
    private var wroteHeader = false

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - track: the track that the cues belong to.
    ///   - header: style sheets and regions.
    ///   - form: a document or lines.
    ///   - streaming: `true` to write each cue immediately.
    package init(
        track: JSONCueTrack, header: SubtitleHeader = SubtitleHeader(), form: Form = .document,
        streaming: Bool = false
    ) {
        self.form = form
        self.track = track
        self.header = header
        sources = SourceLosses([.forcedCues, .karaoke], header: header)
        holdsText = !streaming
        colors = WebVTTColors(allowsRules: holdsText, styleSheets: header.styleSheets)
    }

    /// `true` if regions and styles are not written yet, and will not be with the next cue of text.
    package var takesLateStyles: Bool { holdsText && !wroteHeader }

    /// Adds style sheets and regions that the reader found after the beginning.
    package mutating func update(_ header: SubtitleHeader) {
        guard takesLateStyles else { return }
        self.header.styleSheets = header.styleSheets
        self.header.regions = header.regions
        colors.update(styleSheets: header.styleSheets)
    }

    /// Writes the track; regions and styles follow with the first cue.
    package mutating func begin(into output: inout [UInt8]) {
        let record = JSONCueRecord.track(track)
        switch form {
        case .lines: append(record, to: &output)
        case .document:
            output += "{\n\"track\":".utf8
            output += record.compact
            output += ",\n".utf8
        }
    }

    /// Writes a cue of text, or holds it back.
    ///
    /// Images come without images here: use ``write(_:images:into:)``.
    package mutating func write(_ cue: Cue, into output: inout [UInt8]) {
        if case .images = cue.content {
            write(cue, images: [], into: &output)
            return
        }
        let payload: String
        if case .webVTT(let stored) = cue.source {
            payload = stored
            colors.use(classesIn: stored.utf8)
        } else {
            let text = WebVTTCueEncoder(cue, colors: &colors)
            losses.record(text.losses, of: cue, sources: sources)
            payload = String(decoding: text.bytes, as: UTF8.self)
        }
        let record = JSONCueRecord.cue(cue, track: track.index, payload: payload)
        let bytes = take(record)
        if holdsText, !wroteHeader {
            held += bytes
            if held.count > heldAtMost {
                colors.close()
                appendHeld(to: &output)
            }
        } else {
            if !wroteHeader { appendHeader(rules: colors.rules, to: &output) }
            output += bytes
        }
    }

    /// Writes regions, styles and what is held back; each further cue is written at once.
    private mutating func appendHeld(to output: inout [UInt8]) {
        appendHeader(rules: held.isEmpty ? [] : colors.rules, to: &output)
        output += held
        held = []
    }

    /// Writes a cue of images with its images, in drawing order.
    package mutating func write(
        _ cue: Cue, images: [JSONCueImage], into output: inout [UInt8]
    ) {
        // Images have no classes.
        if held.isEmpty { appendHeader(rules: [], to: &output) }
        let record = JSONCueRecord.cue(cue, track: track.index, images: images)
        let bytes = take(record)
        if held.isEmpty {
            output += bytes
        } else {
            held += bytes
        }
    }

    /// Writes a diagnostic: a line at once, one of a document after its cues.
    package mutating func write(_ diagnostic: Diagnostic, into output: inout [UInt8]) {
        let record = JSONCueRecord.diagnostic(diagnostic)
        switch form {
        case .lines: append(record, to: &output)
        case .document: diagnostics.append(record)
        }
    }

    /// Writes regions, styles and cues that were held back; the summary of a document is `null`.
    package mutating func finish(into output: inout [UInt8]) { finish(nil, into: &output) }

    /// Writes what was held back, and what is known of the whole job, which is the last record.
    package mutating func finish(_ summary: JSONCueSummary?, into output: inout [UInt8]) {
        appendHeld(to: &output)
        let record = summary.map(JSONCueRecord.summary)
        switch form {
        case .lines:
            if let record { append(record, to: &output) }
        case .document:
            if cueCount > 0 { output.append(Byte.lineFeed) }
            output += "],\n".utf8
            appendList("diagnostics", diagnostics, to: &output)
            output += "\"summary\":".utf8
            output += (record ?? .null).compact
            output += "\n}\n".utf8
        }
    }

    private mutating func appendHeader(rules: [String], to output: inout [UInt8]) {
        guard !wroteHeader else { return }
        wroteHeader = true
        let regions = header.regions.map(JSONCueRecord.region)
        let styles = (rules + header.styleSheets).map(JSONCueRecord.style)
        switch form {
        case .lines:
            for record in regions + styles { append(record, to: &output) }
        case .document:
            appendList("regions", regions, to: &output)
            appendList("styles", styles, to: &output)
            output += "\"cues\":[\n".utf8
        }
    }

    /// Counts a cue; its bytes, with what separates it from the others.
    private mutating func take(_ record: JSON) -> [UInt8] {
        cueCount += 1
        switch form {
        case .lines: return record.compact + [Byte.lineFeed]
        case .document: return Array((cueCount > 1 ? ",\n" : "").utf8) + record.compact
        }
    }
}

/// Appends a member of a document that is a list, a record a line.
private func appendList(_ name: String, _ records: [JSON], to output: inout [UInt8]) {
    output += "\"\(name)\":[".utf8
    for (index, record) in records.enumerated() {
        output += (index > 0 ? ",\n" : "\n").utf8
        output += record.compact
    }
    output += (records.isEmpty ? "],\n" : "\n],\n").utf8
}

private func append(_ record: JSON, to output: inout [UInt8]) {
    output += record.compact
    output.append(Byte.lineFeed)
}
