internal import PNG
internal import SubtitleRendering
internal import Undertext

/// What `undertext render` draws.
struct RenderJob {
    let input: String
    let track: Int?
    let second: Int?
    /// The moment; `nil` = the first cue that shows something.
    var time: Timestamp?
    var style = SubtitleStyle()
    var size: PixelSize?
    var charset: String?
    /// The file whose video is drawn below; `nil` = nothing is.
    var video: String?

    /// A drawn overlay.
    struct Picture {
        let png: [UInt8]
        let isEmpty: Bool
        let size: PixelSize
        /// The moment that was drawn.
        let time: Timestamp
    }

    init(input: String, track: Int?, second: Int?) {
        self.input = input
        self.track = track
        self.second = second
    }

    /// Reads and draws; `nil` if there are no subtitles.
    ///
    /// - Throws: `MediaError`; `MediaError/Code/notFound` with a stream's index if that is no subtitle track.
    func draw(
        cancellation: Cancellation, diagnostics handler: (Diagnostic) -> Void
    ) throws(MediaError) -> Picture? {
        var options = MediaFile.Options()
        options.cancellation = cancellation
        options.charset = charset
        let file = try MediaFile(input, options: options)
        for diagnostic in file.diagnostics { handler(diagnostic) }
        guard let primary = try stream(track, of: file, "--track") else { return nil }
        let main = try content(primary, of: file, handler)
        var other: OverlayContent?
        if let second {
            guard let stream = try stream(second, of: file, "--second") else { return nil }
            other = try content(stream, of: file, handler)
        }
        let below = try videoPictures(file, options)
        let geometry = geometry(file, main, below)
        let renderer = try OverlayRenderer(
            main, secondary: other, geometry: geometry, style: style, secondaryStyle: style)
        var moment = time
        if moment == nil { moment = try renderer.timeOfFirstPicture(of: main.cues) }
        let overlay = try renderer.overlay(at: moment ?? .zero)
        for diagnostic in renderer.takeDiagnostics() { handler(diagnostic) }
        let pixels = try below.map { (below) throws(MediaError) in
            try composed(overlay, over: below, at: moment ?? .zero, geometry.picture)
        }
        do throws(PNGError) {
            let png = try PNGEncoder.encodeRGBA(
                width: overlay.width, height: overlay.height,
                rgba: pixels ?? overlay.straightRGBA)
            return Picture(
                png: png, isEmpty: overlay.isEmpty,
                size: PixelSize(width: overlay.width, height: overlay.height),
                time: moment ?? .zero)
        } catch {
            throw MediaError(.io, "the picture cannot be written as PNG")
        }
    }

    private func stream(
        _ index: Int?, of file: MediaFile, _ option: String
    ) throws(MediaError) -> StreamDescription? {
        guard let index else { return file.subtitleStreams.first }
        if let stream = file.subtitleStreams.first(where: { $0.index == index }) { return stream }
        throw MediaError(
            .notFound,
            "\(option) \(index): there is no such subtitle track; 'undertext probe' lists them",
            streamIndex: index)
    }

    private func content(
        _ stream: StreamDescription, of file: MediaFile, _ handler: (Diagnostic) -> Void
    ) throws(MediaError) -> OverlayContent {
        let window = time.map { TimeWindow(from: $0, until: $0.advanced(by: .milliseconds(1))) }
        // The closure of a library call may not escape, so what it tells is kept until it is done.
        var told: [Diagnostic] = []
        let document = try file.document(ofStream: stream.index, in: window ?? .all) {
            told.append($0)
        }
        for diagnostic in told { handler(diagnostic) }
        let isScript = stream.codec == .ass || stream.codec == .ssa
        return OverlayContent(
            document, fonts: isScript ? try file.fonts(diagnostics: handler) : [])
    }

    /// The video below; `nil` if none was asked for.
    private func videoPictures(
        _ file: MediaFile, _ options: MediaFile.Options
    ) throws(MediaError) -> VideoPictures? {
        guard let video else { return nil }
        if video == input { return try file.videoPictures() }
        var options = options
        options.charset = nil
        return try MediaFile(video, options: options).videoPictures()
    }

    private func composed(
        _ overlay: Overlay, over below: VideoPictures, at moment: Timestamp,
        _ place: PixelRectangle
    ) throws(MediaError) -> [UInt8] {
        let size = PixelSize(width: place.width, height: place.height)
        let picture = try below.picture(at: moment, scaledTo: size)
        guard let pixels = overlay.laid(over: picture.rgba, at: place) else {
            throw MediaError(.limit, "the picture of the video does not fit")
        }
        return pixels
    }

    /// The size in square pixels: no side is made smaller, none is larger than overlays may be.
    private func shown(_ stored: PixelSize, _ aspect: Double) -> PixelSize {
        let width = (Double(stored.width) * max(1, aspect)).rounded()
        let height = (Double(stored.height) / min(1, aspect)).rounded()
        guard max(width, height) <= 8192 else { return stored }
        return PixelSize(width: Int(width), height: Int(height))
    }

    private func geometry(
        _ file: MediaFile, _ content: OverlayContent, _ below: VideoPictures?
    ) -> OverlayGeometry {
        if let below {
            return OverlayGeometry(
                video: below.storedSize, pixelAspect: below.pixelAspect,
                output: size ?? below.displaySize)
        }
        let video = file.description.streams.first { $0.kind == .video && $0.size != nil }
        let pictures = content.cues.lazy.compactMap { cue -> PixelSize? in
            guard case .pictures(let pictures) = cue.content else { return nil }
            return pictures.canvas ?? content.header.canvas
        }.first
        let usual = PixelSize(width: 1920, height: 1080)
        let base = video?.size ?? pictures ?? size ?? usual
        let aspect = video?.pixelAspect ?? 1
        return OverlayGeometry(
            video: base, pixelAspect: aspect, output: size ?? shown(base, aspect))
    }
}
