internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO
internal import UndertextPNG

/// The cues of a track as JSON, a document or lines, to a file or to standard output.
final class JSONSink: CueSink {
    private var writer: JSONCueWriter
    private let format: SubtitleFormat
    private let stream: StreamDescription
    private var header: SubtitleHeader
    private let files: TrackFiles
    private let facts: RunSummary
    private let transform: ImageTransform
    /// `true` if each cue is written as soon as it is finished.
    private let isStreaming: Bool
    private var order = CueOrder()
    private var buffer: [UInt8] = []

    init(
        stream: StreamDescription, format: SubtitleFormat, header: SubtitleHeader,
        files: TrackFiles, facts: RunSummary, transform: ImageTransform, isStreaming: Bool
    ) {
        self.format = format
        self.transform = transform
        self.stream = stream
        self.header = header
        self.files = files
        self.facts = facts
        self.isStreaming = isStreaming
        writer = Self.writer(stream, format, header, canvas: nil, isStreaming: isStreaming)
    }

    var losses: ConversionLosses { writer.losses }
    var lateCues: Int { order.late }
    var writtenCues: (cues: Int, merged: Int)? { (writer.cueCount, 0) }

    private static func writer(
        _ stream: StreamDescription, _ format: SubtitleFormat, _ header: SubtitleHeader,
        canvas: PixelSize?, isStreaming: Bool
    ) -> JSONCueWriter {
        JSONCueWriter(
            track: JSONCueTrack(stream, canvas: canvas ?? header.canvas), header: header,
            form: format == .json ? .document : .lines, streaming: isStreaming)
    }

    func write(_ cue: Cue) throws(UndertextError) {
        guard isStreaming else {
            order.add(cue)
            while let cue = order.due() {
                try begin()
                try append(cue)
            }
            return
        }
        if !files.isOpen, case .images(let content) = cue.content {
            // For PGS and DVB, only the images contain the canvas size.
            let shown = transform.canvas(of: content)
            writer = Self.writer(stream, format, header, canvas: shown, isStreaming: true)
        }
        try begin()
        try append(cue)
    }

    func update(_ header: SubtitleHeader) -> Bool {
        guard writer.takesLateStyles else { return false }
        self.header = header
        return true
    }

    func note(_ diagnostics: [Diagnostic]) throws(UndertextError) {
        guard isStreaming, !diagnostics.isEmpty else { return }
        try begin()
        for diagnostic in diagnostics { writer.write(diagnostic, into: &buffer) }
        try files.write(&buffer)
    }

    func finish(_ report: TrackReport) throws(UndertextError) -> [OutputRecord] {
        while let cue = order.next() {
            try begin()
            try append(cue)
        }
        guard files.isOpen else { return [] }
        if !isStreaming {
            for diagnostic in report.diagnostics { writer.write(diagnostic, into: &buffer) }
            writer.update(header)
        }
        // Standard output may carry several tracks; its summary comes after the last of them.
        let summary = files.standardOutput == nil ? JSONCueSummary(report, facts) : nil
        writer.finish(summary, into: &buffer)
        try files.write(&buffer)
        return try files.commit()
    }

    func abandon() { files.abandon() }

    private func begin() throws(UndertextError) {
        guard !files.isOpen else { return }
        try files.open()
        writer.begin(into: &buffer)
    }

    private func append(_ cue: Cue) throws(UndertextError) {
        if case .images(let content) = cue.content {
            var records: [JSONCueImage] = []
            let applied = try transform.applied(to: content)
            guard let images = applied?.images else { return }
            for image in images {
                records.append(
                    JSONCueImage(.png(try ImageEncoder.png(image)), of: image))
            }
            writer.write(cue, images: records, into: &buffer)
        } else {
            writer.write(cue, into: &buffer)
        }
        try files.write(&buffer)
    }
}

extension JSONCueSummary {
    /// The summary of a file that holds one track.
    init(_ report: TrackReport, _ facts: RunSummary) {
        self.init(
            cues: report.cues, path: facts.summary?.path.rawValue ?? "",
            bytesRead: facts.summary?.statistics.bytesRead ?? 0,
            partial: report.lostInput || facts.isPartial)
    }
}

/// The facts about the entire run that end a JSON output; known when the reading has ended.
final class RunSummary {
    /// The read path and its statistics.
    var summary: ReadSummary?
    /// `true` if input was lost outside the tracks.
    var isPartial = false
}
