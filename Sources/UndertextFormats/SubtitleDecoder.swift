package import UndertextCore

/// Turns the packets of one track into events.
///
/// Keeps what it needs between packets.
///
/// A damaged packet costs that packet, or less, and leaves a ``Diagnostic`` in the sink that the decoder
/// was given; nothing traps.
package protocol SubtitleDecoder {
    /// The properties of the whole track, known once the decoder exists.
    var header: SubtitleHeader { get }
    /// The sink of diagnostics: lost, repaired or doubtful content.
    var diagnostics: DiagnosticSink { get }

    /// The events of one packet, in order.
    mutating func decode(_ packet: Packet) -> [DecodedEvent]

    /// Appends the events of one packet, in order: ``decode(_:)`` without an array for each packet.
    mutating func decode(_ packet: Packet, into events: inout [DecodedEvent])

    /// The events that were held back, at the end of the input.
    mutating func finish() -> [DecodedEvent]

    /// Discards the state from earlier packets; call it after a seek.
    mutating func reset()

    /// The start of the earliest cue that is on screen and only comes out when it ends; `nil` without one.
    var shownSince: Timestamp? { get }
}

extension SubtitleDecoder {
    /// `nil`: cues come out when they begin.
    package var shownSince: Timestamp? { nil }

    /// Appends what ``decode(_:)`` gives.
    package mutating func decode(_ packet: Packet, into events: inout [DecodedEvent]) {
        let decoded = decode(packet)
        if events.isEmpty { events = decoded } else { events += decoded }
    }
}

/// A change on the screen, reported by a decoder.
package enum DecodedEvent: Hashable, Sendable {
    /// A cue appears. Its end may still be open.
    case cue(DecodedCue)
    /// Everything that this track shows disappears.
    case clear(at: Timestamp)
}
