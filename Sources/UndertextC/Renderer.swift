internal import Undertext
internal import UndertextPlayback
internal import UndertextRendering

/// Draws what is chosen in a model, and follows what is chosen and loaded.
final class RendererHandle {
    private let handle: ModelHandle
    private var geometry: OverlayGeometry
    private var styles: [SubtitlePlace: SubtitleStyle] = [:]
    private var renderer: OverlayRenderer?
    /// How far the renderer knows each track.
    private var known: [SubtitlePlace: KnownTrack] = [:]
    private var canvas: OverlayCanvas
    /// The number of the renderer's overlay that lies on the canvas; `nil` = another renderer's.
    private var drawn: UInt64?
    private let diagnostics = DiagnosticQueue()

    init(_ handle: ModelHandle, _ geometry: OverlayGeometry) throws(UndertextError) {
        self.handle = handle
        self.geometry = geometry
        // Says what is wrong with the sizes, and whether this build can draw at all.
        _ = try OverlayRenderer(OverlayContent(), geometry: geometry)
        canvas = OverlayCanvas(geometry.output)
    }

    /// Draws for other sizes from now on.
    func setGeometry(_ new: OverlayGeometry) throws(UndertextError) {
        guard new != geometry else { return }
        _ = try OverlayRenderer(OverlayContent(), geometry: new)
        geometry = new
        leaveRenderer()
    }

    /// The viewer's style of a place.
    func style(of place: SubtitlePlace) -> SubtitleStyle { styles[place] ?? SubtitleStyle() }

    /// Draws in another style from now on.
    func setStyle(_ style: SubtitleStyle, of place: SubtitlePlace) throws(UndertextError) {
        styles[place] = style
        guard known[place] != nil else { return }
        try renderer?.setStyle(style, of: place.slot)
    }

    /// Reads the viewer's own settings, which count before what was set so far.
    ///
    /// - Parameter path: a file; `nil` = where the system keeps it, if it is there.
    /// - Throws: that the file cannot be read; nothing has changed then.
    func loadSettings(_ path: String?) throws(UndertextError) {
        var told: [Diagnostic] = []
        let settings = try SubtitleStyle.viewerSettings(at: path) { told.append($0) }
        diagnostics.add(told, atMost: Self.diagnosticsAtMost)
        for place in SubtitlePlace.allCases {
            try setStyle(
                .effective(application: style(of: place), viewer: settings), of: place)
        }
    }

    /// What could not be drawn as it should be, one line after another; NULL if nothing is left to tell.
    func nextDiagnostic() -> UnsafePointer<CChar>? {
        if diagnostics.isEmpty { diagnostics.add(renderer?.takeDiagnostics() ?? []) }
        return unsafe diagnostics.next()
    }

    /// Who never asks for diagnostics keeps no more than these.
    private static let diagnosticsAtMost = 100

    /// Gives the renderer up, and keeps what it had to tell.
    private func leaveRenderer() {
        diagnostics.add(renderer?.takeDiagnostics() ?? [], atMost: Self.diagnosticsAtMost)
        renderer = nil
    }

    /// What is shown at a player's time.
    func draw(at time: Timestamp) throws(UndertextError) -> DrawnOverlay {
        _ = handle.model.subtitle(currentTime: time)
        let tracks = (handle.model.loadedTrack, handle.model.secondLoadedTrack)
        let renderer = try renderer(for: tracks.0, tracks.1)
        // Scripts move by their own clock, so the first track's delay is the renderer's.
        let delay = tracks.0?.delay ?? tracks.1?.delay ?? .zero
        let overlay = try renderer.overlay(at: time.advanced(by: .zero - delay))
        defer { drawn = overlay.changeID }
        // The pixels of another size are the caller's until now.
        if canvas.size != geometry.output { canvas = OverlayCanvas(geometry.output, after: canvas) }
        return canvas.show(overlay, knows: drawn)
    }

    /// The renderer, which knows all that is loaded.
    private func renderer(
        for first: LoadedTrack?, _ second: LoadedTrack?
    ) throws(UndertextError) -> OverlayRenderer {
        let shift = (second?.delay ?? .zero) - (first?.delay ?? second?.delay ?? .zero)
        let wanted: [SubtitlePlace: (track: LoadedTrack, shift: Duration)] =
            [.first: first.map { ($0, .zero) }, .second: second.map { ($0, shift) }]
            .compactMapValues(\.self)
        if let renderer, try append(wanted, to: renderer) { return renderer }
        leaveRenderer()
        let new = try OverlayRenderer(
            content(wanted[.first]) ?? OverlayContent(), secondary: content(wanted[.second]),
            geometry: geometry, style: style(of: .first), secondaryStyle: style(of: .second))
        known = wanted.mapValues { KnownTrack($0.track, $0.shift) }
        renderer = new
        drawn = nil
        return new
    }

    /// Gives a renderer what has been loaded since; `false` if it must be made anew.
    private func append(
        _ wanted: [SubtitlePlace: (track: LoadedTrack, shift: Duration)],
        to renderer: OverlayRenderer
    ) throws(UndertextError) -> Bool {
        guard wanted.count == known.count else { return false }
        for (place, (track, shift)) in wanted {
            guard let known = known[place], known.canGrow(to: track, shift) else { return false }
        }
        for (place, (track, shift)) in wanted {
            guard let before = known[place] else { continue }
            if !before.isBeginning(of: track) {
                // Some were given back or stand in another order: each copy would count as a cue.
                try renderer.replace(shifted(track.cues[...], by: shift), in: place.slot)
            } else if before.count < track.cues.count {
                let new = track.cues.dropFirst(before.count)
                try renderer.append(shifted(new, by: shift), to: place.slot)
            }
            known[place] = KnownTrack(track, shift)
        }
        return true
    }

    private func content(_ wanted: (track: LoadedTrack, shift: Duration)?) -> OverlayContent? {
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

/// How far a renderer knows a track.
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

    /// `true` if cues are all that can have changed.
    func canGrow(to track: LoadedTrack, _ shift: Duration) -> Bool {
        id == track.info.id && self.shift == shift && fontCount == track.fonts.count
            && header == track.header
    }

    /// `true` if the cues that are known are the first ones of a track, and none of them has gone.
    ///
    /// The last one tells whether forced cues alone were known before.
    func isBeginning(of track: LoadedTrack) -> Bool {
        epoch == track.epoch && count <= track.cues.count
            && (count == 0 || track.cues[count - 1] == last)
    }
}

extension SubtitlePlace {
    /// What the renderer calls it.
    fileprivate var slot: OverlaySlot { self == .first ? .primary : .secondary }
}
