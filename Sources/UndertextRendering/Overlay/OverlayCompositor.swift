#if Rendering
    internal import UndertextCore
    internal import UndertextFormats

    /// Composites the layers of an overlay and tracks the changes since the previous frame.
    final class OverlayCompositor {
        private(set) var drawCount = 0

        private let geometry: OverlayGeometry
        private let limits: Limits
        private var contents: [OverlaySlot: OverlayContent]
        private var styles: [OverlaySlot: SubtitleStyle]
        /// From the lowest up.
        private var layers: [Placed] = []
        /// The buffer of the last overlay.
        private var buffer: PixelBuffer
        /// The buffer of an earlier overlay, which a caller may still hold.
        private var spare: PixelBuffer?
        private var changeID: UInt64 = 0
        private var diagnostics: [Diagnostic] = []

        /// A layer and its visible part on the buffer.
        private struct Placed {
            let slot: OverlaySlot
            var layer: OverlayLayer
            var drawn = PixelRectangle.none
            /// `true` if the buffer does not show what the layer does.
            var isStale = false
            /// The rows by which the layer is drawn lower, so that it does not cover another one.
            var shift = 0

            /// The visible part of the layer where it is drawn.
            var bounds: PixelRectangle { layer.bounds.moved(down: shift) }
        }

        init(
            _ first: OverlayContent, second: OverlayContent?, geometry: OverlayGeometry,
            styles: [OverlaySlot: SubtitleStyle], limits: Limits
        ) throws(UndertextError) {
            if let problem = geometry.problem(limits) { throw problem }
            self.geometry = geometry
            self.limits = limits
            self.styles = styles
            contents = [.first: first]
            contents[.second] = second
            buffer = PixelBuffer(
                width: geometry.output.width, height: geometry.output.height,
                format: geometry.format)
            for slot in OverlaySlot.allCases {
                guard let content = contents[slot] else { continue }
                layers.append(Placed(slot: slot, layer: try makeLayer(slot, content)))
                // The layer keeps them.
                contents[slot]?.cues = []
            }
        }

        /// Returns a compositor of the same content for other sizes.
        func resized(to geometry: OverlayGeometry) throws(UndertextError) -> OverlayCompositor {
            var contents = contents
            for layer in layers { contents[layer.slot]?.cues = layer.layer.cues }
            return try OverlayCompositor(
                contents[.first] ?? OverlayContent(), second: contents[.second],
                geometry: geometry, styles: styles, limits: limits)
        }

        private func makeLayer(
            _ slot: OverlaySlot, _ content: OverlayContent
        ) throws(UndertextError) -> OverlayLayer {
            var style = styles[slot] ?? SubtitleStyle()
            if slot == .second, style.position == nil { style.position = .top }
            return try OverlayLayer(
                content, geometry: geometry, style: style, mayBeNative: slot == .first,
                limits: limits)
        }

        func append(_ cues: [Cue], to slot: OverlaySlot) throws(UndertextError) {
            try layer(of: slot).append(cues)
        }

        func replace(_ cues: [Cue], in slot: OverlaySlot) throws(UndertextError) {
            try layer(of: slot).replace(cues)
        }

        private func layer(of slot: OverlaySlot) throws(UndertextError) -> OverlayLayer {
            guard let layer = layers.first(where: { $0.slot == slot })?.layer else {
                throw UndertextError(.notFound, "there is no second content")
            }
            return layer
        }

        func setStyle(_ style: SubtitleStyle, of slot: OverlaySlot) throws(UndertextError) {
            guard styles[slot] != style, var content = contents[slot],
                let place = layers.firstIndex(where: { $0.slot == slot })
            else { return }
            styles[slot] = style
            content.cues = layers[place].layer.cues
            diagnostics += layers[place].layer.takeDiagnostics()
            layers[place].layer = try makeLayer(slot, content)
            // The new layer does not erase what the old one drew, and may be empty itself.
            if !layers[place].drawn.isEmpty { layers[place].isStale = true }
        }

        func takeDiagnostics() -> [Diagnostic] {
            defer { diagnostics = [] }
            return diagnostics + layers.flatMap { $0.layer.takeDiagnostics() }
        }

        func nextChange(after time: Timestamp) -> Timestamp? {
            let now = Self.wholeMilliseconds(time)
            if layers.contains(where: { $0.layer.isAnimated(at: now) }) {
                return .milliseconds(now + 1)
            }
            return layers.compactMap { $0.layer.nextChange(after: now) }.min().map {
                Timestamp.milliseconds($0)
            }
        }

        func overlay(at time: Timestamp) throws(UndertextError) -> Overlay {
            let now = Self.wholeMilliseconds(time)
            var dirty: [PixelRectangle] = []
            var hasChanged = changeID == 0
            for index in layers.indices {
                // Stays so where another layer fails.
                if try layers[index].layer.update(to: now) { layers[index].isStale = true }
            }
            separateLayers()
            for layer in layers where layer.isStale {
                hasChanged = true
                dirty += [layer.drawn, layer.bounds.intersection(buffer.bounds)]
            }
            if hasChanged {
                changeID += 1
                draw()
            }
            let bounds = layers.reduce(PixelRectangle.none) { $0.union($1.drawn) }
            return Overlay(
                width: buffer.width, height: buffer.height, format: buffer.format,
                shared: buffer.pixels, bounds: bounds, dirty: PixelRectangle.merged(dirty),
                changeID: changeID,
                isAnimated: layers.contains { $0.layer.isAnimated })
        }

        private func draw() {
            drawCount += 1
            takeBuffer()
            buffer.clear()
            for index in layers.indices {
                draw(layers[index], opacity: styles[layers[index].slot]?.opacity ?? 1)
                layers[index].drawn = layers[index].bounds.intersection(buffer.bounds)
                layers[index].isStale = false
            }
            buffer.drawn = layers.map(\.drawn)
        }

        /// Switches to a buffer that no overlay uses; a player usually holds the last overlay only.
        private func takeBuffer() {
            guard !buffer.isUnshared else { return }
            let last = buffer
            if spare?.isUnshared == true, let spare {
                buffer = spare
            } else {
                buffer = PixelBuffer(width: last.width, height: last.height, format: last.format)
            }
            spare = last
        }

        private func draw(_ placed: Placed, opacity: Double) {
            let layer = placed.layer
            guard opacity < 1 || placed.shift != 0 else {
                layer.draw(into: &buffer)
                return
            }
            // A layer fades as a whole, otherwise text would show the content below it.
            let below = buffer.copy(layer.bounds)
            buffer.clear(layer.bounds)
            layer.draw(into: &buffer)
            buffer.fade(layer.bounds, to: UInt8(max(0, opacity) * 255))
            var above = buffer.copy(layer.bounds)
            buffer.clear(layer.bounds)
            buffer.draw(below)
            above.place = above.place.moved(down: placed.shift)
            buffer.draw(above)
        }

        /// Moves the second layer below what the first one shows at the top, unless the viewer has placed it, or there
        /// is no room.
        private func separateLayers() {
            guard styles[.second]?.position == nil,
                let index = layers.firstIndex(where: { $0.slot == .second }),
                let first = layers.first(where: { $0.slot == .first })?.layer
            else { return }
            let own = layers[index].layer.bounds
            var shift = 0
            if !own.isEmpty, !own.intersection(first.bounds).isEmpty {
                // From the top, so that each part can only move it farther down.
                for part in first.parts.sorted(by: { $0.y < $1.y })
                where !part.intersection(own.moved(down: shift)).isEmpty {
                    shift = part.y + part.height - own.y
                }
                if own.y + own.height + shift > buffer.height { shift = 0 }
            }
            guard shift != layers[index].shift else { return }
            layers[index].shift = shift
            layers[index].isStale = true
        }

        /// Returns the last whole millisecond that is not after a time.
        private static func wholeMilliseconds(_ time: Timestamp) -> Int64 {
            let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
            return remainder < 0 ? quotient - 1 : quotient
        }
    }
#endif
