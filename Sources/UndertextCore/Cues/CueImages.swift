/// The images of a cue, placed on one canvas.
public struct CueImages: Hashable, Sendable {
    /// The canvas that positions refer to, or `nil` if unknown.
    public var canvas: PixelSize?
    /// The images in drawing order, at least one.
    public var images: [PlacedBitmap]

    /// Creates the images of a cue.
    public init(canvas: PixelSize?, images: [PlacedBitmap]) {
        self.canvas = canvas
        self.images = images
    }

    /// The pixels of all images together.
    package var pixelCount: Int { images.reduce(0) { $0 + $1.bitmap.indices.count } }
}

/// A bitmap with its position on the canvas.
public struct PlacedBitmap: Hashable, Sendable {
    /// The left edge in pixels.
    public var x: Int
    /// The top edge in pixels.
    public var y: Int
    /// The image.
    public var bitmap: IndexedBitmap

    /// Places a bitmap.
    public init(x: Int, y: Int, bitmap: IndexedBitmap) {
        self.x = x
        self.y = y
        self.bitmap = bitmap
    }
}

/// An image of palette indices.
public struct IndexedBitmap: Hashable, Sendable {
    /// Width in pixels, at least 1.
    public let width: Int
    /// Height in pixels, at least 1.
    public let height: Int
    /// Palette indices row by row, `width * height` of them, each below `palette.count`.
    public let indices: [UInt8]
    /// The colors, 1 to 256.
    public let palette: [RGBA]

    /// Creates an image, or `nil` if the sizes do not match or an index has no color.
    public init?(width: Int, height: Int, indices: [UInt8], palette: [RGBA]) {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, indices.count == area else { return nil }
        guard (1...256).contains(palette.count) else { return nil }
        // In a full palette every index has a color, so the pixels need no check.
        if palette.count < 256, indices.contains(where: { Int($0) >= palette.count }) {
            return nil
        }
        self.width = width
        self.height = height
        self.indices = indices
        self.palette = palette
    }

    /// The pixels as R, G, B, A bytes, straight alpha.
    public var rgba: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(indices.count * 4)
        for index in indices { bytes.appendBigEndian(palette[Int(index)].rawValue) }
        return bytes
    }
}
