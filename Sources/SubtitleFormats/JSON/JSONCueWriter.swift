public import CueModel
public import MediaCore

/// Writes cues as JSON, one object a line: tracks of text, and the index of picture folders.
///
/// Order: track, regions and styles, cues, summary; diagnostics anywhere. Every event is kept,
/// also equal and empty ones.
///
/// `payload` is the cue text itself where the cue came from WebVTT, else what ``WebVTTWriter``
/// would write. Style records precede the cues, yet which classes need one is known only after
/// the last cue. So cues of text are held back until ``finish(into:)``, unless `streaming` is set:
/// then each cue is written at once, after the rules of all default classes, and as with
/// ``WebVTTWriter`` any other color is a loss.
/// Cues of pictures need no style and are written at once.
public struct JSONCueWriter: CueWriter {
    /// What WebVTT's cue text could not carry so far.
    public private(set) var losses = LossLedger()
    /// Number of cues written so far.
    public private(set) var cueCount = 0
    private let track: JSONCueTrack
    private let header: SubtitleHeader
    private let holdsText: Bool
    private let sources: SourceLosses
    private var colors: WebVTTColors
    private var held: [UInt8] = []
    private var wroteHeader = false

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - track: the track that the cues belong to.
    ///   - header: style sheets and regions.
    ///   - streaming: whether each cue is to be written at once.
    public init(
        track: JSONCueTrack, header: SubtitleHeader = SubtitleHeader(), streaming: Bool = false
    ) {
        self.track = track
        self.header = header
        sources = SourceLosses(.json, header: header)
        holdsText = !streaming
        colors = WebVTTColors(allowsRules: holdsText, styleSheets: header.styleSheets)
    }

    /// Writes the track; regions and styles follow with the first cue.
    public mutating func begin(into output: inout [UInt8]) {
        append(JSONCueRecord.track(track), to: &output)
    }

    /// Writes a cue of text, or holds it back.
    ///
    /// Pictures come without images here: use ``write(_:images:into:)``.
    public mutating func write(_ cue: Cue, into output: inout [UInt8]) {
        if case .pictures = cue.content {
            write(cue, images: [], into: &output)
            return
        }
        cueCount += 1
        let payload: String
        if case .webVTT(let stored) = cue.source {
            payload = stored
            colors.use(classesIn: stored.utf8)
        } else {
            let text = WebVTTComposedText(cue, colors: &colors)
            losses.record(text.losses, of: cue, sources: sources)
            payload = String(decoding: text.bytes, as: UTF8.self)
        }
        let record = JSONCueRecord.cue(cue, track: track.index, payload: payload)
        if holdsText, !wroteHeader {
            append(record, to: &held)
        } else {
            if !wroteHeader { appendHeader(rules: colors.rules, to: &output) }
            append(record, to: &output)
        }
    }

    /// Writes a cue of pictures with its images, in drawing order.
    public mutating func write(
        _ cue: Cue, images: [JSONCueImage], into output: inout [UInt8]
    ) {
        // Pictures have no classes.
        if held.isEmpty { appendHeader(rules: [], to: &output) }
        cueCount += 1
        let record = JSONCueRecord.cue(cue, track: track.index, images: images)
        if held.isEmpty {
            append(record, to: &output)
        } else {
            append(record, to: &held)
        }
    }

    /// Writes a diagnostic at once.
    public mutating func write(_ diagnostic: Diagnostic, into output: inout [UInt8]) {
        append(JSONCueRecord.diagnostic(diagnostic), to: &output)
    }

    /// Writes regions, styles and cues that were held back.
    ///
    /// The summary is a call of its own, as it tells of the whole job.
    public mutating func finish(into output: inout [UInt8]) {
        appendHeader(rules: held.isEmpty ? [] : colors.rules, to: &output)
        output += held
        held = []
    }

    /// Writes the summary, which must be the last record.
    public mutating func write(_ summary: JSONCueSummary, into output: inout [UInt8]) {
        append(JSONCueRecord.summary(summary), to: &output)
    }

    private mutating func appendHeader(rules: [String], to output: inout [UInt8]) {
        guard !wroteHeader else { return }
        wroteHeader = true
        for region in header.regions { append(JSONCueRecord.region(region), to: &output) }
        for css in rules + header.styleSheets {
            append(JSONCueRecord.style(css), to: &output)
        }
    }
}

private func append(_ record: JSON, to output: inout [UInt8]) {
    output += record.compact
    output.append(Byte.lineFeed)
}
