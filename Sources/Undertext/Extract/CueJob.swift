internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// A track whose packets are decoded to cues, and the cues written.
final class CueJob: TrackJob {
    /// The diagnostics of the decoder and the recognizer.
    private let found: DiagnosticSink
    private let sink: any CueSink
    /// The diagnostics of the sink.
    private let lost: DiagnosticSink
    private var recognizer: CueRecognizer?
    private let stripsStyling: Bool
    private let cancellation: Cancellation?
    /// The comments of the file, which no cue carries.
    private var lostComments = ConversionLosses()

    init(
        _ report: TrackReport, found: DiagnosticSink, sink: any CueSink, lost: DiagnosticSink,
        recognizer: CueRecognizer?, stripsStyling: Bool, cancellation: Cancellation?
    ) {
        self.found = found
        self.sink = sink
        self.lost = lost
        self.recognizer = recognizer
        self.stripsStyling = stripsStyling
        self.cancellation = cancellation
        super.init(report, isActive: true)
    }

    override func write(
        _ step: CueReader.Step, finishing cues: [Cue], _ reader: CueReader
    ) throws(UndertextError) {
        if case .packet(let packet) = step, !packet.sideData.isEmpty {
            noteComments(of: packet, before: cues.first)
            takeStyles(of: packet, reader)
        }
        try decoded(cues)
        guard case .plainCues(let plain, let firstOrder) = step, let first = plain.entries.first,
            let last = plain.entries.last
        else { return }
        try sink.write(plain, firstOrder: firstOrder)
        let end = plain.entries.reduce(last.end) { max($0, $1.end) }
        report.count(
            plain.entries.count, start: .milliseconds(first.start), end: .milliseconds(end))
    }

    override func finishOutputs(_ reader: CueReader) throws(UndertextError) -> [OutputRecord] {
        try decoded(reader.finish(stream.index))
        let rest = try recognizer?.finish() ?? []
        try put(rest)
        let records = try sink.finish(report)
        // Writers draw overlapping images once more.
        reader.reportBudget(of: stream.index)
        report.record(found.take())
        report.record(lost.take())
        report.losses = sink.losses.merged(with: lostComments)
        if sink.lateCues > 0 {
            report.record([
                Diagnostic(
                    .info, "late-cue",
                    "\(sink.lateCues) cues are written after later ones because they arrive too late in "
                        + "the input",
                    streamIndex: stream.index)
            ])
        }
        if report.charset == nil, stream.kind == .text, report.cues > 0 {
            // A packet with an invalid character is one whose bytes are not all UTF-8.
            let damaged = report.diagnosticCounts["invalid-utf8"] ?? 0
            let sound = Double(max(0, report.cues - damaged)) / Double(report.cues)
            report.charset = TextCharset(name: "utf-8", source: .valid, confidence: sound)
        }
        countWritten()
        return records
    }

    /// Makes the report count what is in the file, not what the writer got.
    private func countWritten() {
        guard let written = sink.writtenCues else { return }
        report.cues = written.cues
        guard written.merged > 0 else { return }
        report.record([
            Diagnostic(
                .info, "merged-cue",
                written.merged == 1
                    ? "a cue with the same times, position and text as another was not written again"
                    : "\(written.merged) cues with the same times, position and text as others were "
                        + "not written again",
                streamIndex: stream.index)
        ])
    }

    /// Counts the comments of a file, which no cue carries.
    private func noteComments(of packet: Packet, before cue: Cue?) {
        for _ in 0..<packet.commentCount {
            lostComments.record(
                .metadata, cue: cue?.order ?? report.cues,
                start: cue?.start ?? packet.start ?? .zero)
        }
    }

    override func abandonOutputs() { sink.abandon() }

    /// Passes styles and regions of a packet to the sink.
    private func takeStyles(of packet: Packet, _ reader: CueReader) {
        guard !stripsStyling, packet.sideData(.webVTTHeader) != nil,
            let header = reader.header(of: stream.index), !sink.update(header)
        else { return }
        report.record([.lateStyles(ofStream: stream.index, at: packet.start)])
    }

    private func decoded(_ cues: [Cue]) throws(UndertextError) {
        try passOnFound()
        if recognizer == nil { return try put(cues) }
        for cue in cues { try put(recognizer?.add(cue) ?? []) }
    }

    private func put(_ cues: [Cue]) throws(UndertextError) {
        if recognizer != nil { try passOnFound() }
        for cue in cues {
            // One packet may hold hundreds of images.
            try refuseIfCancelled(cancellation)
            try sink.write(stripsStyling ? cue.withoutStyling : cue)
            report.count(start: cue.start, end: cue.end)
        }
        report.record(lost.take())
    }

    private func passOnFound() throws(UndertextError) {
        let diagnostics = found.take()
        guard !diagnostics.isEmpty else { return }
        report.record(diagnostics)
        try sink.note(diagnostics)
    }
}

extension Diagnostic {
    /// Reports styles that arrived after the header was written.
    static func lateStyles(ofStream index: Int, at time: Timestamp?) -> Diagnostic {
        Diagnostic(
            .warning, "late-styles",
            "styles or regions come after the beginning of the output and are left out",
            streamIndex: index, time: time)
    }
}

/// The destination of the cues of one track.
protocol CueSink: AnyObject {
    /// The losses of conversion so far.
    var losses: ConversionLosses { get }
    /// Cues that follow later ones.
    var lateCues: Int { get }
    /// The numbers of cues written and of cues merged with an equal one; `nil` if every cue is written.
    var writtenCues: (cues: Int, merged: Int)? { get }
    /// Writes a cue.
    func write(_ cue: Cue) throws(UndertextError)
    /// Writes cues that begin after all earlier ones; `firstOrder` is the position of the first in the track.
    func write(_ cues: PlainCues, firstOrder: Int) throws(UndertextError)
    /// Adds styles and regions that were unknown at the beginning; returns `false` if it is too late.
    func update(_ header: SubtitleHeader) -> Bool
    /// Writes diagnostics, for formats that contain them.
    func note(_ diagnostics: [Diagnostic]) throws(UndertextError)
    /// Completes the outputs and returns their records; empty if there was no cue.
    func finish(_ report: TrackReport) throws(UndertextError) -> [OutputRecord]
    /// Removes unfinished output.
    func abandon()
}

extension CueSink {
    var lateCues: Int { 0 }

    var writtenCues: (cues: Int, merged: Int)? { nil }

    /// Writes the cues one at a time.
    func write(_ cues: PlainCues, firstOrder: Int) throws(UndertextError) {
        for (index, entry) in cues.entries.enumerated() {
            try write(cues.cue(of: entry, order: firstOrder + index))
        }
    }

    func update(_ header: SubtitleHeader) -> Bool { false }

    func note(_ diagnostics: [Diagnostic]) throws(UndertextError) {}
}
