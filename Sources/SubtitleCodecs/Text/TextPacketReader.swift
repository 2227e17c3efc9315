internal import CueModel
internal import MediaCore

/// What the decoders of text packets have in common: times, order, diagnostics.
struct TextPacketReader {
    private var diagnostics: [Diagnostic] = []
    private var order = 0

    /// The start of a packet and its end, if the packet states one.
    struct Timing {
        /// When the cue appears.
        var start: Timestamp
        /// When it disappears.
        var end: CueDraft.KnownEnd?
    }

    /// The times of `packet`; `nil`, with a diagnostic, for a packet without a time.
    mutating func timing(of packet: Packet) -> Timing? {
        guard let start = packet.start else {
            report(.error, "missing-time", "a packet without a time was left out", for: packet)
            return nil
        }
        guard let duration = packet.duration, duration != 0 else {
            return Timing(start: start, end: nil)
        }
        guard duration > 0, let end = packet.end, end > start else {
            report(
                .warning, "negative-duration",
                "a packet ends before it starts: it lasts until the next one", for: packet)
            return Timing(start: start, end: nil)
        }
        return Timing(
            start: start, end: CueDraft.KnownEnd(time: end, source: .containerDuration))
    }

    /// The text of a packet that is nothing else; damage is reported.
    mutating func text(of packet: Packet) -> [UInt8] {
        let text = PacketText(packet.data)
        if let damage = text.damage {
            reportDamage(count: damage.count, offset: damage.offset, of: packet)
        }
        return text.bytes
    }

    /// The text of `data`, which lies `offset` bytes into the packet; damage is reported.
    mutating func text(
        _ data: ArraySlice<UInt8>, at offset: Int = 0, of packet: Packet
    ) -> [UInt8] {
        let text = PacketText(data)
        if let damage = text.damage {
            reportDamage(count: damage.count, offset: damage.offset + offset, of: packet)
        }
        return text.bytes
    }

    /// Reports characters that could not be decoded, the first one at `offset` in the packet.
    mutating func reportDamage(count: Int, offset: Int, of packet: Packet) {
        report(
            .error, "invalid-utf8",
            "\(count) invalid \(count == 1 ? "character" : "characters") became U+FFFD,"
                + " the first at byte \(offset) of the packet", for: packet)
    }

    /// The event of a cue; the cue's order is the next one.
    mutating func event(_ cue: Cue, end: CueDraft.KnownEnd?) -> DecodedEvent {
        var cue = cue
        cue.order = order
        order += 1
        return .cue(CueDraft(cue: cue, end: end, replacesEarlier: false))
    }

    /// Starts to count cues anew.
    mutating func reset() { order = 0 }

    /// Notes a diagnostic about `packet`.
    mutating func report(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, for packet: Packet
    ) {
        diagnostics.append(
            Diagnostic(
                severity, code, message, streamIndex: packet.streamIndex, time: packet.start,
                byteOffset: packet.position))
    }

    /// What was noted since the last call.
    mutating func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }
}
