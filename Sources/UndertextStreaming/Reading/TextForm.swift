internal import UndertextContainers
internal import UndertextCore
internal import UndertextFormats

/// The format of a piece of subtitles, detected from its first bytes.
enum TextForm: Hashable, Sendable {
    /// WebVTT as a file.
    case webVTT
    /// A TTML document.
    case ttml
    /// Samples in MP4.
    case samples

    /// `nil` for what is none of them.
    init?(_ bytes: [UInt8]) {
        let text = bytes[...].withoutByteOrderMark
        if WebVTTFileReader.refusal(of: text.prefix(64)) == nil {
            self = .webVTT
        } else if Self.boxes.contains(String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self))
        {
            self = .samples
        } else if TTMLFileReader.refusal(of: text) == nil {
            self = .ttml
        } else {
            return nil
        }
    }

    /// The boxes with which an MP4 segment or file may begin.
    private static let boxes: Set<String> = [
        "ftyp", "styp", "moof", "moov", "sidx", "emsg", "prft", "free", "skip", "mdat",
    ]
}

/// The properties of a text stream that its beginning determines.
struct TextSummary: Hashable, Sendable {
    var codec: CodecID
    /// The header of WebVTT: styles and regions.
    var codecPrivate: [UInt8] = []
    var kind = MediaKind.text
    /// The canvas of images.
    var size: PixelSize?
    /// The reason why it cannot be read; `nil` if it can.
    var refusal: String?

    init(_ codec: CodecID) { self.codec = codec }

    /// Looks at the beginning of the first piece.
    init?(beginning bytes: [UInt8], limits: Limits) {
        switch TextForm(bytes) {
        case .webVTT:
            self.init(.webVTT)
            var joiner = WebVTTJoiner(limits: limits)
            _ = joiner.packets(of: .init(bytes, start: .zero, clock: nil))
            codecPrivate = joiner.header
        case .ttml:
            self.init(.ttml)
            // Of a document that is cut off nothing is known: most are text.
            if let facts = TTMLSummary(bytes, limits: limits), facts.hasImages, !facts.hasText {
                kind = .bitmap
                size = facts.size
            }
        case .samples:
            self.init(initialization: bytes, limits: limits)
        case nil:
            return nil
        }
    }

    /// Looks at what precedes fragments, or segments of WebVTT; `nil` if there is no text in it.
    init?(initialization bytes: [UInt8], limits: Limits) {
        if TextForm(bytes) == .webVTT {
            self.init(beginning: bytes, limits: limits)
            return
        }
        guard let file = try? MP4File(source: MemorySource(bytes), limits: limits),
            let track = file.tracks.first(where: { !["vide", "soun"].contains($0.handler) })
        else { return nil }
        if let unpacker = SubtitleFormat.sampleUnpacker(ofEntry: track.format) {
            self.init(unpacker.codec)
            let entry = unpacker.description(ofEntry: track.entryContent)
            codecPrivate = entry.codecPrivate ?? []
            if entry.namesImages { kind = .bitmap }
            return
        }
        self.init(.unknown)
        refusal =
            ["enct", "encs", "encv", "encu"].contains(track.format)
            ? "its samples are encrypted (sample entry '\(track.format)')"
            : "its samples are of the kind '\(track.format)', which is not read from streams"
    }
}
