internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// The cues of a track as one text file.
///
/// Files list cues by start; standard output gets each cue as soon as it is finished.
final class DocumentSink: CueSink {
    private var writer: any CueWriter
    private let makeWriter: (SubtitleHeader) -> (any CueWriter)?
    /// A header that the writer does not know.
    private var newHeader: SubtitleHeader?
    private let isStreaming: Bool
    private let files: TrackFiles
    private var hasBegun = false
    private var order = CueOrder()
    private var buffer: [UInt8] = []

    /// Creates a sink; `nil` if there is no writer.
    ///
    /// - Parameters:
    ///   - header: the properties of the track that are known before its first cue.
    ///   - makeWriter: creates a writer for a header.
    ///   - isStreaming: `true` to write each cue immediately.
    ///   - files: the output.
    init?(
        _ header: SubtitleHeader, makeWriter: @escaping (SubtitleHeader) -> (any CueWriter)?,
        isStreaming: Bool, files: TrackFiles
    ) {
        guard let writer = makeWriter(header) else { return nil }
        self.writer = writer
        self.makeWriter = makeWriter
        self.isStreaming = isStreaming
        self.files = files
    }

    var losses: ConversionLosses { writer.losses }
    var lateCues: Int { order.late }
    var writtenCues: (cues: Int, merged: Int)? { (writer.cueCount, writer.mergedCount) }

    func write(_ cue: Cue) throws(UndertextError) {
        if isStreaming {
            put(cue)
        } else {
            order.add(cue)
            while let cue = order.due() { put(cue) }
        }
        try drain()
    }

    func write(_ cues: PlainCues, firstOrder: Int) throws(UndertextError) {
        while let cue = order.next() { put(cue) }
        begin()
        writer.write(cues, firstOrder: firstOrder, into: &buffer)
        try drain()
    }

    func update(_ header: SubtitleHeader) -> Bool {
        // A writer that holds cues back gets the header at the end only, since it may change often.
        guard !hasBegun || writer.takesLateStyles else { return false }
        newHeader = header
        return true
    }

    func finish(_ report: TrackReport) throws(UndertextError) -> [OutputRecord] {
        while let cue = order.next() { put(cue) }
        if let newHeader { writer.update(newHeader) }
        guard writer.cueCount > 0 else { return [] }
        writer.finish(into: &buffer)
        try drain()
        return try files.commit()
    }

    func abandon() { files.abandon() }

    private func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        if let header = newHeader.take() { writer = makeWriter(header) ?? writer }
        writer.begin(into: &buffer)
    }

    private func put(_ cue: Cue) {
        begin()
        writer.write(cue, into: &buffer)
    }

    /// Hands on what was written.
    ///
    /// A track of which the format can show nothing makes no file, so nothing is opened before the
    /// first cue is written.
    private func drain() throws(UndertextError) {
        if writer.cueCount > 0 { try files.write(&buffer) }
    }
}
