/// The limits of the resources that an input may use; allocations by values of a file are checked against them.
public struct Limits: Hashable, Sendable {
    /// The maximum size of a packet in bytes, before and after inflating.
    public var packetSize = 64 << 20
    /// The size in bytes that the inflated packets of a track may have regardless of their stored size.
    public var inflatedSize = 64 << 20
    /// The number of bytes that each deflated byte of a track adds to ``inflatedSize``.
    ///
    /// Subtitles deflate to about a tenth.
    public var inflatedSizePerByte = 64
    /// The maximum size of an index or header element in bytes.
    public var headerSize = 256 << 20
    /// The maximum width and height of a canvas or bitmap in pixels.
    public var canvas = 8192
    /// The maximum number of objects of a bitmap composition.
    public var objects = 64
    /// The maximum number of cues of a track.
    public var cues = 1_000_000
    /// The maximum size of a text file in bytes.
    public var textFileSize = 256 << 20
    /// The maximum size of a line of a text file in bytes.
    public var lineLength = 1 << 20
    /// The maximum nesting of markup and of container elements.
    public var nesting = 64
    /// The maximum size of an attachment in bytes.
    public var attachmentSize = 256 << 20
    /// The number of pixels of a track's images that may be decoded and encoded regardless of the track's size.
    ///
    /// This is enough for 500 full screens of 1920 × 1080, each decoded and encoded; see `PixelBudget`.
    ///
    /// Three hours of a disc in ultra high definition with a caption of two lines every second, the
    /// densest that were found have half of that, need 4.3 · 10⁹ pixels: 10 800 images of 1200 × 160,
    /// decoded and encoded. They take 130 MB and are allowed 6.9 · 10¹⁰.
    public var bitmapPixels = 1 << 31
    /// The number of pixels that each byte of a track's packets adds to ``bitmapPixels``.
    ///
    /// Captions take 15 to 60 pixels a byte. Screens of 1920 × 1080 of which all but a caption is
    /// transparent take 200; scaled to 3840 × 2160, 500.
    public var bitmapPixelsPerByte = 512
    /// The maximum number of pixels of a video frame.
    public var videoFrame = 8192 * 4320
    /// The maximum number of pixels to decode from a random access point to a video frame.
    public var videoDecoding = 1 << 35
    /// The maximum number of streams of an input.
    public var streams = 1000
    /// The maximum number of programs in the association and service description tables of a transport stream.
    ///
    /// A broadcast multiplex has some dozens; libavformat compares each new program with all others.
    public var programs = 1000

    /// Creates the default limits, which suit untrusted input.
    public init() {}
}
