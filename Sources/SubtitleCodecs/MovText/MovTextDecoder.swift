public import CueModel
public import MediaCore

/// Decodes 3GPP timed text, `tx3g`: the text tracks of MP4.
public struct MovTextDecoder: SubtitleDecoder, Sendable {
    /// What belongs to the whole track.
    public let header: SubtitleHeader
    /// The track's defaults.
    public let description: MovTextSampleDescription
    private var reader = TextPacketReader()

    /// A decoder for `stream`, whose header is the sample description from its flags on.
    public init(stream: StreamDescription) {
        // QuickTime's older `text` tracks have another description.
        let isQuickTime = stream.details?.codecTagString == "text"
        description = MovTextSampleDescription(isQuickTime ? [] : stream.codecPrivate)
        header = SubtitleHeader(
            codec: .movText, language: stream.language, title: stream.title, canvas: stream.size,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of one sample; none for a gap.
    public mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard !packet.data.isEmpty, let timing = reader.timing(of: packet) else { return [] }
        guard let sample = MovTextSample(packet.data) else {
            reader.report(.error, "truncated-sample", "a sample of one byte", for: packet)
            return []
        }
        if sample.isTruncated {
            reader.report(
                .error, "truncated-sample", "a sample is shorter than its text", for: packet)
        }
        if sample.invalidCount > 0 {
            reader.reportDamage(
                count: sample.invalidCount, offset: sample.firstInvalid, of: packet)
        }
        let styler = MovTextStyler(
            description: description, timeBase: packet.timeBase, start: timing.start)
        let text = styler.styledText(of: sample)
        guard !text.isEmpty else { return [] }
        let cue = Cue(
            start: timing.start, end: timing.start,
            isForced: description.isForced || sample.modifiers.isForced,
            layout: description.layout, content: .text(text))
        return [reader.event(cue, end: timing.end)]
    }

    /// Nothing is held back.
    public mutating func finish() -> [DecodedEvent] { [] }

    /// Starts anew after a seek.
    public mutating func reset() { reader.reset() }

    /// What went wrong since the last call.
    public mutating func takeDiagnostics() -> [Diagnostic] { reader.takeDiagnostics() }
}
