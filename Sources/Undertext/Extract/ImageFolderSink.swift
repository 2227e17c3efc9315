internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO
internal import UndertextPNG

/// Writes the cues of a bitmap track as a folder of PNG images with `index.json`, `index.xml` (BDN XML) and the
/// review page `index.html`.
final class ImageFolderSink: CueSink {
    private let stream: StreamDescription
    private let format: SubtitleFormat
    private let files: TrackFiles
    private let facts: RunSummary
    private let transform: ImageTransform
    private let frameRate: FrameRate?
    private let joinsImages: Bool
    private var canvas: PixelSize?
    private var folder: OutputFolder?
    /// The lines of the indices, which are written at the end: cues without their pixels, which are on disk by then.
    private var entries: [(cue: Cue, images: [JSONCueImage])] = []
    /// Images with more pixels are compressed one after another.
    private static let sharedPixelsAtMost = 1 << 24
    /// Small images go to another thread together, as waking it takes longer than compressing one.
    private static let batchedPixels = 1 << 18
    private static let batchedImages = 64
    private var batch: [(name: String, image: ImageTransform.Image)] = []
    private var batchPixels = 0
    /// Compressing takes most of the time.
    private let encoders = OrderedWorkers {
        (batch: [(name: String, image: ImageTransform.Image)]) in
        batch.map { EncodedImage($0.name, $0.image) }
    }

    init(
        stream: StreamDescription, header: SubtitleHeader, format: SubtitleFormat,
        files: TrackFiles, facts: RunSummary, images: ImageSettings
    ) {
        self.stream = stream
        self.format = format
        self.files = files
        self.facts = facts
        transform = images.transform
        frameRate = images.frameRate
        joinsImages = images.options.joinsImages
        canvas = images.options.scale ?? header.canvas
    }

    var losses: ConversionLosses { ConversionLosses() }
    var writtenCues: (cues: Int, merged: Int)? { (entries.count, 0) }

    func write(_ cue: Cue) throws(UndertextError) {
        guard case .images(let content) = cue.content else { return }
        let applied = try transform.applied(to: content, joining: joinsImages)
        // The budget of the track reports this.
        guard let (shown, images) = applied else { return }
        let folder = try opened()
        canvas = canvas ?? shown
        let number = String(entries.count + 1)
        let padded = String(repeating: "0", count: max(0, 4 - number.utf8.count)) + number
        var records: [JSONCueImage] = []
        for (index, image) in images.enumerated() {
            let name = index == 0 ? "\(padded).png" : "\(padded)-\(index + 1).png"
            // A huge image alone: several at once would take gigabytes.
            let isHuge = image.pixelCount > Self.sharedPixelsAtMost
            if isHuge { try finishBatches(to: folder) }
            batch.append((name, image))
            batchPixels += image.pixelCount
            if batchPixels >= Self.batchedPixels || batch.count >= Self.batchedImages {
                try encodeBatch(to: folder)
            }
            if isHuge { try finishBatches(to: folder) }
            records.append(JSONCueImage(.file(name), of: image))
        }
        var entry = Cue(
            identifier: cue.identifier, order: cue.order, start: cue.start, end: cue.end,
            endSource: cue.endSource, isForced: cue.isForced,
            content: .images(CueImages(canvas: shown, images: [])))
        entry.recognition = cue.recognition
        entries.append((entry, records))
    }

    func finish(_ report: TrackReport) throws(UndertextError) -> [OutputRecord] {
        guard let folder, let path = files.paths.first else { return [] }
        try finishBatches(to: folder)
        entries.sort { ($0.cue.start, $0.cue.order) < ($1.cue.start, $1.cue.order) }
        let title = PathName.stem(path)
        try writeXML(title, to: folder)
        try writePage(title, to: folder)
        try writeIndex(report, to: folder)
        if files.replacing {
            try folder.commit(replacingListed: try ImageIndex.ownNames(in: path))
        } else {
            try folder.commit()
        }
        return [OutputRecord(file: path, format: format.name, bytes: folder.bytesWritten)]
    }

