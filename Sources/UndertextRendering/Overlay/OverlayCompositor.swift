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
        private var buffer: PixelBuffer
        private var changeID: UInt64 = 0
        private var diagnostics: [Diagnostic] = []

        /// A layer and its visible part on the buffer.
        private struct Placed {
            let slot: OverlaySlot
            var layer: OverlayLayer
            var drawn = PixelRectangle.none
            /// `true` if the buffer does not show what the layer does.
            var isStale = false
        }

        init(
            _ primary: OverlayContent, secondary: OverlayContent?, geometry: OverlayGeometry,
            styles: [OverlaySlot: SubtitleStyle], limits: Limits
        ) throws(UndertextError) {
            if let problem = geometry.problem(limits) { throw problem }
            self.geometry = geometry
            self.limits = limits
            self.styles = styles
            contents = [.primary: primary]
            contents[.secondary] = secondary
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
                contents[.primary] ?? OverlayContent(), secondary: contents[.secondary],
                geometry: geometry, styles: styles, limits: limits)
        }

        private func makeLayer(
            _ slot: OverlaySlot, _ content: OverlayContent
        ) throws(UndertextError) -> OverlayLayer {
            var style = styles[slot] ?? SubtitleStyle()
            if slot == .secondary, style.position == nil { style.position = .top }
            return try OverlayLayer(
                content, geometry: geometry, style: style, mayBeNative: slot == .primary,
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
                throw UndertextError(.notFound, "there is no secondary content")
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
            for layer in layers where layer.isStale {
                hasChanged = true
                dirty += [layer.drawn, layer.layer.bounds]
            }
            if hasChanged {
                changeID += 1
                draw()
            }
            let bounds = layers.reduce(PixelRectangle.none) { $0.union($1.drawn) }
            return Overlay(
                width: buffer.width, height: buffer.height, format: buffer.format,
                pixels: buffer.bytes, bounds: bounds, dirty: PixelRectangle.merged(dirty),
                changeID: changeID,
                isAnimated: layers.contains { $0.layer.isAnimated })
        }

        private func draw() {
            drawCount += 1
            for layer in layers { buffer.clear(layer.drawn) }
            for index in layers.indices {
                let layer = layers[index].layer
                let opacity = styles[layers[index].slot]?.opacity ?? 1
                draw(layer, opacity: opacity)
                layers[index].drawn = layer.bounds
                layers[index].isStale = false
            }
        }

        private func draw(_ layer: OverlayLayer, opacity: Double) {
            guard opacity < 1 else {
                layer.draw(into: &buffer)
                return
            }
            // All of a layer fades at once, or letters would show what is below them.
            let below = buffer.copy(layer.bounds)
            buffer.clear(layer.bounds)
            layer.draw(into: &buffer)
            buffer.fade(layer.bounds, to: UInt8(max(0, opacity) * 255))
            let above = buffer.copy(layer.bounds)
            buffer.clear(layer.bounds)
            buffer.draw(below)
            buffer.draw(above)
        }

        /// Returns the last whole millisecond that is not after a time.
        private static func wholeMilliseconds(_ time: Timestamp) -> Int64 {
            let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
            return remainder < 0 ? quotient - 1 : quotient
        }
    }
#endif
