import UndertextRendering

/// Measures an overlay with two lines, of SubRip, of a script and of bitmaps for 1920 × 1080, at that size and at 3840 × 2160.
///
/// The previous overlay is kept, as in a player that is still showing it.
enum OverlayCase {
    private static let count = 200
    private static let lines = [
        "which says something that is said in films,", "and goes on in a second line",
    ]

    static func run() throws {
        for (name, content) in [("srt", subRip), ("ass", script), ("pgs", bitmaps)] {
            try run(name, content, PixelSize(width: 1920, height: 1080))
            try run(name + "-2160", content, PixelSize(width: 3840, height: 2160))
        }
    }

    private static func run(_ name: String, _ content: OverlayContent, _ size: PixelSize) throws {
        let geometry = OverlayGeometry(video: size)
        // The first of a process loads libass and the list of fonts.
        var (process, first) = (Timings(), Timings())
        try process.measure {
            _ = try OverlayRenderer(content, geometry: geometry).overlay(at: .zero)
        }
        for _ in 0..<15 {
            try first.measure {
                _ = try OverlayRenderer(content, geometry: geometry).overlay(at: .zero)
            }
        }
        let renderer = try OverlayRenderer(content, geometry: geometry)
        var held = try renderer.overlay(at: .zero)
        var (changed, unchanged) = (Timings(), Timings())
        var changes = 1.0
        for index in 1..<count {
            let start = Timestamp.seconds(Int64(index))
            let before = held.changeID
            try changed.measure { held = try renderer.overlay(at: start) }
            if held.changeID != before { changes += 1 }
            for frame in 1..<24 {
                let time = start.advanced(by: .milliseconds(frame * 41))
                try unchanged.measure { held = try renderer.overlay(at: time) }
            }
        }
        process.tell("overlay-\(name)-process")
        first.tell("overlay-\(name)-first")
        changed.tell("overlay-\(name)-changed", changes, Double(renderer.drawCount))
        unchanged.tell("overlay-\(name)-unchanged")
    }

    /// Cues as SubRip has them.
    private static var subRip: OverlayContent {
        OverlayContent(
            cues: (0..<count).map { index in
                Cue(
                    order: index, start: .seconds(Int64(index)), end: .seconds(Int64(index) + 1),
                    content: .text(
                        StyledText("Number \(index), \(lines[0])\n\(lines[1])")))
            })
    }

    /// Images of 1100 × 130 pixels, of 16 shades as antialiased text has them.
    private static var bitmaps: OverlayContent {
        let size = PixelSize(width: 1100, height: 130)
        let palette = (0..<16).map { (shade: UInt8) in
            RGBA(red: shade * 17, green: shade * 17, blue: shade * 17, alpha: shade == 0 ? 0 : 255)
        }
        let stroke: [UInt8] = [5, 11, 15, 15, 15, 15, 11, 5]
        return OverlayContent(
            cues: (0..<count).map { index in
                var indices = [UInt8](repeating: 0, count: size.width * size.height)
                for place in indices.indices {
                    let (row, column) = (place / size.width, place % size.width + index)
                    // Strokes of six pixels with soft edges, and nothing between them and the lines.
                    if row % 65 < 50, column % 24 < 8 { indices[place] = stroke[column % 24] }
                }
                let images = IndexedBitmap(
                    width: size.width, height: size.height, indices: indices, palette: palette
                ).map { [PlacedBitmap(x: 410, y: 890, bitmap: $0)] }
                return Cue(
                    order: index, start: .seconds(Int64(index)), end: .seconds(Int64(index) + 1),
                    content: .images(
                        CueImages(
                            canvas: PixelSize(width: 1920, height: 1080), images: images ?? [])))
            })
    }

    /// The same as events of a script.
    private static var script: OverlayContent {
        let header = """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 1920
            PlayResY: 1080

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, \
            Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, \
            Alignment, MarginL, MarginR, MarginV, Encoding
            Style: Default,DejaVu Sans,72,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,\
            3,2,2,20,20,54,1

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
        return OverlayContent(
            header: SubtitleHeader(
                codec: CodecID(rawValue: "ass"), codecPrivate: Array(header.utf8)),
            cues: (0..<count).map { index in
                let text = "Number \(index), \(lines[0])\\N{\\i1}\(lines[1])"
                return Cue(
                    order: index, start: .seconds(Int64(index)), end: .seconds(Int64(index) + 1),
                    content: .text(StyledText(text)),
                    source: .ass("\(index),0,Default,,0,0,0,,\(text)"))
            })
    }
}
