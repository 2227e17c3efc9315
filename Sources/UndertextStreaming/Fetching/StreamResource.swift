public import UndertextCore

/// A resource that can be fetched: a URL, or a byte range of one.
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

/// The purpose of a resource.
public enum StreamPurpose: String, Hashable, Sendable {
    /// A playlist or a manifest.
    case playlist
    /// A segment of subtitles, or what precedes it.
    case segment
    /// The beginning of a media segment, which contains its time.
    case clock
}

/// A fetched resource.
public struct StreamAnswer: Hashable, Sendable {
    /// The requested bytes.
    public var bytes: [UInt8]
    /// The URL of the response: the last one of a chain of redirects.
    public var url: String
    /// The media type, in lower case and without parameters; `nil` if the server does not say.
    public var mediaType: String?
    /// The time of the response by the server's clock, in nanoseconds since 1970; `nil` if the server does not
    /// state it.
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
