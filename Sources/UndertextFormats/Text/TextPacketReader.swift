internal import UndertextCore

/// Reads the times and text of packets for all decoders of text, and reports damage.
struct TextPacketReader {
    /// The sink of diagnostics.
    let diagnostics: DiagnosticSink

    init(_ diagnostics: DiagnosticSink) { self.diagnostics = diagnostics }

    /// The maximum length of a packet's text in bytes: that of a line of a text file.
    ///
    /// Each byte may cost a hundred bytes in text runs, and ten in an output.
    static let longestText = Limits().lineLength

    /// The start of a packet and its end, if the packet states one.
    struct Timing {
        /// The start of the cue.
        var start: Timestamp
        /// The end of the cue.
        var end: DecodedCue.KnownEnd?
    }

    /// The times of `packet`; `nil`, with a diagnostic, for a packet without a time.
    func timing(of packet: Packet) -> Timing? {
        guard let start = diagnostics.start(of: packet) else { return nil }
        guard let duration = packet.duration, duration != 0 else {
            return Timing(start: start, end: nil)
        }
        guard duration > 0, let end = packet.end, end > start else {
            diagnostics.report(
                .warning, "negative-duration",
                "a packet ends before it starts: it lasts until the next one", for: packet)
            return Timing(start: start, end: nil)
        }
        return Timing(
            start: start, end: DecodedCue.KnownEnd(time: end, source: .containerDuration))
    }

    /// The text of a packet that contains only text; reports damage.
    func text(of packet: Packet) -> [UInt8] {
        guard packet.data.count <= Self.longestText else {
            return text(packet.data[...], of: packet)
        }
        let text = PacketText(packet.data)
        if let damage = text.damage {
            reportDamage(count: damage.count, offset: damage.offset, of: packet)
        }
        return text.bytes
    }

    /// The text of `data`, which is at `offset` in the packet; reports damage.
    func text(
        _ data: ArraySlice<UInt8>, at offset: Int = 0, of packet: Packet
    ) -> [UInt8] {
        let text = PacketText(shortened(data, of: packet))
        if let damage = text.damage {
            reportDamage(count: damage.count, offset: damage.offset + offset, of: packet)
        }
        return text.bytes
    }

    /// The text up to the limit for a packet, in whole characters; reports a cut.
    private func shortened(
        _ data: ArraySlice<UInt8>, of packet: Packet
    ) -> ArraySlice<UInt8> {
        guard data.count > Self.longestText else { return data }
        diagnostics.report(
            .error, "long-cue",
            "the text of the cue is cut to \(Self.longestText) bytes", for: packet)
        var end = data.startIndex + Self.longestText
        while end > data.startIndex, data[end] & 0xC0 == 0x80 { end -= 1 }
        return data[..<end]
    }

    /// Reports characters that could not be decoded, the first one at `offset` in the packet.
    func reportDamage(count: Int, offset: Int, of packet: Packet) {
        diagnostics.report(
            .error, "invalid-utf8",
            "\(count) invalid \(count == 1 ? "character" : "characters") became U+FFFD,"
                + " the first at byte \(offset) of the packet", for: packet)
    }

    /// The event for a cue.
    ///
    /// Reports text with more runs than ``StyledTextBuilder`` distinguishes.
    func event(_ cue: DecodedCue) -> DecodedEvent {
        diagnostics.reportComplexity(of: cue.content, at: cue.start)
        return .cue(cue)
    }
}

extension DiagnosticSink {
    /// Reports text with more runs than its builder distinguishes.
    func reportComplexity(of content: CueContent, at time: Timestamp) {
        guard case .text(let text) = content, text.unstyled == nil,
            text.runs.count >= StyledTextBuilder.runsAtMost
        else { return }
        report(
            .error, "complex-text",
            "the style of the text changes too often; after \(StyledTextBuilder.runsAtMost) changes "
                + "it stays as it is", time: time)
    }
}
