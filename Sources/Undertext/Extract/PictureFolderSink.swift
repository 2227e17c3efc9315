internal import PNG
internal import SubtitleFormats
internal import SystemIO

/// The cues of a bitmap track as a folder of PNG pictures with `index.json`.
final class PictureFolderSink: CueSink {
    private static let indexName = "index.json"

    private let stream: StreamDescription
    private let targets: OutputTargets
    private let facts: RunFacts
    private var canvas: PixelSize?
    private var folder: OutputFolder?
    private var entries: [(cue: Cue, images: [JSONCueImage])] = []

    init(
        stream: StreamDescription, header: SubtitleHeader, targets: OutputTargets, facts: RunFacts
    ) {
        self.stream = stream
        self.targets = targets
        self.facts = facts
        canvas = header.canvas
    }

    var losses: LossLedger { LossLedger() }

    func write(_ cue: Cue) throws(OutputError) {
        guard case .pictures(let content) = cue.content else { return }
        let folder = try opened()
        canvas = canvas ?? content.canvas
        let number = String(entries.count + 1)
        let padded = String(repeating: "0", count: max(0, 4 - number.utf8.count)) + number
        var images: [JSONCueImage] = []
        for (index, picture) in content.pictures.enumerated() {
            let name = index == 0 ? "\(padded).png" : "\(padded)-\(index + 1).png"
            try folder.write(PictureEncoder.png(picture.bitmap), name: name)
            images.append(JSONCueImage(.file(name), of: picture))
        }
        // The pixels are on disk; what stays in memory is a line of the index.
        var described = cue
        described.content = .pictures(CuePictures(canvas: content.canvas, pictures: []))
        entries.append((described, images))
    }

    func finish(_ report: TrackReport) throws(OutputError) -> [OutputRecord] {
        guard let folder, let path = targets.paths.first else { return [] }
        var writer = JSONCueWriter(track: JSONCueTrack(stream, canvas: canvas))
        var index: [UInt8] = []
        writer.begin(into: &index)
        let ordered = entries.sorted {
            ($0.cue.start, $0.cue.order) < ($1.cue.start, $1.cue.order)
        }
        for entry in ordered { writer.write(entry.cue, images: entry.images, into: &index) }
        for diagnostic in report.diagnostics { writer.write(diagnostic, into: &index) }
        writer.finish(into: &index)
        writer.write(JSONCueSummary(report, facts), into: &index)
        try folder.write(index, name: Self.indexName)
        if targets.replacing {
            try folder.commit(replacingListed: PictureIndex.names(in: path) + [Self.indexName])
        } else {
            try folder.commit()
        }
        return [OutputRecord(file: path, format: "png", bytes: folder.bytesWritten)]
    }

    func abandon() { folder?.abort() }

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

/// Pictures as PNG, with an error that a sink can pass on.
enum PictureEncoder {
    static func png(_ bitmap: IndexedBitmap) throws(OutputError) -> [UInt8] {
        do throws(PNGError) {
            return try PNGEncoder.encode(
                width: bitmap.width, height: bitmap.height, indices: bitmap.indices,
                palette: bitmap.palette.map(\.rawValue))
        } catch {
            throw OutputError(
                .io, "a picture of \(bitmap.width)×\(bitmap.height) could not be written as PNG",
                path: "png", underlying: "\(error)")
        }
    }
}
