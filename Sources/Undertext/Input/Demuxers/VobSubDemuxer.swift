internal import UndertextContainers
internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextFormats
internal import UndertextIO

/// A pair .idx and .sub, or a .sub file alone.
final class VobSubDemuxer: ScanningDemuxer {
    private let file: VobSubFile
    /// The other file of the pair, which is read besides the one that the user named.
    private let companion: (any RandomAccessSource)?
    /// `true` if the input is the .idx file, which libavformat is never given.
    private let isIndex: Bool

    private init(
        _ file: VobSubFile, companion: (any RandomAccessSource)?, isIndex: Bool,
        notes: [Diagnostic] = [], _ access: InputAccess
    ) throws(UndertextError) {
        self.file = file
        self.companion = companion
        self.isIndex = isIndex
        let (completed, palettes) = DVDPalettes.completed(
            file.description, path: access.localPath, matrix: access.options.decoding.colorMatrix)
        let description = VobSubCanvas.completed(completed, of: file, access.options)
        try super.init(
            Found(
                access: access, description: description,
                notes: notes + file.diagnostics + palettes))
    }

    /// Opens the named file, as a pair if the other file exists.
    ///
    /// - Returns: `nil` if it is neither of the two.
    /// - Throws: `UndertextError`: an .idx file without its .sub file, or reading failed.
    static func open(_ candidate: InputCandidate) throws(UndertextError) -> (any Demuxer)? {
        let access = candidate.access
        let options = access.options
        guard let path = access.localPath, let source = access.source else {
            try refuseIndex(candidate)
            return nil
        }
        let head = try source.read(at: 0, count: 32)
        if VobSubFile.isIndex(head) {
            guard let name = SiblingFile.path(beside: path, extension: "sub") else {
                throw UndertextError(
                    .notFound, "the .sub file with the images is missing",
                    path: path)
            }
            let units = try access.companion(name)
            let file = try VobSubFile(
                index: source, units: units, limits: options.limits,
                cancellation: options.cancellation)
            return try VobSubDemuxer(file, companion: units, isIndex: true, access)
        }
        guard VobSubFile.isProgramStream(head),
            PathName.fileExtension(path).lowercased() == "sub"
        else { return nil }
        var index: (any RandomAccessSource)?
        var notes: [Diagnostic] = []
        if let name = SiblingFile.path(beside: path, extension: "idx") {
            do throws(UndertextError) {
                index = try access.companion(name)
            } catch {
                notes.append(try VobSubFile.diagnostic(ofIndex: error))
            }
        }
        let file: VobSubFile
        do throws(UndertextError) {
            file = try VobSubFile(
                units: source, index: index, limits: options.limits,
                cancellation: options.cancellation)
        } catch {
            guard error.code == .notMedia else { throw error }
            return nil
        }
        return try VobSubDemuxer(file, companion: index, isIndex: false, notes: notes, access)
    }

    /// Refuses an .idx file beside which no .sub file can be.
    private static func refuseIndex(_ candidate: InputCandidate) throws(UndertextError) {
        guard VobSubFile.isIndex(candidate.head) else { return }
        throw UndertextError(
            .nestedOpen,
            "it is the index of a VobSub pair; the images are in the .sub file beside it: open it by its path",
            path: candidate.access.input.argument)
    }

    override var isSubtitleFile: Bool { false }

    override func addScan(to plan: inout ReadPlan) {
        plan.add(.file) { [file, companion, plan] record, diagnostics in
            if let companion { record.others.append { companion.statistics } }
            return file.packetReader(
                for: plan.streams, window: plan.window, diagnostics: diagnostics)
        }
    }

    override func probed(
        _ description: ContainerDescription, deep: Bool
    ) throws(UndertextError) -> ContainerDescription {
        if isIndex { return description }
        var found = try access.demuxer(depth: deep ? .full : .headers).description
        for (index, stream) in found.streams.enumerated() {
            guard let same = description.streams.first(where: { $0.id == stream.id }) else {
                continue
            }
            found.streams[index].language = same.language
            found.streams[index].title = same.title
            found.streams[index].codecPrivate = same.codecPrivate
        }
        return found
    }
}

/// The canvas of a .sub file without an .idx and an information file.
enum VobSubCanvas {
    /// The number of units to examine; the lowest subtitles of a media file are among its first.
    private static let unitsAtMost = 64

    /// The description with the canvas on which the first units have room, the smallest one of
    /// discs: 720x480, 720x576 or 1920x1080.
    static func completed(
        _ description: ContainerDescription, of file: VobSubFile, _ options: Media.Options
    ) -> ContainerDescription {
        var completed = description
        let unknown = description.streams.indices.filter {
            let stream = description.streams[$0]
            return stream.codec == .dvd && stream.size == nil && stream.codecPrivate.isEmpty
        }
        guard !unknown.isEmpty else { return description }
        let wanted = Set(unknown.map { description.streams[$0].index })
        let reader = file.packetReader(for: wanted)
        let bitmaps = DecodingOptions(limits: options.limits)
        var decoders = Dictionary(
            uniqueKeysWithValues: unknown.compactMap { place in
                let stream = description.streams[place]
                return SubtitleFormat.decoder(
                    of: stream, options: bitmaps, diagnostics: DiagnosticSink { _ in }
                ).map { (stream.index, $0) }
            })
        var (right, bottom) = (0, 0)
        // A failure is reported when the entire file is read.
        for _ in 0..<unitsAtMost {
            guard let packet = try? reader.nextPacket() else { break }
            for event in decoders[packet.streamIndex]?.decode(packet) ?? [] {
                guard case .cue(let cue) = event, case .images(let content) = cue.content
                else { continue }
                for image in content.images {
                    right = max(right, image.x + image.bitmap.width)
                    bottom = max(bottom, image.y + image.bitmap.height)
                }
            }
        }
        guard bottom > 0 else { return description }
        let isHigh = right > 720 || bottom > 576
        let size =
            isHigh
            ? PixelSize(width: 1920, height: 1080)
            : PixelSize(width: 720, height: bottom > 480 ? 576 : 480)
        for place in unknown { completed.streams[place].size = size }
        return completed
    }
}
