internal import UndertextFormats
internal import UndertextIO

/// Packets of a track decoded to cues, and the cues written somewhere.
final class CueOutput: PlainCueOutput {
    private var decoder: TrackDecoder
    private let sink: any CueSink
    private let window: TimeWindow
    private var finished: [Cue] = []
    private var recognizer: CueRecognizer?
    private let stripsStyling: Bool
    private let cancellation: Cancellation?
    /// What packets carry and cues do not.
    private var lostComments = ConversionLosses()

    init(
        decoder: TrackDecoder, sink: any CueSink, window: TimeWindow,
        recognizer: CueRecognizer? = nil, stripsStyling: Bool = false,
        cancellation: Cancellation? = nil
    ) {
        self.stripsStyling = stripsStyling
        self.cancellation = cancellation
        self.decoder = decoder
        self.sink = sink
        self.window = window
        self.recognizer = recognizer
    }

    func consume(_ packet: Packet, _ report: inout TrackReport) throws(UndertextError) {
        // Memory that is used again.
        var cues: [Cue] = []
        swap(&cues, &finished)
        defer {
            cues.removeAll(keepingCapacity: true)
            swap(&cues, &finished)
        }
        decoder.decode(packet, into: &cues)
        if !packet.sideData.isEmpty {
            noteComments(of: packet, before: cues.first, report)
            takeStyles(of: packet, &report)
        }
        try write(cues, &report)
    }

    /// `true` if nothing is to be done with cues but to write them.
    var takesPlainCues: Bool {
        !stripsStyling && recognizer == nil && window.isAll && decoder.takesPlainCues
    }

    func consume(_ cues: PlainCues, _ report: inout TrackReport) throws(UndertextError) {
        guard let first = cues.entries.first, let last = cues.entries.last else { return }
        try put(decoder.settle(before: .milliseconds(first.start)), &report)
        let order = decoder.countPlainCues(cues.entries.count)
        try sink.write(cues, firstOrder: order)
        let end = cues.entries.reduce(last.end) { max($0, $1.end) }
        report.count(
            cues.entries.count, start: .milliseconds(first.start), end: .milliseconds(end))
    }

    func finish(_ report: inout TrackReport) throws(UndertextError) -> [OutputRecord] {
        try write(decoder.finish(), &report)
        let rest = try recognizer?.finish() ?? []
        try put(rest, &report)
        let records = try sink.finish(report)
        // Writers draw what is shown together once more.
        report.record(decoder.takeDiagnostics())
        report.record(placed(sink.takeDiagnostics(), report))
        report.losses = sink.losses.merged(with: lostComments)
        if sink.lateCues > 0 {
            report.record([
                Diagnostic(
                    .info, "late-cue",
                    "\(sink.lateCues) cues stand behind later ones: they come so late in the input",
                    streamIndex: report.stream.index)
            ])
        }
        if report.charset == nil, report.stream.kind == .text, report.cues > 0 {
            // A packet with an invalid character is one whose bytes are not all UTF-8.
            let damaged = report.diagnosticCounts["invalid-utf8"] ?? 0
            let sound = Double(max(0, report.cues - damaged)) / Double(report.cues)
            report.charset = TextCharset(name: "utf-8", source: .valid, confidence: sound)
        }
        countWritten(&report)
        return records
    }

    /// Makes the report count what stands in the file, not what was handed to the writer.
    private func countWritten(_ report: inout TrackReport) {
        guard let written = sink.writtenCues else { return }
        report.cues = written.cues
        guard written.merged > 0 else { return }
        report.record([
            Diagnostic(
                .info, "merged-cue",
                written.merged == 1
                    ? "a cue equal to another in times, place and words was left out"
                    : "\(written.merged) cues equal to others in times, place and words were left "
                        + "out",
                streamIndex: report.stream.index)
        ])
    }

    /// Counts the comments of a file, which no cue carries.
    private func noteComments(of packet: Packet, before cue: Cue?, _ report: TrackReport) {
        for _ in 0..<packet.commentCount {
            lostComments.record(
                .metadata, cue: cue?.order ?? report.cues,
                start: cue?.start ?? packet.start ?? .zero)
        }
    }

