package import UndertextCore

/// Decodes WebVTT packets: cue text, with identifier and settings as side data.
///
/// Takes libavformat's form (`D_WEBVTT/SUBTITLES`: identifier and settings as side data of their
/// own, inline timestamps of the file), the same from a file with its header, and Matroska's
/// (`S_TEXT/WEBVTT`: a BlockAdditional, inline timestamps relative to the block).
package struct WebVTTDecoder: SubtitleDecoder {
    /// The properties of the whole track; packets may add styles and regions.
    package private(set) var header: SubtitleHeader
    private let inlineTimes: InlineTimeOrigin
    private var knownRegions: Set<String>?
    private let reader: TextPacketReader
    private var hasReportedSettings = false

    /// The sink of diagnostics.
    package var diagnostics: DiagnosticSink { reader.diagnostics }

    /// A decoder for `stream`.
    package init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        reader = TextPacketReader(diagnostics)
        let hasFileHeader = WebVTTFileHeader.hasSignature(stream.codecPrivate)
        let file = WebVTTFileHeader(stream.codecPrivate)
        inlineTimes = WebVTTInlineTimestamps.origin(
            stated: stream.inlineTimeOrigin, header: stream.codecPrivate)
        knownRegions = hasFileHeader ? Set(file.regions.map(\.id)) : nil
        header = SubtitleHeader(
            codec: .webVTT, language: stream.language, title: stream.title,
            styleSheets: file.styleSheets, regions: file.regions,
            codecPrivate: stream.codecPrivate)
        if file.leavesOutStyles {
            diagnostics.report(
                .error, "large-style-sheet",
                "style sheets of more than \(Limits().lineLength) bytes are left out",
                streamIndex: stream.index)
        }
    }

    /// The cue of one packet.
    ///
    /// Empty cues are kept: they may have an identifier.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        if let bytes = packet.sideData(.webVTTHeader) { add(WebVTTFileHeader(bytes)) }
        guard let timing = reader.timing(of: packet) else { return [] }
        let addition = WebVTTBlockAddition(packet: packet)
        var bytes = reader.text(packet.data[...], of: packet)
        if inlineTimes == .packet || addition != nil {
            bytes = WebVTTInlineTimestamps.absolute(bytes, from: timing.start)
        }
        let identifier = sideText(.webVTTIdentifier, of: packet) ?? addition?.identifier ?? []
        let settings = sideText(.webVTTSettings, of: packet) ?? addition?.settings ?? []
        guard !bytes.isEmpty || !identifier.isEmpty else { return [] }
        let layout = layout(settings, of: packet)
        let cue = DecodedCue(
            identifier: String(decoding: identifier, as: UTF8.self), start: timing.start,
            end: timing.end,
            layout: layout,
            content: .text(WebVTTCueText(bytes).styledText),
            source: .webVTT(String(decoding: bytes, as: UTF8.self)))
        return [reader.event(cue)]
    }

    /// Adds styles, and regions of new names.
    private mutating func add(_ file: WebVTTFileHeader) {
        header.styleSheets += file.styleSheets
        let known = Set(header.regions.map(\.id))
        header.regions += file.regions.filter { !known.contains($0.id) }
        knownRegions?.formUnion(file.regions.map(\.id))
    }

    /// The layout of a cue; the first setting without effect is reported.
    private mutating func layout(_ settings: [UInt8], of packet: Packet) -> CueLayout {
        guard !settings.isEmpty else { return CueLayout() }
        var ignored: ArraySlice<UInt8>?
        let layout = WebVTTSettings.layout(
            settings[...], regions: knownRegions, ignored: &ignored)
        if let ignored, !hasReportedSettings {
            hasReportedSettings = true
            diagnostics.report(
                .warning, "ignored-setting",
                "the cue setting \(ignored.prefix(100).text) is ignored, here and in other cues",
                for: packet)
        }
        return layout
    }

    private func sideText(_ kind: SideData.Kind, of packet: Packet) -> [UInt8]? {
        packet.sideData(kind).map { PacketText($0).bytes }
    }

    /// Nothing is held back.
    package mutating func finish() -> [DecodedEvent] { [] }

    /// Nothing is kept between packets.
    package mutating func reset() {}
}
