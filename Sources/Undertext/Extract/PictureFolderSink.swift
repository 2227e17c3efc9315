internal import UndertextFormats
internal import UndertextIO
internal import UndertextPNG

/// The cues of a bitmap track as a folder of PNG pictures with `index.json`, `index.xml` (BDN XML) and
/// `index.html` (to look at).
final class PictureFolderSink: CueSink {
    private let stream: StreamDescription
    private let format: OutputFormat
    private let targets: OutputTargets
    private let facts: RunFacts
    private let transform: PictureTransform
    private let frameRate: FrameRate?
    private let joinsImages: Bool
    private var canvas: PixelSize?
    private var folder: OutputFolder?
    private var entries: [Entry] = []
    /// Pictures with more pixels are compressed one after another.
    private static let sharedPixelsAtMost = 1 << 24
    /// Small pictures go to another thread together, as waking it takes longer than compressing one.
    private static let batchedPixels = 1 << 18
    private static let batchedPictures = 64
    private var batch: [(name: String, picture: PictureTransform.Picture)] = []
    private var batchPixels = 0
    /// Compressing takes most of the time.
    private let encoders = OrderedWorkers {
        (batch: [(name: String, picture: PictureTransform.Picture)]) in
        batch.map { EncodedPicture($0.name, $0.picture) }
    }

    init(
        stream: StreamDescription, header: SubtitleHeader, format: OutputFormat,
        targets: OutputTargets, facts: RunFacts, pictures: PictureSettings
    ) {
        self.stream = stream
        self.format = format
        self.targets = targets
        self.facts = facts
        transform = pictures.transform
        frameRate = pictures.frameRate
        joinsImages = pictures.options.joinsImages
        canvas = pictures.options.scale ?? header.canvas
    }

    var losses: LossLedger { LossLedger() }
    var writtenCues: (cues: Int, merged: Int)? { (entries.count, 0) }

    func write(_ cue: Cue) throws(OutputError) {
        guard case .pictures(let content) = cue.content else { return }
        let applied = try attempt { () throws(MediaError) in
            try transform.applied(to: content, joining: joinsImages)
        }
        // The budget of the track says so.
        guard let (shown, pictures) = applied else { return }
        let folder = try opened()
        canvas = canvas ?? shown
        let number = String(entries.count + 1)
        let padded = String(repeating: "0", count: max(0, 4 - number.utf8.count)) + number
        var images: [JSONCueImage] = []
        for (index, picture) in pictures.enumerated() {
            let name = index == 0 ? "\(padded).png" : "\(padded)-\(index + 1).png"
            // A huge picture alone: several at once would take gigabytes.
            let isHuge = picture.pixelCount > Self.sharedPixelsAtMost
            if isHuge { try finishBatches(to: folder) }
            batch.append((name, picture))
            batchPixels += picture.pixelCount
            if batchPixels >= Self.batchedPixels || batch.count >= Self.batchedPictures {
                try encodeBatch(to: folder)
            }
            if isHuge { try finishBatches(to: folder) }
            images.append(JSONCueImage(.file(name), of: picture))
        }
        entries.append(Entry(cue, canvas: shown, images: images))
    }

    func finish(_ report: TrackReport) throws(OutputError) -> [OutputRecord] {
        guard let folder, let path = targets.paths.first else { return [] }
        try finishBatches(to: folder)
        entries.sort { ($0.start, $0.order) < ($1.start, $1.order) }
        let title = PathName.stem(path)
        try writeXML(title, to: folder)
        try writePage(title, to: folder)
        try writeIndex(report, to: folder)
        if targets.replacing {
            try folder.commit(replacingListed: PictureIndex.ownNames(in: path))
        } else {
            try folder.commit()
        }
        return [OutputRecord(file: path, format: format.rawValue, bytes: folder.bytesWritten)]
    }

    func abandon() { folder?.abort() }

    private func writeXML(_ title: String, to folder: OutputFolder) throws(OutputError) {
        var xml = BDNWriter(
            title: title, language: stream.language,
            frameRate: frameRate ?? FrameRate(canvas: canvas))
        for entry in entries { xml.count(entry.cue, images: entry.images) }
        let file = try folder.file(named: PictureIndex.xmlName)
        try file.write(xml.head(canvas: canvas))
        for entry in entries { try file.write(xml.events(of: entry.cue, images: entry.images)) }
        try file.write(BDNWriter.tail)
        try folder.finish(file)
    }

