public import UndertextCore

/// What can be taken out of a subtitle stream, and what is known of it without taking it out.
///
/// Unknown is `nil`: an index may not tell.
public struct ExtractionSummary: Hashable, Sendable {
    /// What the cues are made of.
    public enum Kind: String, Hashable, Sendable {
        /// Text.
        case text
        /// Images.
        case bitmap
    }

    /// What the cues are made of.
    public var kind: Kind
    /// `true` if the container's index leads to every packet.
    public var indexed: Bool
    /// Number of packets.
    public var packets: Int?
    /// Number of cues.
    public var cues: Int?
    /// Start of the first cue on the player timeline.
    public var first: Timestamp?
    /// End of the last cue on the player timeline.
    public var last: Timestamp?
    /// Share of the play time with a cue on screen, 0 to 1.
    public var coverage: Double?
    /// The formats that can be written, by name, the default first.
    public var outputs: [String]
    /// Why nothing can be read of it, such as that it is encrypted; `nil` if it should be possible.
    public var refusal: String?

    /// Creates the facts; what is not given is unknown.
    public init(
        kind: Kind, indexed: Bool = false, packets: Int? = nil, cues: Int? = nil,
        first: Timestamp? = nil, last: Timestamp? = nil, coverage: Double? = nil,
        outputs: [String] = [], refusal: String? = nil
    ) {
        self.kind = kind
        self.indexed = indexed
        self.packets = packets
        self.cues = cues
        self.first = first
        self.last = last
        self.coverage = coverage
        self.outputs = outputs
        self.refusal = refusal
    }
}
