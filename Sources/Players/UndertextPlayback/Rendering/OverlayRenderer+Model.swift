public import UndertextCore
public import UndertextRendering

extension OverlayRenderer {
    /// Creates a renderer for the selected subtitles of a model.
    ///
    /// The renderer keeps the model alive, and follows its selection, delays and loading: ``OverlayRenderer/overlay(at:)``
    /// takes times on the player's clock and updates the model, as `SubtitleModel.subtitle(currentTime:)` does. The
    /// first place is the slot `first`, the second one `second`. Other members that change content must not be used.
    ///
    /// ```swift
    /// let renderer = try OverlayRenderer(
    ///     model: model, geometry: OverlayGeometry(video: PixelSize(width: 1920, height: 1080)))
    /// // with every frame
    /// let overlay = try renderer.overlay(at: clock)
    /// if overlay.changeID != shown { upload(overlay.pixels, overlay.dirty) }
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - geometry: The sizes and the pixel format of overlays.
    ///   - style: The viewer's style for the first place.
    ///   - secondStyle: The viewer's style for the second place.
    ///   - limits: The limits of content.
    /// - Throws: `RenderingError` if the package trait `Rendering` is missing (`unsupported`) or sizes exceed the limits.
    public convenience init(
        model: SubtitleModel, geometry: OverlayGeometry, style: SubtitleStyle = SubtitleStyle(),
        secondStyle: SubtitleStyle = SubtitleStyle(), limits: Limits = Limits()
    ) throws(RenderingError) {
        try self.init(
            feed: ModelFeed(model), geometry: geometry,
            styles: [.first: style, .second: secondStyle], limits: limits)
    }
}

/// Passes the loaded cues of a model to a renderer.
private final class ModelFeed: OverlayFeed {
    private let model: SubtitleModel
    /// The part of each track that the renderer has.
    private var known: [SubtitlePlace: KnownTrack] = [:]

    /// A track with the shift of its times on the renderer's clock.
    private typealias Wanted = (track: LoadedTrack, shift: Duration)

    init(_ model: SubtitleModel) { self.model = model }

    func update(
        _ renderer: OverlayRenderer, to time: Timestamp
    ) throws(RenderingError) -> Timestamp {
        _ = model.subtitle(currentTime: time)
        let (first, second) = (model.loadedTrack, model.secondLoadedTrack)
        // Animations of scripts use the renderer's clock, so that is the clock of the first track.
        let delay = first?.delay ?? second?.delay ?? .zero
        let shift = (second?.delay ?? .zero) - delay
        let wanted: [SubtitlePlace: Wanted] =
            [.first: first.map { ($0, .zero) }, .second: second.map { ($0, shift) }]
            .compactMapValues(\.self)
        if try !append(wanted, to: renderer) {
            try renderer.setContent(
                content(wanted[.first]) ?? OverlayContent(), second: content(wanted[.second]))
            known = wanted.mapValues { KnownTrack($0.track, $0.shift) }
        }
        return time.advanced(by: .zero - delay)
    }

    /// Passes new cues to the renderer; returns `false` if all content must be replaced.
    private func append(
        _ wanted: [SubtitlePlace: Wanted], to renderer: OverlayRenderer
    ) throws(RenderingError) -> Bool {
        guard wanted.count == known.count else { return false }
        for (place, (track, shift)) in wanted {
            guard let known = known[place], known.canGrow(to: track, shift) else { return false }
        }
        for (place, (track, shift)) in wanted {
            guard let before = known[place] else { continue }
            if !before.isBeginning(of: track) {
                // Cues were released or reordered: appending would store copies of them.
                try renderer.replace(shifted(track.cues[...], by: shift), in: place.slot)
            } else if before.count < track.cues.count {
                let new = track.cues.dropFirst(before.count)
                try renderer.append(shifted(new, by: shift), to: place.slot)
            }
            known[place] = KnownTrack(track, shift)
        }
        return true
    }

    private func content(_ wanted: Wanted?) -> OverlayContent? {
        wanted.map { track, shift in
            OverlayContent(
                header: track.header, cues: shifted(track.cues[...], by: shift), fonts: track.fonts)
        }
    }

    private func shifted(_ cues: ArraySlice<Cue>, by shift: Duration) -> [Cue] {
        guard shift != .zero else { return Array(cues) }
        return cues.map { cue in
            var cue = cue
            cue.start = cue.start.advanced(by: shift)
            cue.end = cue.end.advanced(by: shift)
            return cue
        }
    }
}

/// The part of a track that was passed to a renderer.
private struct KnownTrack {
    let id: SubtitleInfo.ID
    let header: SubtitleHeader
    let fontCount: Int
    let shift: Duration
    let epoch: UInt64
    let count: Int
    private let last: Cue?

    init(_ track: LoadedTrack, _ shift: Duration) {
        id = track.info.id
        header = track.header
        fontCount = track.fonts.count
        self.shift = shift
        epoch = track.epoch
        count = track.cues.count
        last = track.cues.last
    }

    /// Returns `true` if only the cues of the track can have changed.
    func canGrow(to track: LoadedTrack, _ shift: Duration) -> Bool {
        id == track.info.id && self.shift == shift && fontCount == track.fonts.count
            && header == track.header
    }

    /// Returns `true` if the known cues are still the first cues of the track.
    ///
    /// Comparing the last one detects a change from forced cues to all cues.
    func isBeginning(of track: LoadedTrack) -> Bool {
        epoch == track.epoch && count <= track.cues.count
            && (count == 0 || track.cues[count - 1] == last)
    }
}

extension SubtitlePlace {
    /// The slot of the place in a renderer.
    package var slot: OverlaySlot { self == .first ? .first : .second }
}
