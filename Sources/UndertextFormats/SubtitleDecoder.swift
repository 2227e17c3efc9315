public import UndertextCore

/// Turns the packets of one track into events.
///
/// Keeps what it needs between packets.
///
/// A damaged packet costs that packet, or less, and leaves a ``Diagnostic`` in the sink that the decoder
/// was given; nothing traps.
package protocol SubtitleDecoder {
    /// What belongs to the whole track, known once the decoder exists.
    var header: SubtitleHeader { get }
    /// Where it reports what is lost, repaired or doubtful.
    var diagnostics: DiagnosticSink { get }

    /// The events of one packet, in order.
    mutating func decode(_ packet: Packet) -> [DecodedEvent]

    /// Appends the events of one packet, in order: ``decode(_:)`` without an array for each packet.
    mutating func decode(_ packet: Packet, into events: inout [DecodedEvent])

    /// The events that were held back, at the end of the input.
    mutating func finish() -> [DecodedEvent]

    /// Forgets what earlier packets said: call it after a seek.
    mutating func reset()
}

extension SubtitleDecoder {
    /// Appends what ``decode(_:)`` gives.
    package mutating func decode(_ packet: Packet, into events: inout [DecodedEvent]) {
        let decoded = decode(packet)
        if events.isEmpty { events = decoded } else { events += decoded }
    }
}

/// What a decoder says happens on the screen.
public enum DecodedEvent: Hashable, Sendable {
    /// A cue appears. Its end may still be open.
    case cue(CueDraft)
    /// Everything that this track shows disappears.
    case clear(at: Timestamp)
}

/// A cue whose end may still be open; the engine closes it.
public struct CueDraft: Hashable, Sendable {
    /// The cue; `end` and `endSource` are those of ``end`` where it is known.
    public var cue: Cue
    /// When it disappears and how that is known; `nil` = open until something replaces it.
    public var end: KnownEnd?
    /// The end to take if nothing ends it earlier: what the container says of an image whose
    /// format leaves the end to the next display set.
    public var fallbackEnd: KnownEnd?
    /// `true` if its appearance ends what the track showed before: images do, text does not.
    public var replacesEarlier: Bool

    /// A definite end.
    public struct KnownEnd: Hashable, Sendable {
        /// When the cue disappears.
        public var time: Timestamp
        /// Where that is known from.
        public var source: EndSource

        /// Creates an end.
        public init(time: Timestamp, source: EndSource) {
            self.time = time
            self.source = source
        }
    }

    /// Creates a draft; `cue.end` is set from `end`, or to the cue's start while it is open.
    public init(cue: Cue, end: KnownEnd?, replacesEarlier: Bool) {
        self.cue = cue
        self.end = end
        self.replacesEarlier = replacesEarlier
        self.cue.end = end?.time ?? cue.start
        self.cue.endSource = end?.source ?? .endOfStream
    }
}