    func abandon() { sink.abandon() }

    /// Hands on styles and regions that came with a packet.
    private func takeStyles(of packet: Packet, _ report: inout TrackReport) {
        guard !stripsStyling, packet.sideData(.webVTTHeader) != nil, !sink.update(decoder.header)
        else { return }
        report.record([.lateStyles(ofStream: report.stream.index, at: packet.start)])
    }

    private func write(_ cues: [Cue], _ report: inout TrackReport) throws(UndertextError) {
        let diagnostics = decoder.takeDiagnostics()
        if !diagnostics.isEmpty {
            report.record(diagnostics)
            try sink.note(diagnostics)
        }
        if recognizer == nil, window.isAll { return try put(cues, &report) }
        for cue in cues where window.overlaps(from: cue.start, until: cue.end) {
            try put(recognizer?.add(cue) ?? [cue], &report)
        }
    }

    private func put(_ cues: [Cue], _ report: inout TrackReport) throws(UndertextError) {
        if recognizer != nil {
            let diagnostics = placed(recognizer?.takeDiagnostics() ?? [], report)
            report.record(diagnostics)
            try sink.note(diagnostics)
        }
        for cue in cues {
            // One packet may hold hundreds of images.
            try refuseIfCancelled(cancellation)
            try sink.write(stripsStyling ? cue.withoutStyling : cue)
            report.count(start: cue.start, end: cue.end)
        }
        report.record(placed(sink.takeDiagnostics(), report))
    }

    private func placed(_ diagnostics: [Diagnostic], _ report: TrackReport) -> [Diagnostic] {
        diagnostics.map { diagnostic in
            var placed = diagnostic
            placed.streamIndex = report.stream.index
            return placed
        }
    }
}

extension Diagnostic {
    /// Styles that came after those that were written already.
    static func lateStyles(ofStream index: Int, at time: Timestamp?) -> Diagnostic {
        Diagnostic(
            .warning, "late-styles",
            "styles or regions come after the beginning of the output and are left out",
            streamIndex: index, time: time)
    }
}

/// Where the cues of one track go.
protocol CueSink: AnyObject {
    /// What the format could not carry so far.
    var losses: ConversionLosses { get }
    /// Cues that stand behind later ones.
    var lateCues: Int { get }
    /// How many cues were written, and how many were left out since an equal one was written;
    /// `nil` where every cue is written.
    var writtenCues: (cues: Int, merged: Int)? { get }
    /// Takes a cue.
    func write(_ cue: Cue) throws(UndertextError)
    /// Takes cues that begin after all others that came, the first at that position of the track.
    func write(_ cues: PlainCues, firstOrder: Int) throws(UndertextError)
    /// Takes the header with styles and regions that were not known at the beginning; `false` where they come
    /// too late.
    func update(_ header: SubtitleHeader) -> Bool
    /// Takes diagnostics, for formats that carry them.
    func note(_ diagnostics: [Diagnostic]) throws(UndertextError)
    /// What was lost on the way since the last call.
    func takeDiagnostics() -> [Diagnostic]
    /// Puts the outputs in place and tells what they are; none if there was no cue.
    func finish(_ report: TrackReport) throws(UndertextError) -> [OutputRecord]
    /// Removes what was begun.
    func abandon()
}

extension CueSink {
    var lateCues: Int { 0 }

    var writtenCues: (cues: Int, merged: Int)? { nil }

    /// Takes them one by one.
    func write(_ cues: PlainCues, firstOrder: Int) throws(UndertextError) {
        for (index, entry) in cues.entries.enumerated() {
            try write(cues.cue(of: entry, order: firstOrder + index))
        }
    }

    func update(_ header: SubtitleHeader) -> Bool { false }

    func note(_ diagnostics: [Diagnostic]) throws(UndertextError) {}

    func takeDiagnostics() -> [Diagnostic] { [] }
}
