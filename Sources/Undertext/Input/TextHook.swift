internal import UndertextCharsets
internal import UndertextFormats

/// Changes text before it is parsed: characters, spellings, advertisements, markup of a dialect.
///
/// It is called with a whole file, or with each packet of a track as it comes. Two hooks are equal
/// where they were made together.
public struct TextHook: Hashable, Sendable {
    /// What a hook is called with.
    public enum Scope: Hashable, Sendable {
        /// A file from its first to its last character.
        case file
        /// The text of one packet of that codec.
        case packet(CodecID)
    }

    private final class Body: Sendable {
        let change: @Sendable (String, Scope) -> String
        init(_ change: @escaping @Sendable (String, Scope) -> String) { self.change = change }
    }

    private let body: Body

    /// A hook that replaces a text by what `change` gives for it.
    public init(_ change: @escaping @Sendable (_ text: String, _ scope: Scope) -> String) {
        body = Body(change)
    }

    func callAsFunction(_ text: String, _ scope: Scope) -> String { body.change(text, scope) }

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
    private let codecs: [Int: CodecID]

    /// `nil` where nothing is to be done.
    init?(charset: String?, hook: TextHook?, streams: [StreamDescription]) {
        guard charset != nil || hook != nil else { return nil }
        self.charset = charset
        self.hook = hook
        let texts = streams.filter(Self.isText)
        codecs = Dictionary(uniqueKeysWithValues: texts.map { ($0.index, $0.codec) })
    }

    /// A Boolean value that indicates whether the packets of a stream are bytes of text and nothing else.
    static func isText(_ stream: StreamDescription) -> Bool {
        SubtitleFormat.hasTextPackets(stream) && !stream.isSampled
    }

    /// The packet with its text as it was asked for.
    func prepared(_ packet: Packet, diagnostics: DiagnosticSink) -> Packet {
        guard let codec = codecs[packet.streamIndex] else { return packet }
        var packet = packet
        if let charset, let text = DecodedText(packet.data, charset: charset) {
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
        if let hook {
            packet.data = Array(
                hook(String(decoding: packet.data, as: UTF8.self), .packet(codec)).utf8)
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
