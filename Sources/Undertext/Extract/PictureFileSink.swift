internal import SubtitleFormats
internal import SystemIO

/// The cues of a bitmap track as .sup, or as .idx and .sub.
final class PictureFileSink: CueSink {
    private var writer: any PictureCueWriter
    private let format: OutputFormat
    private let targets: OutputTargets
    private let transform: PictureTransform
    /// Cues nearly always come by start; few are held, as each holds its pixels.
    private var order = CueOrder(capacity: 16)
    private var files: [OutputTarget]?
    private var buffers: [[UInt8]]
    private var reduced = LossLedger()

    init(
        writer: any PictureCueWriter, format: OutputFormat, targets: OutputTargets,
        transform: PictureTransform
    ) {
        self.writer = writer
        self.format = format
        self.targets = targets
        self.transform = transform
        buffers = writer.fileExtensions.map { _ in [] }
    }

    var losses: LossLedger { reduced.merged(with: writer.losses) }
    var lateCues: Int { order.late }

    func write(_ cue: Cue) throws(OutputError) {
        guard case .pictures(let content) = cue.content else { return }
        let (pictures, isExact) = try attempt { () throws(MediaError) in
            try transform.reduced(content)
        }
        if !isExact { reduced.record(.colour, in: cue) }
        var changed = cue
        changed.content = .pictures(pictures)
        if files == nil { files = try targets.open() }
        if let next = order.add(changed) { writer.write(next, into: &buffers) }
        try drain()
    }

    func finish(_ report: TrackReport) throws(OutputError) -> [OutputRecord] {
        guard let files else { return [] }
        while let cue = order.next() {
            writer.write(cue, into: &buffers)
            try drain()
        }
        writer.finish(into: &buffers)
        try drain()
        return try targets.commit(files, format: format)
    }

    func abandon() { for file in files ?? [] { file.abandon() } }

    private func drain() throws(OutputError) {
        guard let files else { return }
        for (index, file) in files.enumerated() where !buffers[index].isEmpty {
            try file.write(buffers[index])
            buffers[index].removeAll(keepingCapacity: true)
        }
    }
}
