public import UndertextCore
public import UndertextFormats

/// The sizes and the pixel format of an overlay.
public struct OverlayGeometry: Hashable, Sendable {
    /// The coded size of the video in pixels.
    public var video: PixelSize
    /// The pixel aspect ratio (width divided by height) of the video; 1 means square.
    public var pixelAspect: Double
    /// The size of the overlay in square pixels.
    public var output: PixelSize
    /// The order of the bytes of a pixel.
    public var format: OverlayPixelFormat

    /// Creates a geometry; without `output`, the overlay has the size of the video.
    public init(
        video: PixelSize, pixelAspect: Double = 1, output: PixelSize? = nil,
        format: OverlayPixelFormat = .rgba
    ) {
        self.video = video
        self.pixelAspect = pixelAspect
        self.output = output ?? video
        self.format = format
    }

    /// The rectangle of the video within the overlay: centered and as large as possible.
    public var image: PixelRectangle {
        let aspect = Double(max(1, video.width)) * usableAspect / Double(max(1, video.height))
        let (width, height) = (max(1, output.width), max(1, output.height))
        let fittingHeight = (Double(width) / aspect).rounded()
        if fittingHeight <= Double(height) {
            let used = max(1, Int(fittingHeight))
            // A pixel more or less comes from rounding, not from another shape.
            if height - used <= 1 {
                return PixelRectangle(x: 0, y: 0, width: width, height: height)
            }
            return PixelRectangle(x: 0, y: (height - used) / 2, width: width, height: used)
        }
        let used = max(1, min(width, Int((Double(height) * aspect).rounded())))
        if width - used <= 1 { return PixelRectangle(x: 0, y: 0, width: width, height: height) }
        return PixelRectangle(x: (width - used) / 2, y: 0, width: used, height: height)
    }

    private var usableAspect: Double {
        pixelAspect.isFinite && pixelAspect > 0 ? min(max(pixelAspect, 0.01), 100) : 1
    }

    /// Returns the error of an invalid geometry, or `nil` if it is valid.
    func problem(_ limits: Limits) -> UndertextError? {
        let sides = 1...limits.canvas
        if sides.contains(output.width), sides.contains(output.height),
            (1...65_535).contains(video.width), (1...65_535).contains(video.height)
        {
            return nil
        }
        return UndertextError(
            .limit,
            "an overlay of \(output.width)x\(output.height) for a video of "
                + "\(video.width)x\(video.height); at most \(limits.canvas) pixels each way")
    }
}
