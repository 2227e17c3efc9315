/// What an input may ask of us at most; every allocation from a file's value is checked here.
public struct Limits: Hashable, Sendable {
    /// Bytes of one packet, before and after inflating.
    public var packetSize = 64 << 20
    /// Bytes that the inflated packets of one track may have, however few bytes the file stores for them.
    public var inflatedSize = 64 << 20
    /// Bytes that each deflated byte of a track adds to ``inflatedSize``; subtitles deflate to about a tenth.
    public var inflatedSizePerByte = 64
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
    /// Pixels of a track's images that may be decoded and encoded whatever the size of the track, see
    /// ``PixelBudget``: 500 whole screens of 1920 × 1080, each decoded and encoded.
    ///
    /// Three hours of a disc in ultra high definition with a caption of two lines every second, the
    /// densest that were found have half of that, need 4.3 · 10⁹ pixels: 10 800 images of 1200 × 160,
    /// decoded and encoded. They take 130 MB and are allowed 6.9 · 10¹⁰.
    public var bitmapPixels = 1 << 31
    /// Pixels by which each byte of a track's packets raises ``bitmapPixels``.
    ///
    /// Captions take 15 to 60 pixels a byte. Screens of 1920 × 1080 of which all but a caption is
    /// transparent take 200; scaled to 3840 × 2160, 500.
    public var bitmapPixelsPerByte = 512
    /// Pixels of one image of a video.
    public var videoFrame = 8192 * 4320
    /// Pixels of video that may be decoded to reach one image, beginning where it can begin.
    public var videoDecoding = 1 << 35
    /// Streams of one input.
    public var streams = 1000
    /// Programs of one transport stream, in association and service description tables.
    ///
    /// A broadcast multiplex has some dozens; libavformat compares each new program with all others.
    public var programs = 1000

    /// The defaults, which suit untrusted input.
    public init() {}
}