    func abandon() { folder?.abort() }

    private func writeXML(_ title: String, to folder: OutputFolder) throws(UndertextError) {
        var xml = BDNWriter(
            title: title, language: stream.language,
            frameRate: frameRate ?? FrameRate(canvas: canvas))
        for entry in entries { xml.count(entry.cue, images: entry.images) }
        let file = try folder.file(named: ImageIndex.xmlName)
        try file.write(xml.head(canvas: canvas))
        for entry in entries { try file.write(xml.events(of: entry.cue, images: entry.images)) }
        try file.write(BDNWriter.tail)
        try folder.finish(file)
    }

    private func writePage(_ title: String, to folder: OutputFolder) throws(UndertextError) {
        var page = ImagePage(title: title, track: JSONCueTrack(stream, canvas: canvas))
        for entry in entries { page.count(entry.cue) }
        let file = try folder.file(named: ImageIndex.pageName)
        try file.write(page.head())
        for (index, entry) in entries.enumerated() {
            try file.write(page.article(index + 1, of: entry.cue, images: entry.images))
        }
        try file.write(ImagePage.tail)
        try folder.finish(file)
    }

    private func writeIndex(
        _ report: TrackReport, to folder: OutputFolder
    ) throws(UndertextError) {
        var writer = JSONCueWriter(track: JSONCueTrack(stream, canvas: canvas))
        let file = try folder.file(named: ImageIndex.name)
        var buffer: [UInt8] = []
        writer.begin(into: &buffer)
        for entry in entries {
            writer.write(entry.cue, images: entry.images, into: &buffer)
            try file.write(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
        for diagnostic in report.diagnostics { writer.write(diagnostic, into: &buffer) }
        writer.finish(JSONCueSummary(report, facts), into: &buffer)
        try file.write(buffer)
        try folder.finish(file)
    }

    private func encodeBatch(to folder: OutputFolder) throws(UndertextError) {
        let full = batch
        (batch, batchPixels) = ([], 0)
        try write(encoders.add(full), to: folder)
    }

    private func finishBatches(to folder: OutputFolder) throws(UndertextError) {
        if !batch.isEmpty { try encodeBatch(to: folder) }
        try write(encoders.finish(), to: folder)
    }

    private func write(
        _ batches: [[EncodedImage]], to folder: OutputFolder
    ) throws(UndertextError) {
        for image in batches.joined() {
            try folder.write(image.file.get(), name: image.name)
        }
    }

    private func opened() throws(UndertextError) -> OutputFolder {
        if let folder { return folder }
        guard let path = files.paths.first else {
            throw UndertextError(.io, "images need a folder", path: "-")
        }
        try files.makeFolder(of: path)
        let made = try OutputFolder(path: path, cancellation: files.cancellation)
        folder = made
        return made
    }
}

/// A file of an image folder, or why there is none.
private struct EncodedImage: Sendable {
    let name: String
    let file: Result<[UInt8], UndertextError>

    init(_ name: String, _ image: ImageTransform.Image) {
        self.name = name
        do throws(UndertextError) {
            file = .success(try ImageEncoder.png(image))
        } catch {
            file = .failure(error)
        }
    }
}

/// The settings of image sinks.
struct ImageSettings {
    let options: ImageOptions
    let transform: ImageTransform
    /// The frame rate of timecodes, if the user or the video specifies it.
    let frameRate: FrameRate?
    /// The canvas where no cue states one.
    let canvas: PixelSize

    init(
        _ options: ImageOptions, stream: StreamDescription, frameRate: FrameRate?, limits: Limits,
        budget: PixelBudget
    ) {
        self.options = options
        canvas = ImageTransform.fallbackCanvas(of: stream)
        transform = ImageTransform(options, canvas: canvas, limits: limits, budget: budget)
        self.frameRate = frameRate
    }
}

/// Ends the work of a job that was stopped.
func refuseIfCancelled(_ cancellation: Cancellation?) throws(UndertextError) {
    guard cancellation?.isCancelled == true else { return }
    throw UndertextError(.cancelled, "stopped", path: "output")
}
