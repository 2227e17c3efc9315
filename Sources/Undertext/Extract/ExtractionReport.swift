public import UndertextCore

/// The result of extracting from one input.
public struct InputReport: Hashable, Sendable {
    /// The argument.
    package var input: String
    /// The outcome.
    package var outcome: InputOutcome = .complete
    /// `true` if all requested outputs were written completely.
    public var isComplete: Bool { outcome == .complete }
    /// The error that ended the extraction, if any.
    public var error: UndertextError?
    /// The container by FFmpeg's short name; `nil` if it was not recognized.
    package var container: String?
    /// The timeline of the cues and the offset subtracted from stored times.
    package var timeline: TimelineMapping?
    /// The read path and its statistics.
    package var io: ReadSummary?
    /// Its length in bytes, if known.
    package var inputSize: UInt64?
    /// Seconds of wall time.
    package var elapsed: Duration = .zero
    /// Its chosen tracks.
    public var tracks: [TrackReport] = []
    /// The fonts and covers that were written.
    package var attachments: [OutputRecord] = []
    /// Diagnostics that belong to no track.
    public var diagnostics: [Diagnostic] = []

    /// Creates an empty report for an input.
    package init(input: MediaInput) {
        self.input = withoutSecrets(input.argument)
    }
}

/// The result of extracting one track.
public struct TrackReport: Identifiable, Hashable, Sendable {
    /// The outcome.
    package enum Status: String, Hashable, Sendable {
        /// Outputs were written.
        case written
        /// The track has no cue; nothing was written.
        case empty
        /// It was left alone.
        case skipped
        /// It could not be written.
        case failed
    }

    /// The track.
    package var stream: StreamDescription
    /// The identifier of the track, ``SubtitleTrack/id``.
    public var id: Int { stream.index }
    /// The language of the track, or `nil` if undetermined.
    public var language: LanguageTag? { stream.language }
    /// The outcome.
    package var status: Status
    /// The reason why it was skipped or failed.
    public var reason: String?
    /// The remedy for the failure, if any.
    package var remedy: Remedy?
    /// `true` if the user selected this track by name, so that skipping it is a failure.
    package var wasNamed: Bool
    /// `true` if the track was skipped because its outputs exist and the options keep them.
    package var wasLeftOnRequest = false
    /// `true` if the track failed because the reader of standard output closed the pipe, which is not an error.
    package var readerLeft = false
    /// Cues written.
    public var cues = 0
    /// Start of the first cue.
    package var first: Timestamp?
    /// Latest end of a cue.
    package var last: Timestamp?
    /// The written outputs.
    public var outputs: [OutputRecord] = []
    /// The charset used to decode the text; `nil` for bitmaps.
    package var charset: TextCharset?
    /// The losses of conversion to the target format.
    public var losses = ConversionLosses()
    /// The first hundred diagnostics.
    public var diagnostics: [Diagnostic] = []
    /// The number of diagnostics by code.
    package var diagnosticCounts: [String: Int] = [:]
    /// The number of diagnostics by severity.
    package var severityCounts: [Diagnostic.Severity: Int] = [:]

    init(
        stream: StreamDescription, status: Status, reason: String? = nil, remedy: Remedy? = nil,
        wasNamed: Bool
    ) {
        self.stream = stream
        self.status = status
        self.reason = reason
        self.remedy = remedy
        self.wasNamed = wasNamed
    }

    /// Adds diagnostics, keeping the first hundred and counting all.
    mutating func record(_ new: [Diagnostic]) {
        for diagnostic in new {
            if diagnostics.count < 100 { diagnostics.append(diagnostic) }
            diagnosticCounts[diagnostic.code, default: 0] += 1
            severityCounts[diagnostic.severity, default: 0] += 1
        }
    }

    /// Counts written cues, and from when to when they are.
    mutating func count(_ number: Int = 1, start: Timestamp, end: Timestamp) {
        cues += number
        first = min(first ?? start, start)
        last = max(last ?? end, end)
    }

    /// `true` if input was lost.
    var lostInput: Bool { severityCounts[.error, default: 0] > 0 }
}

/// A file or folder that was written.
public struct OutputRecord: Hashable, Sendable {
    /// Its path as it was made.
    public var file: String
    /// The format's name.
    package var format: String
    /// Bytes written.
    public var bytes: UInt64

    /// Creates a record.
    package init(file: String, format: String, bytes: UInt64) {
        self.file = file
        self.format = format
        self.bytes = bytes
    }
}

/// The outcome of the extraction of an input.
package enum InputOutcome: String, Hashable, Sendable {
    /// All requested outputs were written completely.
    case complete
    /// No subtitle track matched, or none exists.
    case noTrack = "no-track"
    /// Input was lost; the rest was written.
    case incomplete
    /// There is not one output.
    case failed
}

extension InputReport {
    /// The outcome, from what became of the tracks.
    func outcome(isStrict: Bool) -> InputOutcome {
        if let error {
            if error.code == .noTrack { return .noTrack }
            return tracks.contains { $0.status == .written } ? .incomplete : .failed
        }
        let written = tracks.contains { $0.status == .written || $0.readerLeft }
        let failed = tracks.contains { $0.status == .failed && !$0.readerLeft }
        if failed, !written { return .failed }
        let isLeft = tracks.contains(where: \.wasLeftOnRequest)
        let isSkipped = tracks.contains { $0.status == .skipped && !$0.wasLeftOnRequest }
        if isSkipped, !written, !isLeft, attachments.isEmpty { return .failed }
        let lost =
            failed || tracks.contains(where: \.lostInput)
            || tracks.contains { $0.status == .skipped && $0.wasNamed }
            || diagnostics.contains { $0.severity == .error }
        if lost {
            let named = tracks.contains { $0.status == .skipped && $0.wasNamed }
            return written || named ? .incomplete : .failed
        }
        let blemished =
            tracks.contains { track in
                !track.losses.isEmpty || track.severityCounts[.warning, default: 0] > 0
                    || (track.status == .skipped && !track.wasLeftOnRequest)
            } || diagnostics.contains { $0.severity == .warning }
        return isStrict && blemished ? .incomplete : .complete
    }
}
