internal import Undertext
internal import UndertextCore
internal import UndertextPNG
internal import UndertextRendering

/// A drawing job of `undertext render`.
struct RenderJob {
    let input: String
    let track: Int?
    let second: Int?
    /// The time to draw; `nil` for the first cue that shows something.
    var time: Timestamp?
    var style = SubtitleStyle()
    var size: PixelSize?
    var charset: String?
    /// The file whose video is drawn below the subtitles; `nil` for none.
    var video: String?

    /// A drawn overlay.
    struct Image {
        let png: [UInt8]
        let isEmpty: Bool
        let size: PixelSize
        /// The time that was drawn.
        let time: Timestamp
    }

    init(input: String, track: Int?, second: Int?) {
        self.input = input
        self.track = track
        self.second = second
    }

    /// Reads the input and draws the overlay; `nil` if the input has no subtitles.
    ///
    /// - Throws: `UndertextError`; its code is `UndertextError/Code/notFound`, with a stream index, if that
    ///   stream is not a subtitle track.
    func draw(
        cancellation: Cancellation, diagnostics handler: (Diagnostic) -> Void
    ) throws(UndertextError) -> Image? {
        var options = Media.Options()
        options.cancellation = cancellation
        options.charset = charset
        let file = try Media(input, options: options)
        for diagnostic in file.diagnostics { handler(diagnostic) }
        guard let primary = try subtitleTrack(track, of: file, "--track") else { return nil }
        var secondary: SubtitleTrack?
        if let second {
            secondary = try subtitleTrack(second, of: file, "--second")
            if secondary == nil { return nil }
        }
        let below = try videoImages(file, options)
        let found = try moment(of: primary, below, handler)
        let moment = found.time ?? .zero
        let other = try secondary.map { (track) throws(UndertextError) in
            try content(of: track, at: moment, handler)
        }
        let geometry = found.geometry ?? geometry(file, found.content, below)
        let renderer = try OverlayRenderer(
            found.content, second: other, geometry: geometry, style: style,
            secondStyle: style)
        let overlay = try renderer.overlay(at: moment)
        for diagnostic in renderer.takeDiagnostics() { handler(diagnostic) }
        let pixels = try below.map { (below) throws(UndertextError) in
            try composed(overlay, over: below, at: moment, geometry.image)
        }
        do throws(PNGError) {
            let png = try PNGEncoder.encodeRGBA(
                width: overlay.width, height: overlay.height,
                rgba: pixels ?? overlay.straightRGBA)
            return Image(
                png: png, isEmpty: overlay.isEmpty,
                size: PixelSize(width: overlay.width, height: overlay.height),
                time: moment)
        } catch {
            throw UndertextError(.io, "the image cannot be written as PNG")
        }
    }

    private func subtitleTrack(
        _ index: Int?, of file: Media, _ option: String
    ) throws(UndertextError) -> SubtitleTrack? {
        guard let index else { return file.subtitleTracks.first }
        if let track = file.subtitleTracks.first(where: { $0.id == index }) { return track }
        throw UndertextError(
            .notFound,
            "\(option) \(index): no such subtitle track; use 'undertext probe' to list the tracks",
            streamIndex: index)
    }

    /// The content to draw and its time.
    private struct Moment {
        /// The time; `nil` if no cue shows anything.
        var time: Timestamp?
        var content: OverlayContent
        /// The geometry of the first cue, if it has already been drawn.
        var geometry: OverlayGeometry?
    }

    /// The requested time of a track, or the first time that shows something.
    private func moment(
        of track: SubtitleTrack, _ below: VideoImages?, _ handler: (Diagnostic) -> Void
    ) throws(UndertextError) -> Moment {
        if let time {
            return Moment(time: time, content: try content(of: track, at: time, handler))
        }
        var attached: [AttachedFont]?
        var drawing: (renderer: OverlayRenderer, geometry: OverlayGeometry)?
        let result = try track.firstMoment(diagnostics: handler) {
            (header, cue) throws(UndertextError) in
            let middle = cue.start.advanced(by: cue.start.duration(to: cue.end) / 2)
            if let drawing {
                try drawing.renderer.replace([cue])
                return try !drawing.renderer.overlay(at: middle).isEmpty
            }
            let known = try fonts(of: track, handler)
            attached = known
            let content = OverlayContent(header: header, cues: [cue], fonts: known)
            let geometry = geometry(track.media, content, below)
            let renderer = try OverlayRenderer(content, geometry: geometry, style: style)
            drawing = (renderer, geometry)
            return try !renderer.overlay(at: middle).isEmpty
        }
        // What was reported during the search says why nothing was visible.
        if result.time == nil, let renderer = drawing?.renderer {
            for diagnostic in renderer.takeDiagnostics() { handler(diagnostic) }
        }
        return Moment(
            time: result.time, content: OverlayContent(result.document, fonts: attached ?? []),
            geometry: drawing?.geometry)
    }

    private func content(
        of track: SubtitleTrack, at time: Timestamp, _ handler: (Diagnostic) -> Void
    ) throws(UndertextError) -> OverlayContent {
        OverlayContent(
            try track.document(at: time, diagnostics: handler),
            fonts: try fonts(of: track, handler))
    }

    private func fonts(
        of track: SubtitleTrack, _ handler: (Diagnostic) -> Void
    ) throws(UndertextError) -> [AttachedFont] {
        let isScript = track.codec.isScript
        return isScript ? try track.media.fonts(diagnostics: handler) : []
    }

    /// The video image below the subtitles; `nil` if none was requested.
    private func videoImages(
        _ file: Media, _ options: Media.Options
    ) throws(UndertextError) -> VideoImages? {
        guard let video else { return nil }
        if video == input { return try file.videoImages() }
        var options = options
        options.charset = nil
        return try Media(video, options: options).videoImages()
    }

    private func composed(
        _ overlay: Overlay, over below: VideoImages, at moment: Timestamp,
        _ place: PixelRectangle
    ) throws(UndertextError) -> [UInt8] {
        let size = PixelSize(width: place.width, height: place.height)
        let image = try below.image(at: moment, scaledTo: size)
        guard let pixels = overlay.laid(over: image.rgba, at: place) else {
            throw UndertextError(.limit, "the video frame does not fit into the output")
        }
        return pixels
    }

    /// Converts a size to square pixels, never reducing a side nor exceeding the overlay limit.
    private func shown(_ stored: PixelSize, _ aspect: Double) -> PixelSize {
        let width = (Double(stored.width) * max(1, aspect)).rounded()
        let height = (Double(stored.height) / min(1, aspect)).rounded()
        guard max(width, height) <= 8192 else { return stored }
        return PixelSize(width: Int(width), height: Int(height))
    }

    private func geometry(
        _ file: Media, _ content: OverlayContent, _ below: VideoImages?
    ) -> OverlayGeometry {
        if let below {
            return OverlayGeometry(
                video: below.storedSize, pixelAspect: below.pixelAspect,
                output: size ?? below.displaySize)
        }
        let video = file.description.streams.first { $0.kind == .video && $0.size != nil }
        let images = content.cues.lazy.compactMap { cue -> PixelSize? in
            guard case .images(let images) = cue.content else { return nil }
            return images.canvas ?? content.header.canvas
        }.first
        let usual = PixelSize(width: 1920, height: 1080)
        let base = video?.size ?? images ?? size ?? usual
        let aspect = video?.pixelAspect ?? 1
        return OverlayGeometry(
            video: base, pixelAspect: aspect, output: size ?? shown(base, aspect))
    }
}
