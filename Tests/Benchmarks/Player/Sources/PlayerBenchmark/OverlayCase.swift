import UndertextRendering

/// Measures an overlay of 1920 × 1080 with two lines, of SubRip and of a script.
///
/// The previous overlay is kept, as in a player that is still showing it.
enum OverlayCase {
    private static let count = 200
    private static let lines = [
        "which says something that is said in films,", "and goes on in a second line",
    ]

    static func run() throws {
        for (name, content) in [("srt", subRip), ("ass", script)] { try run(name, content) }
    }

    private static func run(_ name: String, _ content: OverlayContent) throws {
        let geometry = OverlayGeometry(video: PixelSize(width: 1920, height: 1080))
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
