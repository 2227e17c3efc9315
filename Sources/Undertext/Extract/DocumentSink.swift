internal import SubtitleFormats
internal import SystemIO

/// The cues of a track as one text file.
///
/// Files list cues by start; standard output gets each cue as soon as it is finished.
final class DocumentSink: CueSink {
    private var writer: any CueWriter
    private let format: OutputFormat
    private let isStreaming: Bool
    private let targets: OutputTargets
    private var file: OutputTarget?
    private var order = CueOrder()
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
    var lateCues: Int { order.late }
    var writtenCues: (cues: Int, merged: Int)? { (writer.cueCount, writer.mergedCount) }

    func write(_ cue: Cue) throws(OutputError) {
        guard let cue = isStreaming ? cue : order.add(cue) else { return }
        try put(cue)
        try drain()
    }

    func finish(_ report: TrackReport) throws(OutputError) -> [OutputRecord] {
        while let cue = order.next() { try put(cue) }
        guard let file else { return [] }
        writer.finish(into: &buffer)
        try drain()
        return try targets.commit([file], format: format)
    }

    func abandon() { file?.abandon() }

    private func put(_ cue: Cue) throws(OutputError) {
        if file == nil { try begin() }
        writer.write(cue, into: &buffer)
    }

    private func begin() throws(OutputError) {
        file = try targets.openFirst()
        writer.begin(into: &buffer)
    }

    private func drain() throws(OutputError) {
        guard !buffer.isEmpty else { return }
        try file?.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
