public import CueModel
public import MediaCore

/// Decodes WebVTT packets: cue text, with identifier and settings as side data.
///
/// Takes libavformat's form (`D_WEBVTT/SUBTITLES`: identifier and settings as side data of their
/// own, inline timestamps of the file) and Matroska's (`S_TEXT/WEBVTT`: a BlockAdditional, inline
/// timestamps relative to the block).
public struct WebVTTDecoder: SubtitleDecoder, Sendable {
    /// What inline timestamps count from.
    public enum InlineTimestamps: Hashable, Sendable {
        /// The zero of the timeline.
        case timeline
        /// The start of the packet.
        case packet
    }

    /// What belongs to the whole track.
    public let header: SubtitleHeader
    private let inlineTimestamps: InlineTimestamps
    private let knownRegions: [Region]?
    private var reader = TextPacketReader()

    /// A decoder for `stream`.
    ///
    /// Without `inlineTimestamps` a stream whose header is that of a WebVTT file counts as
    /// `S_TEXT/WEBVTT`, the only mapping that stores it.
    public init(stream: StreamDescription, inlineTimestamps: InlineTimestamps? = nil) {
        let hasFileHeader = WebVTTFileHeader.hasSignature(stream.codecPrivate)
        let file = WebVTTFileHeader(stream.codecPrivate)
        self.inlineTimestamps = inlineTimestamps ?? (hasFileHeader ? .packet : .timeline)
        knownRegions = hasFileHeader ? file.regions : nil
        header = SubtitleHeader(
            codec: .webVTT, language: stream.language, title: stream.title,
            styleSheets: file.styleSheets, regions: file.regions,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of one packet.
    ///
    /// An empty cue is a cue: it may hold nothing but an identifier.
    public mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let timing = reader.timing(of: packet) else { return [] }
        let addition = WebVTTBlockAddition(packet: packet)
        var bytes = reader.text(packet.data[...], of: packet)
        if inlineTimestamps == .packet || addition != nil {
            bytes = WebVTTInlineTimestamps.absolute(bytes, from: timing.start)
        }
        let identifier = sideText(.webVTTIdentifier, of: packet) ?? addition?.identifier ?? []
        let settings = sideText(.webVTTSettings, of: packet) ?? addition?.settings ?? []
        guard !bytes.isEmpty || !identifier.isEmpty else { return [] }
        let cue = Cue(
            id: String(decoding: identifier, as: UTF8.self), start: timing.start,
            end: timing.start,
            layout: WebVTTSettings.layout(settings[...], regions: knownRegions),
            content: .text(WebVTTCueText(bytes).styledText),
            source: .webVTT(String(decoding: bytes, as: UTF8.self)))
        return [reader.event(cue, end: timing.end)]
    }

    private func sideText(_ kind: SideData.Kind, of packet: Packet) -> [UInt8]? {
        packet.sideData(kind).map { PacketText($0).bytes }
    }

    /// Nothing is held back.
    public mutating func finish() -> [DecodedEvent] { [] }

    /// Starts anew after a seek.
    public mutating func reset() { reader.reset() }

    /// What went wrong since the last call.
    public mutating func takeDiagnostics() -> [Diagnostic] { reader.takeDiagnostics() }
}
