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
    private var hasBegun = false
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
        put(cue)
        try drain()
    }

    func write(_ cues: PlainCues, firstOrder: Int) throws(OutputError) {
        while let cue = order.next() { put(cue) }
        begin()
        writer.write(cues, firstOrder: firstOrder, into: &buffer)
        try drain()
    }

    func finish(_ report: TrackReport) throws(OutputError) -> [OutputRecord] {
        while let cue = order.next() { put(cue) }
        guard writer.cueCount > 0 else { return [] }
        writer.finish(into: &buffer)
        try drain()
        guard let file else { return [] }
        return try targets.commit([file], format: format)
    }

    func abandon() { file?.abandon() }

    private func begin() {
        if !hasBegun { writer.begin(into: &buffer) }
        hasBegun = true
    }

    private func put(_ cue: Cue) {
        begin()
        writer.write(cue, into: &buffer)
    }

    /// Hands on what was written.
    ///
    /// A track of which the format can show nothing makes no file, so nothing is opened before the
    /// first cue is written.
    private func drain() throws(OutputError) {
        guard writer.cueCount > 0, !buffer.isEmpty else { return }
        if file == nil { file = try targets.openFirst() }
        try file?.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
