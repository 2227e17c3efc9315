package import UndertextCore

/// The description of one input.
package struct ProbeReport: Hashable, Sendable {
    /// The input as the user named it, a URL without its secrets.
    package var input: String
    /// The container as its reader found it.
    package var container: ContainerDescription
    /// The extractable content by stream index; streams without an entry are `null` in JSON.
    package var facts: [Int: ExtractionSummary]
    /// The closed captions in video streams, such as `CEA-608`, by stream index; empty if none were found,
    /// without an entry if the stream was not examined.
    package var captions: [Int: [String]]
    /// The video streams that may carry closed captions and were not searched for them.
    package var unsearched: Set<Int>
    /// `true` if only subtitle streams are reported.
    package var subtitlesOnly: Bool
    /// The input in a player's words.
    package var content: ContentInfo
    /// `true` if ``input`` is a URL with secrets that were left out.
    var hidesSecrets: Bool

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - input: The input as the user named it, not as it was opened (`file:…`).
    ///   - container: The container as its reader found it.
    ///   - facts: What can be taken out, by stream index.
    ///   - captions: The closed captions in video streams, by stream index.
    ///   - unsearched: The video streams that were not searched for closed captions.
    ///   - subtitlesOnly: `true` to include only subtitle streams.
    ///   - content: The input's description for players; `nil` to derive it from the container's streams.
    package init(
        input: String, container: ContainerDescription, facts: [Int: ExtractionSummary] = [:],
        captions: [Int: [String]] = [:], unsearched: Set<Int> = [], subtitlesOnly: Bool = false,
        content: ContentInfo? = nil
    ) {
        self.input = withoutSecrets(input)
        hidesSecrets = self.input != input
        self.container = container
        self.facts = facts
        self.captions = captions
        self.unsearched = unsearched
        self.subtitlesOnly = subtitlesOnly
        self.content = content ?? ContentInfo(container: container)
    }

    /// The streams in the report.
    package var streams: [StreamDescription] {
        container.streams.filter { !subtitlesOnly || $0.kind.isSubtitle }
    }

    /// The object of the JSON probe: ffprobe's keys and value types, and Undertext's own keys under
    /// `undertext`.
    package var json: JSON { ProbeJSON(self).value }

    /// The object of the JSON probe for an input that could not be read.
    package static func json(failure: UndertextError, input: String) -> JSON {
        ProbeJSON.value(failure: failure, input: input)
    }
}

/// The extractable content of a subtitle stream, and the facts that are known without extraction.
///
/// A property is `nil` if it is unknown, for example because there is no index.
package struct ExtractionSummary: Hashable, Sendable {
    /// The kind of the cues: text or bitmap.
    package enum Kind: String, Hashable, Sendable {
        /// Text.
        case text
        /// Images.
        case bitmap
    }

    /// The kind of the cues: text or bitmap.
    package var kind: Kind
    /// `true` if the container's index leads to every packet.
    package var indexed: Bool
    /// Number of packets.
    package var packets: Int?
    /// Number of cues.
    package var cues: Int?
    /// Start of the first cue on the player timeline.
    package var first: Timestamp?
    /// End of the last cue on the player timeline.
    package var last: Timestamp?
    /// Share of the play time with a cue on screen, 0 to 1.
    package var coverage: Double?
    /// The formats that can be written, by name, the default first.
    package var outputs: [String]
    /// The reason why the stream cannot be read, such as encryption; `nil` if it probably can.
    package var refusal: String?

    /// Creates the facts; what is not given is unknown.
    package init(
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
