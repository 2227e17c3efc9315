internal import UndertextCharsets
internal import UndertextFormats

/// Brings the text of packets into the characters and words that the caller asked for.
///
/// Files are brought there as a whole when they are opened, so this is for tracks of containers.
struct PacketTextPreparation {
    private let charset: String?
    private let hook: TextHook?
    private let codecs: [Int: CodecID]
    private var diagnostics: [Diagnostic] = []

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
    mutating func prepared(_ packet: Packet) -> Packet {
        guard let codec = codecs[packet.streamIndex] else { return packet }
        var packet = packet
        if let charset, let text = DecodedText(packet.data, charset: charset) {
            packet.data = text.bytes
            if text.replacedCount > 0 {
                diagnostics.append(
                    Diagnostic(
                        .error, "invalid-character",
                        text.replacedCount == 1
                            ? "what is no character in \(charset) became U+FFFD"
                            : "\(text.replacedCount) times what is no character in \(charset) became U+FFFD",
                        streamIndex: packet.streamIndex, time: packet.start,
                        byteOffset: packet.position))
            }
        }
        if let hook {
            packet.data = Array(
                hook(String(decoding: packet.data, as: UTF8.self), .packet(codec)).utf8)
        }
        return packet
    }

    /// The diagnostics since the last call.
    mutating func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
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
