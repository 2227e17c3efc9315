public import UndertextCore

/// What a ``Demuxer`` reads.
public enum DemuxInput {
    /// A local file; never taken for an address, whatever it is called.
    case path(String)
    /// An address such as `https://host/film.mkv`.
    case url(String)
    /// A local file that is open already (``ByteSource/fileDescriptor``), with its path, by which formats are guessed:
    /// what was looked at is what is read, whatever the path leads to by then.
    case opened(any ByteSource, path: String)
    /// Bytes that can be read at any offset.
    case source(any ByteSource)
    /// Bytes that come in order only.
    case stream(any SequentialSource)

    /// The input that a command line argument means: only `scheme://…` is an address.
    public static func argument(_ text: String) -> DemuxInput {
        scheme(of: text) == nil ? .path(text) : .url(text)
    }

    /// What it is called, for messages.
    public var name: String {
        switch self {
        case .path(let text), .url(let text), .opened(_, path: let text): text
        case .source(let source): source.name
        case .stream(let source): source.name
        }
    }

    /// The lower-case scheme of `scheme://…` (RFC 3986, section 3.1); `nil` for anything else.
    static func scheme(of text: String) -> String? {
        let bytes = Array(text.utf8.prefix(40))
        guard let colon = bytes.firstIndex(of: 0x3A), colon > 0,
            bytes.dropFirst(colon + 1).prefix(2).elementsEqual([0x2F, 0x2F])
        else { return nil }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        let scheme = bytes[..<colon]
        guard isLetter(scheme[0]),
            scheme.allSatisfy({
                isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
            })
        else { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }
}
