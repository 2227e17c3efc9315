internal import UndertextCharsets
internal import UndertextCore
internal import UndertextFormats

/// Converts the text of packets to the requested charset and wording.
///
/// Files are brought there as a whole when they are opened, so this is for tracks of containers.
struct PacketTextPreparation {
    private let charset: String?
    private let hook: (@Sendable (String, TextOrigin) -> String)?
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
    init?(
        charset: String?, hook: (@Sendable (String, TextOrigin) -> String)?, source: String,
        streams: [StreamDescription]
    ) {
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

    /// A Boolean value that indicates whether the packets of a stream contain only text.
    static func isText(_ stream: StreamDescription) -> Bool {
        SubtitleFormat.hasTextPackets(stream) && !stream.isSampled
    }

    /// Returns the packet with converted text.
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
                TextOrigin(
                    extent: .packet, codec: stream.codec, source: source, segment: segment))
            // By bytes: strings of different normalization are equal.
            if !changed.utf8.elementsEqual(text.utf8) {
                packet.data = stream.rule.packet(packet.data, with: changed)
            }
            packet.sideData.removeAll { $0.kind == .segment }
        }
        return packet
    }

    /// Returns a stream whose header is converted from the requested charset.
    static func prepared(_ stream: StreamDescription, charset: String?) -> StreamDescription {
        guard let charset, isText(stream), !stream.codecPrivate.isEmpty,
            let text = DecodedText(stream.codecPrivate, charset: charset)
        else { return stream }
        var stream = stream
        stream.codecPrivate = text.bytes
        return stream
    }
}
