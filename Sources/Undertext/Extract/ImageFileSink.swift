internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// The cues of a bitmap track as .sup, or as .idx and .sub.
final class ImageFileSink: CueSink {
    private var writer: any ImageCueWriter
    private let files: TrackFiles
    private let transform: ImageTransform
    /// Cues nearly always come by start; few are held, as each holds its pixels: eight full screens in high
    /// definition.
    private var order = CueOrder(capacity: 16, bytes: 1 << 24)
    private var buffers: [[UInt8]]
    private var lostColors = ConversionLosses()
    private var taken = 0
    private let cancellation: Cancellation?

    init(
        writer: any ImageCueWriter, files: TrackFiles, transform: ImageTransform,
        cancellation: Cancellation?
    ) {
        self.cancellation = cancellation
        self.writer = writer
        self.files = files
        self.transform = transform
        buffers = writer.fileExtensions.map { _ in [] }
    }

    var losses: ConversionLosses { lostColors.merged(with: writer.losses) }
    var lateCues: Int { order.late }
    var writtenCues: (cues: Int, merged: Int)? { (taken, 0) }

    func write(_ cue: Cue) throws(UndertextError) {
        guard case .images(let content) = cue.content else { return }
        let reduced = try transform.reduced(content)
        guard let (images, isExact) = reduced else { return }
        taken += 1
        if !isExact { lostColors.record(.color, in: cue) }
        var changed = cue
        changed.content = .images(images)
        try files.open()
        order.add(changed)
        while let next = order.due() { try put(next) }
    }

    func finish(_ report: TrackReport) throws(UndertextError) -> [OutputRecord] {
        guard files.isOpen else { return [] }
        while let cue = order.next() { try put(cue) }
        writer.finish(into: &buffers)
        guard writer.screenCount > 0 else {
            // An empty file would look like a success.
            abandon()
            return []
        }
        try files.write(&buffers)
        return try files.commit()
    }

    func abandon() { files.abandon() }

    private func put(_ cue: Cue) throws(UndertextError) {
        try refuseIfCancelled(cancellation)
        writer.write(cue, into: &buffers)
        try files.write(&buffers)
    }
}