    private func writePage(_ title: String, to folder: OutputFolder) throws(OutputError) {
        var page = PicturePage(title: title, track: JSONCueTrack(stream, canvas: canvas))
        for entry in entries { page.count(entry.cue) }
        let file = try folder.file(named: PictureIndex.pageName)
        try file.write(page.head())
        for (index, entry) in entries.enumerated() {
            try file.write(page.article(index + 1, of: entry.cue, images: entry.images))
        }
        try file.write(PicturePage.tail)
        try folder.finish(file)
    }

    private func writeIndex(
        _ report: TrackReport, to folder: OutputFolder
    ) throws(OutputError) {
        var writer = JSONCueWriter(track: JSONCueTrack(stream, canvas: canvas))
        let file = try folder.file(named: PictureIndex.name)
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

    private func encodeBatch(to folder: OutputFolder) throws(OutputError) {
        let full = batch
        (batch, batchPixels) = ([], 0)
        try write(encoders.add(full), to: folder)
    }

    private func finishBatches(to folder: OutputFolder) throws(OutputError) {
        if !batch.isEmpty { try encodeBatch(to: folder) }
        try write(encoders.finish(), to: folder)
    }

    private func write(
        _ batches: [[EncodedPicture]], to folder: OutputFolder
    ) throws(OutputError) {
        for picture in batches.joined() {
            try folder.write(picture.file.get(), name: picture.name)
        }
    }

    private func opened() throws(OutputError) -> OutputFolder {
        if let folder { return folder }
        guard let path = targets.paths.first else {
            throw OutputError(.io, "pictures need a folder", path: "-")
        }
        try targets.makeFolder(of: path)
        let made = try OutputFolder(path: path)
        folder = made
        return made
    }
}

/// A line of the indices, which are written at the end: the pixels are on disk by then, and a whole
/// cue is many times as large.
private struct Entry {
    let id: String
    let start: Timestamp
    let end: Timestamp
    let order: Int
    let endSource: EndSource
    let isForced: Bool
    let canvas: PixelSize?
    let recognition: RecognizedText?
    let images: [JSONCueImage]

    init(_ cue: Cue, canvas: PixelSize?, images: [JSONCueImage]) {
        id = cue.id
        start = cue.start
        end = cue.end
        order = cue.order
        endSource = cue.endSource
        isForced = cue.isForced
        self.canvas = canvas
        recognition = cue.recognition
        self.images = images
    }

    /// The cue without its pixels.
    var cue: Cue {
        Cue(
            id: id, order: order, start: start, end: end, endSource: endSource,
            isForced: isForced,
            content: .pictures(CuePictures(canvas: canvas, pictures: [])), recognition: recognition)
    }
}

/// A file of a picture folder, or why there is none.
private struct EncodedPicture: Sendable {
    let name: String
    let file: Result<[UInt8], OutputError>

    init(_ name: String, _ picture: PictureTransform.Picture) {
        self.name = name
        do throws(OutputError) {
            file = .success(try PictureEncoder.png(picture))
        } catch {
            file = .failure(error)
        }
    }
}

/// What the sinks of pictures are told.
struct PictureSettings {
    let options: PictureOptions
    let transform: PictureTransform
    /// The rate of timecodes, where the user or the video tells it.
    let frameRate: FrameRate?
    /// The canvas where no cue states one.
    let canvas: PixelSize

    init(
        _ options: PictureOptions, stream: StreamDescription, container: ContainerDescription,
        limits: Limits, budget: PixelBudget
    ) {
        self.options = options
        canvas = PictureTransform.fallbackCanvas(of: stream)
        transform = PictureTransform(options, canvas: canvas, limits: limits, budget: budget)
        frameRate = options.frameRate ?? container.timecodeRate
    }
}

/// Ends the work of a job that was stopped.
func refuseIfCancelled(_ cancellation: Cancellation?) throws(OutputError) {
    guard cancellation?.isCancelled == true else { return }
    throw OutputError(.cancelled, "stopped", path: "output")
}

/// Runs a step that may lack a library; the error comes as one that a sink can pass on.
func attempt<Value>(_ step: () throws(MediaError) -> Value) throws(OutputError) -> Value {
    do throws(MediaError) {
        return try step()
    } catch {
        throw OutputError(
            .io, error.message, path: error.path ?? "pictures", underlying: error.underlying)
    }
}
