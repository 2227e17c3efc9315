public import UndertextCore

/// What can be fetched: an address, or a part of what is there.
public struct StreamResource: Hashable, Sendable {
    /// The address, absolute.
    public var url: String
    /// The part; `nil` for all of it.
    public var range: ByteRange?

    /// Creates a resource.
    public init(_ url: String, range: ByteRange? = nil) {
        self.url = url
        self.range = range
    }
}

/// What a resource is for.
public enum StreamPurpose: String, Hashable, Sendable {
    /// A playlist or a manifest.
    case playlist
    /// A segment of subtitles, or what stands before it.
    case segment
    /// The beginning of a segment of media, for the time that it tells.
    case clock
}

/// What was fetched.
public struct StreamAnswer: Hashable, Sendable {
    /// The bytes that were asked for.
    public var bytes: [UInt8]
    /// Who answered: the last address of a chain of redirects.
    public var url: String
    /// The media type, in lower case and without parameters; `nil` if the server does not say.
    public var mediaType: String?
    /// When it came, by the server's clock and nanoseconds since 1970; `nil` if the server does not say.
    public var date: Timestamp?

    /// Creates an answer.
    public init(
        _ bytes: [UInt8], url: String, mediaType: String? = nil, date: Timestamp? = nil
    ) {
        self.date = date
        self.bytes = bytes
        self.url = url
        self.mediaType = mediaType
    }
}
