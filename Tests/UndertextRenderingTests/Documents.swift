import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// A text file as content, its cues closed as the engine does.
func content(_ text: String, _ format: SubtitleFormat) throws -> OverlayContent {
    let reader = try #require(format.reader(of: Array(text.utf8), diagnostics: DiagnosticSink()))
    var decoder = try #require(
        SubtitleFormat.decoder(of: reader.stream, diagnostics: DiagnosticSink()))
    var result = OverlayContent(header: decoder.header)
    var drafts: [DecodedCue] = []
    while let packet = try reader.nextPacket() {
        for case .cue(let draft) in decoder.decode(packet) { drafts.append(draft) }
    }
    for case .cue(let draft) in decoder.finish() { drafts.append(draft) }
    for (index, draft) in drafts.enumerated() {
        var cue = draft.cue()
        cue.order = index
        if draft.end == nil { cue.end = cue.start.advanced(by: .seconds(10)) }
        result.cues.append(cue)
    }
    return result
}

/// A cue of text from 1 s to 3 s.
func textCue(_ text: String, layout: CueLayout = CueLayout(), order: Int = 0) -> Cue {
    textCue(StyledText(text), layout: layout, order: order)
}

/// A cue of text from 1 s to 3 s.
func textCue(_ text: StyledText, layout: CueLayout = CueLayout(), order: Int = 0) -> Cue {
    Cue(
        order: order, start: .seconds(1), end: .seconds(3), layout: layout, content: .text(text))
}

/// A renderer of cues for a video of 640 × 360.
func renderer(
    _ cues: [Cue], header: SubtitleHeader = SubtitleHeader(), style: SubtitleStyle = SubtitleStyle()
) throws -> OverlayRenderer {
    try OverlayRenderer(
        OverlayContent(header: header, cues: cues), geometry: small, style: style)
}

/// A video of 640 × 360, drawn at that size.
let small = OverlayGeometry(video: PixelSize(width: 640, height: 360))
/// A video of 1920 × 1080, drawn at that size.
let large = OverlayGeometry(video: PixelSize(width: 1920, height: 1080))

/// A script with dialogue, karaoke, a sign, a drawing and blur.
let sampleScript = """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 1280
    PlayResY: 720

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, \
    Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, \
    MarginL, MarginR, MarginV, Encoding
    Style: Default,DejaVu Sans,48,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,2,2,2,20,20,20,1
    Style: Sign,DejaVu Serif,60,&H0000FFFF,&H000000FF,&H00400040,&H00000000,-1,0,0,0,100,100,0,15,1,3,0,5,20,20,20,1

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Dialogue: 0,0:00:01.00,0:00:05.00,Default,,0,0,0,,{\\k60}ka{\\k60}ra{\\kf120}o{\\k60}ke
    Dialogue: 0,0:00:01.00,0:00:05.00,Sign,,0,0,0,,{\\pos(400,250)\\frz30\\fad(500,500)}Rotated sign
    Dialogue: 1,0:00:01.00,0:00:05.00,Default,,0,0,0,,{\\an7\\pos(900,100)\\p1\\c&H00FF00&}m 0 0 l 200 0 100 150
    Dialogue: 0,0:00:01.00,0:00:05.00,Default,,0,0,0,,{\\an9\\fnDejaVu Sans Mono\\blur4\\bord6\\3c&HFF0000&}blurred mono

    """
