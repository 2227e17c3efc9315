/// What an input may ask of us at most; every allocation from a file's value is checked here.
public struct Limits: Hashable, Sendable {
    /// Bytes of one packet, before and after inflating.
    public var packetSize = 64 << 20
    /// Bytes of an index or header element read at once.
    public var headerSize = 256 << 20
    /// Width and height of a canvas or bitmap in pixels.
    public var canvas = 8192
    /// Objects of one bitmap composition.
    public var objects = 64
    /// Cues of one track.
    public var cues = 1_000_000
    /// Bytes of a text file.
    public var textFileSize = 256 << 20
    /// Bytes of one line of a text file.
    public var lineLength = 1 << 20
    /// Nesting of markup and of container elements.
    public var nesting = 64
    /// Bytes of one attachment.
    public var attachmentSize = 256 << 20
    /// Pixels of one picture of a video.
    public var videoPicture = 8192 * 4320
    /// Pixels of video that may be decoded to reach one picture, beginning where it can begin.
    public var videoDecoding = 1 << 35
    /// Streams of one input.
    public var streams = 1000

    /// The defaults, which suit untrusted input.
    public init() {}
}
