public import UndertextCore

/// Decodes ASS and SSA packets in Matroska's form.
///
/// Each cue keeps its event line, the header keeps the script, so ASS to ASS loses nothing. A cue
/// that is only a drawing has empty text: writers record ``ASSFeatures/drawing`` and skip it.
public struct ASSDecoder: SubtitleDecoder, Sendable {
    /// What belongs to the whole track.
    public let header: SubtitleHeader
    /// The script's header.
    public let script: ASSScriptHeader
    private var reader = TextPacketReader()
    private var looks: [String: (style: ASSStyle, look: TextStyle)] = [:]

    /// A decoder for `stream`, whose header is the script up to its events.
    public init(stream: StreamDescription) {
        script = ASSScriptHeader(stream.codecPrivate)
        header = SubtitleHeader(
            codec: stream.codec == .ssa || script.isLegacy ? .ssa : .ass,
            language: stream.language ?? script.language, title: stream.title ?? script.title,
            canvas: script.canvas,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of one packet.
    public mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let timing = reader.timing(of: packet) else { return [] }
        let line = reader.text(packet.data[...], of: packet)
        guard !line.isEmpty else { return [] }
        guard let event = ASSEvent(line) else {
            reader.report(
                .error, "malformed-event",
                "an event with fewer than nine fields was left out", for: packet)
            return []
        }
        let (style, look) = styleAndLook(named: event.style)
        var parser = ASSTextParser(
            header: script, style: style, look: look,
            voice: event.name.isEmpty ? nil : event.name.text, start: timing.start)
        let text = parser.parse(event.text)
        let layout = ASSLayout(
            canvas: script.canvas, alignment: parser.alignment ?? style.alignment,
            position: parser.position,
            left: ASSMargin(event: event.marginLeft, style: style.marginLeft),
            right: ASSMargin(event: event.marginRight, style: style.marginRight),
            vertical: ASSMargin(event: event.marginVertical, style: style.marginVertical))
        let cue = Cue(
            start: timing.start, end: timing.start,
            layer: header.codec == .ssa ? 0 : event.layer, layout: layout.cueLayout,
            content: .text(text), source: .ass(String(decoding: line, as: UTF8.self)))
        return [reader.event(cue, end: timing.end)]
    }

    /// Nothing is held back.
    public mutating func finish() -> [DecodedEvent] { [] }

    /// Starts anew after a seek.
    public mutating func reset() { reader.reset() }

    /// What went wrong since the last call.
    public mutating func takeDiagnostics() -> [Diagnostic] { reader.takeDiagnostics() }

    /// The style of that name and how it looks, computed once for each name.
    private mutating func styleAndLook(named name: String) -> (ASSStyle, TextStyle) {
        if let known = looks[name] { return known }
        let style = script.style(named: name)
        let entry = (
            style: style, look: ASSTextState(style: style).textStyle(canvas: script.canvas)
        )
        // Names that scripts do not define are as many as events: keep the cache small.
        if looks.count < 10_000 { looks[name] = entry }
        return entry
    }
}
