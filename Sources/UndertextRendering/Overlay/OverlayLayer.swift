#if Rendering
    internal import UndertextCore
    internal import UndertextFormats

    /// A content of the overlay: the visible cues and their appearance.
    final class OverlayLayer {
        /// The visible part on the overlay.
        private(set) var bounds = PixelRectangle.none
        /// `true` if what is shown moves.
        private(set) var isAnimated = false
        private var timeline = CueTimeline()

        private let content: OverlayContent
        private let geometry: OverlayGeometry
        private let style: SubtitleStyle
        private let source: ScriptSource
        private let cost: EventCost
        private let limits: Limits
        private var renderer: AssRenderer?
        private var visible: [Cue] = []
        private var images: [PackedImage] = []
        /// The cues whose events libass has.
        private var given: Set<Cue> = []
        private var glyphs = GlyphCoverageCache()
        private var generation: UInt64 = 0
        private var time: Int64?
        private var diagnostics: [Diagnostic] = []

        /// The number of events at which those of libass are cleared, if not before because nothing is visible.
        private static let mostEvents = 1000

        /// Prepares content; with `mayBeNative`, a script keeps its authored styles.
        init(
            _ content: OverlayContent, geometry: OverlayGeometry, style: SubtitleStyle,
            mayBeNative: Bool, limits: Limits
        ) throws(UndertextError) {
            let script = content.header.codecPrivate.count
            guard script <= limits.headerSize, script <= Int(Int32.max) else {
                throw UndertextError(.limit, "a script header of \(script) bytes")
            }
            var kept = content
            kept.cues = []
            self.content = kept
            self.geometry = geometry
            self.style = style
            self.limits = limits
            source = ScriptSource(
                content.header, geometry: geometry, style: style, mayBeNative: mayBeNative)
            cost = EventCost(script: source.script, geometry: geometry)
            timeline.insert(contentsOf: content.cues.prefix(limits.cues))
            diagnostics = source.leftOut.map {
                Diagnostic(.warning, "not-drawn", "of a style sheet '\($0)' is not drawn")
            }
        }

        /// Adds cues.
        func append(_ cues: [Cue]) throws(UndertextError) {
            guard timeline.count + cues.count <= limits.cues else {
                throw UndertextError(.limit, "more than \(limits.cues) cues")
            }
            if cues.count < 8 {
                for cue in cues { timeline.insert(cue) }
            } else {
                timeline.insert(contentsOf: cues)
            }
        }

        /// Shows other cues from now on.
        func replace(_ cues: [Cue]) throws(UndertextError) {
            guard cues.count <= limits.cues else {
                throw UndertextError(.limit, "more than \(limits.cues) cues")
            }
            timeline = CueTimeline()
            timeline.insert(contentsOf: cues)
            time = nil
            // Otherwise an event would be shown beside its copy with another number.
            renderer?.removeEvents()
            given = []
        }

        /// All cues.
        var cues: [Cue] { timeline.cues }

        /// The number of fonts that libass keeps open.
        var fontCount: Int { renderer?.faces.count ?? 0 }
        /// The renderer of text, or `nil` while there is none.
        var drawnBy: AssRenderer? { renderer }

        /// The diagnostics since the last call.
        func takeDiagnostics() -> [Diagnostic] {
            defer { diagnostics = [] }
            return diagnostics + (renderer?.takeDiagnostics() ?? [])
        }

        // MARK: Time

        /// Moves to a time and returns `true` if the visible subtitles may have changed.
        ///
        /// Times are whole milliseconds, as in libass: a cue is shown from the first one that is not before
        /// its start.
        func update(to milliseconds: Int64) throws(UndertextError) -> Bool {
            let isSameTime = time == milliseconds && generation == timeline.generation
            if isSameTime { return false }
            let now = timeline.cues(at: .milliseconds(milliseconds))
            let isSame = time != nil && now == visible
            generation = timeline.generation
            time = milliseconds
            if isSame, !isAnimated { return false }
            var changed = false
            if !isSame {
                changed = showImages(of: now)
                visible = now
            }
            if try updateText(now, isSame: isSame, at: milliseconds) { changed = true }
            if changed {
                bounds = images.reduce(renderer?.bounds ?? .none) { $0.union($1.place) }
                    .intersection(
                        PixelRectangle(
                            x: 0, y: 0, width: geometry.output.width, height: geometry.output.height
                        ))
            }
            return changed
        }

        /// The rectangles of what is shown.
        var parts: [PixelRectangle] { images.map(\.place) + (renderer?.parts ?? []) }

        /// Draws what is shown.
        func draw(into buffer: inout PixelBuffer) {
            for image in images { buffer.draw(image) }
            renderer?.draw(into: &buffer)
        }

        /// The first millisecond after one at which the cues that are shown change.
        func nextChange(after milliseconds: Int64) -> Int64? {
            var time = Timestamp.milliseconds(milliseconds)
            // A change within a millisecond shows at its end, unless it is undone by then.
            while let next = timeline.nextChange(after: time) {
                if Self.milliseconds(next) > milliseconds { return Self.milliseconds(next) }
                time = next
            }
            return nil
        }

        /// `true` if what is shown at a time moves.
        func isAnimated(at milliseconds: Int64) -> Bool {
            if time == milliseconds, generation == timeline.generation { return isAnimated }
            return timeline.cues(at: .milliseconds(milliseconds)).prefix(FrameBudget.mostEvents)
                .contains { cue in
                    source.events(of: cue, number: 0).contains(where: ScriptSource.isAnimated)
                }
        }

        // MARK: Images

        private func showImages(of cues: [Cue]) -> Bool {
            let placement = ImagePlacement(geometry: geometry, style: style.overriding)
            var frame = ImageFrame(geometry, limits)
            var shown: [(cue: Cue, content: CueImages)] = []
            for cue in cues {
                if case .images(let content) = cue.content { shown.append((cue, content)) }
            }
            let places = placement.places(
                of: shown.map { _, content in
                    (content, content.canvas ?? self.content.header.canvas ?? geometry.video)
                })
            for ((cue, content), places) in zip(shown, places) {
                for (image, place) in zip(content.images, places)
                where !frame.draw(image.bitmap, at: place) {
                    note("an image of \(place.width)x\(place.height) was left out", cue)
                }
            }
            guard frame.images != images else { return false }
            images = frame.images
            return true
        }

        private func note(_ message: String, _ cue: Cue) {
            let new = Diagnostic(.warning, "not-drawn", message, time: cue.start)
            guard diagnostics.count < 100, !diagnostics.contains(new) else { return }
            diagnostics.append(new)
        }

        // MARK: Text

        private func updateText(
            _ cues: [Cue], isSame: Bool, at milliseconds: Int64
        ) throws(UndertextError) -> Bool {
            let texts = source.distinct(
                cues.filter { if case .text = $0.content { true } else { false } })
            if renderer == nil, texts.isEmpty { return false }
            var isNew = false
            if !isSame { isNew = try give(texts) }
            return try usableRenderer().render(at: milliseconds) || isNew
        }

        private func usableRenderer() throws(UndertextError) -> AssRenderer {
            if let renderer { return renderer }
            let made = try AssRenderer(
                script: source.script, fonts: content.fonts, geometry: geometry,
                storage: source.canvas ?? geometry.video, breaksAnywhere: !source.isNative)
            renderer = made
            return made
        }

        /// Passes the events of visible cues to libass, within the budget.
        ///
        /// - Returns: `true` if libass starts again without events.
        private func give(_ cues: [Cue]) throws(UndertextError) -> Bool {
            glyphs.forgetIfLarge()
            var budget = FrameBudget(geometry)
            budget.choose(from: cues, source, cost, glyphs)
            if let first = budget.leftOut.first { note(budget.leftOut.count, first) }
            let hadRenderer = self.renderer != nil
            if let renderer = self.renderer,
                renderer.faces.union(budget.faces).count > FontFace.mostOfRenderer
            {
                diagnostics += renderer.takeDiagnostics()
                self.renderer = nil
                given = []
            }
            let isNew = hadRenderer && self.renderer == nil
            let renderer = try usableRenderer()
            renderer.faces.formUnion(budget.faces)
            look(for: budget.asked, renderer)
            // While cues stay, so do their events: libass remembers where it moved them.
            let stays =
                budget.shown.contains { given.contains($0.cue) } && budget.shown.count == cues.count
            if renderer.eventCount > Self.mostEvents || (!stays && renderer.eventCount > 0) {
                renderer.removeEvents()
                given = []
            }
            isAnimated = false
            for (cue, events) in budget.shown {
                if events.contains(where: { ScriptSource.isAnimated($0.line) }) {
                    isAnimated = true
                }
                guard given.insert(cue).inserted else { continue }
                let start = Self.milliseconds(cue.start)
                let duration = Self.milliseconds(cue.end).subtractingReportingOverflow(start)
                for event in events {
                    renderer.add(
                        glyphs.drawable(event.line, event.price.fonts, cost.script), start: start,
                        duration: duration.overflow ? .max / 2 : duration.partialValue)
                }
            }
            return isNew
        }

        /// Looks up characters in libass that were not looked up yet.
        private func look(for asked: [FontFace: FontUse], _ renderer: AssRenderer) {
            for (face, use) in asked {
                let letters = use.letters.union([GlyphCoverageCache.replacement])
                glyphs.learn(
                    letters, without: renderer.missing(letters, lead: use.lead), face)
            }
        }

        private func note(_ count: Int, _ first: Cue) {
            let what = count == 1 ? "text" : "text of \(count) cues"
            note("\(what) was not drawn because it would take too long", first)
        }

        /// The first whole millisecond that is not before a time.
        static func milliseconds(_ time: Timestamp) -> Int64 {
            let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
            return remainder > 0 ? quotient + 1 : quotient
        }
    }
#endif
