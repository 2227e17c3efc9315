package import UndertextCore

/// Decodes 3GPP timed text, `tx3g`: the text tracks of MP4.
package struct TX3GDecoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader
    /// The track's defaults, as they hold for the last sample.
    package private(set) var description: TX3GSampleDescription
    private let first: TX3GSampleDescription
    private let area: TrackArea?
    private let reader: TextPacketReader
    /// The features that were reported already.
    private var reported: Set<TX3GEffect> = []

    /// The sink of diagnostics.
    package var diagnostics: DiagnosticSink { reader.diagnostics }

    /// A decoder for `stream`, whose header is the sample description from its flags on.
    package init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        reader = TextPacketReader(diagnostics)
        // QuickTime's older `text` tracks have another description.
        let isQuickTime = stream.details?.codecTagString == "text"
        description = TX3GSampleDescription(isQuickTime ? [] : stream.codecPrivate)
        first = description
        area = isQuickTime ? nil : stream.area
        header = SubtitleHeader(
            codec: .movText, language: stream.language, title: stream.title, canvas: stream.size,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of one sample; none for a gap.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        if let changed = packet.sideData(.newExtradata) {
            description = TX3GSampleDescription(changed)
        }
        guard !packet.data.isEmpty, let timing = reader.timing(of: packet) else { return [] }
        guard let sample = TX3GSample(packet.data) else {
            diagnostics.report(.error, "truncated-sample", "a sample of one byte", for: packet)
            return []
        }
        if sample.isTruncated {
            diagnostics.report(
                .error, "truncated-sample", "a sample is shorter than its text", for: packet)
        }
        if sample.invalidCount > 0 {
            reader.reportDamage(
                count: sample.invalidCount, offset: sample.firstInvalid, of: packet)
        }
        let styler = TX3GStyler(
            description: description, timeBase: packet.timeBase, start: timing.start)
        let text = styler.styledText(of: sample)
        // An empty sample clears the screen: cues without a duration end here.
        guard !text.isEmpty else { return [.clear(at: timing.start)] }
        report(sample.modifiers.effects, of: packet)
        if description.scrolls { report([.scroll], of: packet) }
        let placement = TX3GPlacement(description: description, area: area)
        let cue = DecodedCue(
            start: timing.start, end: timing.end,
            isForced: description.isForced || sample.modifiers.isForced,
            layout: placement.layout(in: sample.modifiers.box), content: .text(text))
        return [reader.event(cue)]
    }

    /// Nothing is held back.
    package mutating func finish() -> [DecodedEvent] { [] }

    /// Starts again after a seek.
    package mutating func reset() {
        description = first
    }

    /// Tells once a track of each effect that cues cannot have.
    private mutating func report(_ effects: Set<TX3GEffect>, of packet: Packet) {
        for effect in effects.subtracting(reported).sorted(by: { $0.rawValue < $1.rawValue }) {
            reported.insert(effect)
            diagnostics.report(
                .warning, "ignored-effect",
                "\(effect.rawValue) is ignored in this track",
                for: packet)
        }
    }
}
