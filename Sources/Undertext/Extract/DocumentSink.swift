internal import SubtitleFormats
internal import SystemIO

/// The cues of a track as one text file.
///
/// Files list cues by start, so they are kept until all are known; standard output gets each cue
/// as soon as it is finished.
final class DocumentSink: CueSink {
    private var writer: any CueWriter
    private let format: OutputFormat
    private let isStreaming: Bool
    private let targets: OutputTargets
    private var file: OutputTarget?
    private var cues: [Cue] = []
    private var buffer: [UInt8] = []

    init(
        writer: any CueWriter, format: OutputFormat, isStreaming: Bool,
        targets: OutputTargets
    ) {
        self.writer = writer
        self.format = format
        self.isStreaming = isStreaming
        self.targets = targets
    }

    var losses: LossLedger { writer.losses }

    func write(_ cue: Cue) throws(OutputError) {
        guard isStreaming else {
            cues.append(cue)
            return
        }
        if file == nil { try begin() }
        writer.write(cue, into: &buffer)
        try drain()
    }

    func finish(_ report: TrackReport) throws(OutputError) -> [OutputRecord] {
        if !isStreaming, !cues.isEmpty {
            try begin()
            for cue in cues.sorted(by: { ($0.start, $0.order) < ($1.start, $1.order) }) {
                writer.write(cue, into: &buffer)
            }
        }
        guard let file else { return [] }
        writer.finish(into: &buffer)
        try drain()
        return try targets.commit([file], format: format)
    }

    func abandon() { file?.abandon() }

    private func begin() throws(OutputError) {
        file = try targets.openFirst()
        writer.begin(into: &buffer)
    }

    private func drain() throws(OutputError) {
        try file?.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
