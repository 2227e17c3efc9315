import Testing
import UndertextCore
import UndertextFormats

/// A packet of a text stream from 10 s to 12 s.
func packet(
    _ data: [UInt8], pts: Int64? = 10_000, duration: Int64? = 2000, sideData: [SideData] = []
) -> Packet {
    Packet(
        streamIndex: 3, pts: pts, duration: duration, timeBase: .milliseconds, position: 500,
        data: data, sideData: sideData)
}

/// A packet of a text stream from 10 s to 12 s.
func packet(_ text: String, sideData: [SideData] = []) -> Packet {
    packet(Array(text.utf8), sideData: sideData)
}

/// A stream of a codec.
func stream(_ codec: CodecID, header: [UInt8] = [], size: PixelSize? = nil) -> StreamDescription {
    StreamDescription(
        index: 3, kind: .text, codec: codec, language: LanguageTag("en"), title: "Title",
        codecPrivate: header, size: size)
}

/// The drafts among events.
func drafts(_ events: [DecodedEvent]) -> [DecodedCue] {
    events.compactMap { event in
        if case .cue(let draft) = event { return draft }
        return nil
    }
}

/// The styled text of a cue; empty for images.
func styledText(_ cue: Cue) -> StyledText {
    if case .text(let text) = cue.content { return text }
    return StyledText()
}

/// Runs as text for comparisons: `ab[i color=ff0000ff]c[b]`.
func dump(_ text: StyledText) -> String {
    text.runs.map { run in
        let style = run.style
        var notes: [String] = []
        if style.isItalic { notes.append("i") }
        if style.isBold { notes.append("b") }
        if style.isUnderlined { notes.append("u") }
        if style.isStruckThrough { notes.append("s") }
        if let color = style.color { notes.append("color=\(hex(color))") }
        if let color = style.background { notes.append("background=\(hex(color))") }
        if let font = style.font { notes.append("font=\(font)") }
        if let size = style.fontSize { notes.append("size=\(size)") }
        if !style.classes.isEmpty { notes.append("class=\(style.classes.joined(separator: "."))") }
        if let voice = style.voice { notes.append("voice=\(voice)") }
        if let language = style.language { notes.append("lang=\(language)") }
        if let ruby = run.ruby { notes.append("ruby=\(ruby)") }
        if let time = run.appearsAt { notes.append("at=\(decimalSeconds(time))") }
        return run.text + (notes.isEmpty ? "" : "[\(notes.joined(separator: " "))]")
    }.joined(separator: "|")
}

/// A layout as text, without what is the default.
func dump(_ layout: CueLayout) -> String {
    var notes: [String] = []
    if layout.vertical != .horizontal { notes.append("vertical:\(layout.vertical.rawValue)") }
    if let line = layout.line {
        notes.append("line:\(line)\(layout.snapToLines ? "" : "%"),\(layout.lineAlignment)")
    }
    if let position = layout.position {
        notes.append("position:\(position)%,\(layout.positionAlignment)")
    }
    if layout.size != 100 { notes.append("size:\(layout.size)%") }
    if layout.textAlignment != .center { notes.append("align:\(layout.textAlignment)") }
    if let region = layout.region { notes.append("region:\(region)") }
    return notes.joined(separator: " ")
}

private func hex(_ color: RGBA) -> String {
    let digits = String(color.rawValue, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
}
