/// A subtitle that FFmpeg's decoders made from a packet.
///
/// FFmpeg: `AVSubtitle`, checked and copied.
package struct DecodedSubtitle: Hashable, Sendable {
    /// An image placed on the canvas.
    package struct Image: Hashable, Sendable {
        /// Left edge on the canvas, pixels.
        package var x: Int
        /// Top edge on the canvas, pixels.
        package var y: Int
        /// Width in pixels, at least 1.
        package var width: Int
        /// Height in pixels, at least 1.
        package var height: Int
        /// Palette indices, row by row, `width * height` of them.
        package var indices: [UInt8]
        /// Colors as `0xRRGGBBAA`, straight alpha, at most 256.
        package var palette: [UInt32]
        /// `true` if the image is marked as forced.
        package var isForced: Bool

        /// Creates an image.
        package init(
            x: Int, y: Int, width: Int, height: Int, indices: [UInt8], palette: [UInt32],
            isForced: Bool
        ) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
            self.indices = indices
            self.palette = palette
            self.isForced = isForced
        }
    }

    /// The time at which it appears, or `nil` if the packet had no time.
    package var start: Timestamp?
    /// Milliseconds from the packet's time to the start of display.
    ///
    /// FFmpeg: `start_display_time`.
    package var startOffset: UInt32
    /// Milliseconds from the packet's time to the end; `nil` if the decoder left it open.
    ///
    /// FFmpeg: `end_display_time`, where 0 and `UINT32_MAX` mean unknown.
    package var endOffset: UInt32?
    /// The images; with ``assLines`` empty too it means "clear the screen".
    package var images: [Image]
    /// Event lines as `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    package var assLines: [String]
    /// The canvas that the decoder knows, in pixels.
    package var canvas: PixelSize?

    /// Creates a result.
    package init(
        start: Timestamp?, startOffset: UInt32 = 0, endOffset: UInt32? = nil,
        images: [Image] = [], assLines: [String] = [], canvas: PixelSize? = nil
    ) {
        self.start = start
        self.startOffset = startOffset
        self.endOffset = endOffset
        self.images = images
        self.assLines = assLines
        self.canvas = canvas
    }

    /// `true` if it shows nothing: "clear the screen".
    package var isEmpty: Bool { images.isEmpty && assLines.isEmpty }
}

/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
