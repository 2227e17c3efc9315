#if Rendering
    internal import UndertextCore
    internal import UndertextFormats

    /// A source of the script that libass draws for content.
    struct ScriptSource {
        /// The script up to its events.
        let script: [UInt8]
        /// `true` if the script is the content's own.
        let isNative: Bool
        /// The screen of a generated script: square pixels in the image's aspect ratio; `nil` for the content's
        /// own script, which was made for the video's pixels.
        let canvas: PixelSize?
        private let screen: ASSRenderScript
        private let override: ASSScriptOverride?

        init(
            _ header: SubtitleHeader, geometry: OverlayGeometry, style: SubtitleStyle,
            mayBeNative: Bool
        ) {
            isNative =
                mayBeNative && header.codec.isScript && !header.codecPrivate.isEmpty
            // A canvas of the image's shape, so that nothing is stretched.
            let image = geometry.image
            let height = 1080
            let width = Int(
                (Double(image.width) * Double(height) / Double(image.height)).rounded())
            let square = PixelSize(width: max(1, width), height: height)
            screen = ASSRenderScript(header: header, canvas: square, style: style)
            canvas = isNative ? nil : square
            guard isNative else {
                override = nil
                script = screen.header
                return
            }
            let own = ASSScript(codecPrivate: header.codecPrivate).withoutEvents
            override = ASSScriptOverride(script: own, style: style)
            script = override?.script ?? own
        }

        /// The rules of the track's style sheets that are not drawn.
        var leftOut: [String] { isNative ? [] : screen.leftOut }

        /// The events of a cue; the area of its region only where `areas` lacks it.
        func events(
            of cue: Cue, number: Int, areas: inout Set<RegionBackground>
        ) -> [[UInt8]] {
            guard isNative else { return screen.events(of: cue, number: number, areas: &areas) }
            guard case .ass(let line) = cue.source else { return [] }
            let event = Self.withoutOpenBraces(Array(line.utf8))
            return [override?.event(event) ?? event]
        }

        /// In an event, braces without an end are text.
        ///
        /// For each of them libass searches the rest of the line for the end of the block: 200,000 took a
        /// minute.
        static func withoutOpenBraces(_ line: [UInt8]) -> [UInt8] {
            let closed = line.lastIndex(of: 0x7D).map { $0 + 1 } ?? 0
            guard line[closed...].contains(0x7B), let event = ASSEvent(line) else { return line }
            let start = max(closed, event.text.startIndex)
            var result = Array(line[..<start])
            var isEscaped = false
            for byte in line[start...] {
                if byte == 0x7B, !isEscaped { result.append(0x5C) }
                result.append(byte)
                isEscaped = byte == 0x5C
            }
            return result
        }

        /// The events of a single cue.
        func events(of cue: Cue, number: Int) -> [[UInt8]] {
            var areas: Set<RegionBackground> = []
            return events(of: cue, number: number, areas: &areas)
        }

        /// The cues that look different from each other: scripts repeat text in layers for glows and shadows,
        /// which plain text does not have.
        func distinct(_ cues: [Cue]) -> [Cue] {
            guard !isNative, screen.isPlain else { return cues }
            var seen: Set<String> = []
            return cues.filter { cue in
                cue.plainText.map { seen.insert($0).inserted } ?? true
            }
        }

        /// `true` if the appearance of an event may change over time.
        static func isAnimated(_ event: [UInt8]) -> Bool {
            ASSEvent(event)?.isAnimated ?? false
        }
    }
#endif
