internal import UndertextCharsets
internal import UndertextFormats

/// Changes text before it is parsed: characters, spellings, advertisements, markup of a dialect.
///
/// It is called with a whole subtitle file, or with each packet of a track: text, a sample of an MP4 track, a TTML
/// document, a cue of a segment. Captions that are codes rather than text (CEA-608, CEA-708, teletext, EBU STL) and
/// text in images have no such form. Calls come from the threads that read, several at once if several inputs are
/// read. Two hooks are equal if they were created together.
public struct TextHook: Hashable, Sendable {
    /// The origin of a text.
    public struct Origin: Hashable, Sendable {
        /// The extent of a text.
        public enum Extent: Hashable, Sendable {
            /// A file from its first to its last character.
            case file
            /// The text of one packet.
            case packet
        }

        /// The extent of the text.
        public var extent: Extent
        /// The codec of the text, by which its markup is known.
        public var codec: CodecID
        /// The path or URL of the input, or the name of bytes or a source; URLs are without secrets.
        public var source: String
        /// The URL of the segment of an HLS or DASH presentation without secrets, or `nil` for other inputs.
        public var segment: String?
    }

    private final class Body: Sendable {
        let change: @Sendable (String, Origin) -> String
        init(_ change: @escaping @Sendable (String, Origin) -> String) { self.change = change }
    }

    private let body: Body

    /// Creates a hook that replaces a text by the result of `change`.
    public init(_ change: @escaping @Sendable (_ text: String, _ origin: Origin) -> String) {
        body = Body(change)
    }

    func callAsFunction(_ text: String, _ origin: Origin) -> String { body.change(text, origin) }

    /// `true` if both were made together.
    public static func == (left: TextHook, right: TextHook) -> Bool { left.body === right.body }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(body)) }
}

/// Brings the text of packets into the characters and words that the caller asked for.
///
/// Files are brought there as a whole when they are opened, so this is for tracks of containers.
struct PacketTextPreparation {
    private let charset: String?
    private let hook: TextHook?
    /// The argument that names the input.
    private let source: String
    private let streams: [Int: Text]

    /// A stream of text.
    private struct Text {
        let codec: CodecID
        /// `true` if the caller's charset applies to it.
        let hasCharset: Bool
        let rule: any PacketTextRule
    }

    /// `nil` where nothing is to be done.
    init?(charset: String?, hook: TextHook?, source: String, streams: [StreamDescription]) {
        guard charset != nil || hook != nil else { return nil }
        self.charset = charset
        self.hook = hook
        self.source = withoutSecrets(source)
        let texts = streams.compactMap { stream in
            SubtitleFormat.packetText(of: stream).map { rule in
                (
                    stream.index,
                    Text(codec: stream.codec, hasCharset: Self.isText(stream), rule: rule)
                )
            }
        }
        self.streams = Dictionary(uniqueKeysWithValues: texts)
    }

    /// A Boolean value that indicates whether the packets of a stream are bytes of text and nothing else.
    static func isText(_ stream: StreamDescription) -> Bool {
        SubtitleFormat.hasTextPackets(stream) && !stream.isSampled
    }

    /// The packet with its text as it was asked for.
    func prepared(_ packet: Packet, diagnostics: DiagnosticSink) -> Packet {
        guard let stream = streams[packet.streamIndex] else { return packet }
        var packet = packet
        if stream.hasCharset, let charset, let text = DecodedText(packet.data, charset: charset) {
            packet.data = text.bytes
            if text.replacedCount > 0 {
                diagnostics.report(
                    .error, "invalid-character",
                    text.replacedCount == 1
                        ? "an invalid \(charset) sequence became U+FFFD"
                        : "\(text.replacedCount) invalid \(charset) sequences became U+FFFD",
                    for: packet)
            }
        }
        if let hook, let text = stream.rule.text(of: packet.data) {
            let segment = packet.sideData(.segment).map {
                withoutSecrets(String(decoding: $0, as: UTF8.self))
            }
            let changed = hook(
                text,
                TextHook.Origin(
                    extent: .packet, codec: stream.codec, source: source, segment: segment))
            // By bytes: strings of different normalization are equal.
            if !changed.utf8.elementsEqual(text.utf8) {
                packet.data = stream.rule.packet(packet.data, with: changed)
            }
            packet.sideData.removeAll { $0.kind == .segment }
        }
        return packet
    }

    /// A stream with its header in the characters that the caller asked for.
    static func prepared(_ stream: StreamDescription, charset: String?) -> StreamDescription {
        guard let charset, isText(stream), !stream.codecPrivate.isEmpty,
            let text = DecodedText(stream.codecPrivate, charset: charset)
        else { return stream }
        var stream = stream
        stream.codecPrivate = text.bytes
        return stream
    }
}
