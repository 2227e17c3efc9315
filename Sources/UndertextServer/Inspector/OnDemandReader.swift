internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextPNG
internal import UndertextRendering

/// Reads parts of an input that a page asks for: images of cues, frames of the video, documents.
///
/// It opens the input a second time, so that nobody waits for the reading of all cues. Images are kept, up to 32 MiB.
final class OnDemandReader: Sendable {
    /// The open input and what was made of it lately.
    private struct State {
        var media: Media?
        var video: VideoImages?
        var fonts: [AttachedFont]?
        /// The document of a track that is being corrected.
        var document: (stream: Int, document: SubtitleDocument)?
        var images: [ImageKey: [UInt8]] = [:]
        /// The keys of ``images``, the oldest first.
        var ages: [ImageKey] = []
        var size = 0
    }

    private struct ImageKey: Hashable {
        let stream: Int
        let order: Int
        let image: Int
    }

    private static let cacheSize = 32 << 20

    private let argument: String
    private let options: Media.Options
    private let inputFiles: InputFiles
    private let state = Monitor(State())

    init(_ argument: String, _ options: Media.Options, _ inputFiles: InputFiles) {
        self.argument = argument
        self.options = options
        self.inputFiles = inputFiles
    }

    private func with<Value>(
        _ work: (inout State, Media) throws(UndertextError) -> Value
    ) throws(UndertextError) -> Value {
        try state.with { state in
            inputFiles.record {
                Result { () throws(UndertextError) -> Value in
                    if let media = state.media { return try work(&state, media) }
                    let media = try Media(argument, options: options)
                    state.media = media
                    return try work(&state, media)
                }
            }
        }.get()
    }

    /// An image of a cue as PNG.
    ///
    /// - Parameters:
    ///   - index: The position of the image in the cue.
    ///   - stream: The index of the track.
    ///   - order: The order of the cue.
    ///   - start: The start of the cue.
    ///   - rank: The position among the cues that begin then.
    /// - Returns: The file.
    /// - Throws: `UndertextError`: reading failed, or `notFound` if there is no such image.
    func image(
        _ index: Int, ofTrack stream: Int, order: Int, start: Timestamp, rank: Int
    ) throws(UndertextError) -> [UInt8] {
        let key = ImageKey(stream: stream, order: order, image: index)
        return try with { (state, media) throws(UndertextError) in
            if let known = state.images[key] { return known }
            let track = try media.subtitleTrack(id: stream)
            let document = try track.document(
                in: TimeWindow(from: start, until: start.advanced(by: .nanoseconds(1))))
            let cues = document.cues.filter { $0.start == start }
            guard cues.indices.contains(rank), case .images(let content) = cues[rank].content,
                content.images.indices.contains(index)
            else {
                throw UndertextError(
                    .notFound, "the cue has no such image", path: argument, streamIndex: stream)
            }
            let png = try Self.png(content.images[index].bitmap)
            state.images[key] = png
            state.ages.append(key)
            state.size += png.count
            while state.size > Self.cacheSize, state.ages.count > 1 {
                state.size -= state.images.removeValue(forKey: state.ages.removeFirst())?.count ?? 0
            }
            return png
        }
    }

    private static func png(_ bitmap: IndexedBitmap) throws(UndertextError) -> [UInt8] {
        do throws(PNGError) {
            return try PNGEncoder.encode(
                width: bitmap.width, height: bitmap.height, indices: bitmap.indices,
                palette: bitmap.palette.map(\.rawValue))
        } catch {
            throw UndertextError(.io, "the image cannot be written as PNG", underlying: "\(error)")
        }
    }

    /// The subtitles of a track that are on screen at a time, with the fonts to draw them.
    func content(ofTrack stream: Int, at time: Timestamp) throws(UndertextError) -> OverlayContent {
        try with { (state, media) throws(UndertextError) in
            let document = try media.subtitleTrack(id: stream).document(at: time) { _ in }
            return try Self.content(document, &state, media)
        }
    }

    /// Subtitles with the fonts to draw them.
    func content(_ document: SubtitleDocument) throws(UndertextError) -> OverlayContent {
        try with { (state, media) throws(UndertextError) in
            try Self.content(document, &state, media)
        }
    }

    private static func content(
        _ document: SubtitleDocument, _ state: inout State, _ media: Media
    ) throws(UndertextError) -> OverlayContent {
        guard document.header.codec.isScript else { return OverlayContent(document) }
        if state.fonts == nil { state.fonts = try media.fonts { _ in } }
        return OverlayContent(document, fonts: state.fonts ?? [])
    }

    /// All of a track.
    ///
    /// - Parameters:
    ///   - stream: The index of the track.
    ///   - isKept: `true` if it is asked for again soon, as it is while it is corrected; one track is kept.
    /// - Returns: The document.
    /// - Throws: `UndertextError`: the track cannot be read.
    func document(
        ofTrack stream: Int, isKept: Bool
    ) throws(UndertextError) -> SubtitleDocument {
        try with { (state, media) throws(UndertextError) in
            if let known = state.document, known.stream == stream { return known.document }
            let document = try media.subtitleTrack(id: stream).document(in: .all)
            if isKept { state.document = (stream, document) }
            return document
        }
    }

    /// The losses of a track of images in a format, found in parts, so that few images are in memory.
    func losses(
        ofTrack stream: Int, as format: BitmapFormat
    ) throws(UndertextError) -> ConversionLosses {
        try with { (_, media) throws(UndertextError) in
            let reader = try media.subtitleTrack(id: stream).cueReader(in: .all)
            var losses = ConversionLosses()
            var cues: [Cue] = []
            func count() throws(UndertextError) {
                let part = BitmapDocument(header: reader.header, cues: cues)
                losses = losses.merged(with: try part.encoded(as: format).losses)
                cues = []
            }
            while let next = try reader.nextCues() {
                cues += next
                _ = reader.takeDiagnostics()
                if cues.count >= 32 { try count() }
            }
            try count()
            return losses
        }
    }

    /// The orders of the cues of images that a format cannot carry completely.
    func lossyOrders(
        ofTrack stream: Int, as format: BitmapFormat
    ) throws(UndertextError) -> Set<Int> {
        try with { (_, media) throws(UndertextError) in
            let reader = try media.subtitleTrack(id: stream).cueReader(in: .all)
            var orders: Set<Int> = []
            while let next = try reader.nextCues() {
                _ = reader.takeDiagnostics()
                for cue in next {
                    let part = BitmapDocument(header: reader.header, cues: [cue])
                    if try !part.encoded(as: format).losses.isEmpty { orders.insert(cue.order) }
                }
            }
            return orders
        }
    }

    /// The sizes of the video, and its frame at a time.
    func frame(
        at time: Timestamp, within width: Int
    ) throws(UndertextError) -> (geometry: OverlayGeometry, rgba: [UInt8]) {
        try with { (state, media) throws(UndertextError) in
            let video: VideoImages
            if let open = state.video { video = open } else { video = try media.videoImages() }
            state.video = video
            let shown = video.displaySize
            let factor = min(1, Double(width) / Double(max(1, shown.width)))
            let output = PixelSize(
                width: max(1, Int(Double(shown.width) * factor)),
                height: max(1, Int(Double(shown.height) * factor)))
            let geometry = OverlayGeometry(
                video: video.storedSize, pixelAspect: video.pixelAspect, output: output)
            let place = geometry.image
            let image = try video.image(
                at: time, scaledTo: PixelSize(width: place.width, height: place.height))
            return (geometry, image.rgba)
        }
    }
}
