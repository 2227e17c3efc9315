package import UndertextCore

/// Pixels of any number of colors at their position on a canvas, with straight alpha.
package struct Raster: Hashable, Sendable {
    /// Left edge, pixels.
    package var x: Int
    /// Top edge, pixels.
    package var y: Int
    /// Width in pixels, at least 1.
    package let width: Int
    /// Height in pixels, at least 1.
    package let height: Int
    /// Row by row, `width * height` of them.
    package private(set) var pixels: [RGBA]

    /// Creates a raster; `nil` where the number of pixels does not fit the size.
    package init?(x: Int, y: Int, width: Int, height: Int, pixels: [RGBA]) {
        guard width > 0, height > 0,
            case (pixels.count, false) = width.multipliedReportingOverflow(by: height)
        else { return nil }
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The pixels of an image.
    package init(_ image: PlacedBitmap) {
        x = image.x
        y = image.y
        width = image.bitmap.width
        height = image.bitmap.height
        pixels = image.bitmap.indices.map { image.bitmap.palette[Int($0)] }
    }

    /// Images drawn over each other on the smallest rectangle that holds them; `nil` for none.
    ///
    /// - Parameters:
    ///   - images: from the lowest to the topmost.
    ///   - largestSide: width and height at most; images farther apart give `nil`.
    package init?(drawing images: [PlacedBitmap], largestSide: Int = 8192) {
        guard let bounds = PixelRectangle(around: images), bounds.width <= largestSide,
            bounds.height <= largestSide
        else { return nil }
        if images.count == 1 {
            self.init(images[0])
            return
        }
        let clear = [RGBA](repeating: .clear, count: bounds.width * bounds.height)
        self.init(
            x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height, pixels: clear)
        for image in images { draw(image) }
    }

    /// Composites an image, which may be partly outside, over the existing pixels.
    package mutating func draw(_ image: PlacedBitmap) {
        let bounds = PixelRectangle(x: x, y: y, width: width, height: height)
        let part = PixelRectangle(image).intersection(bounds)
        guard !part.isEmpty else { return }
        for row in part.y..<part.y + part.height {
            let source = (row - image.y) * image.bitmap.width + (part.x - image.x)
            let target = (row - y) * width + (part.x - x)
            for column in 0..<part.width {
                let color = image.bitmap.palette[Int(image.bitmap.indices[source + column])]
                pixels[target + column] = color.over(pixels[target + column])
            }
        }
    }
}

extension RGBA {
    /// This color composited over another one.
    func over(_ back: RGBA) -> RGBA {
        if alpha == 255 || back.alpha == 0 { return self }
        if alpha == 0 { return back }
        let front = Int(alpha) * 255
        let behind = Int(back.alpha) * (255 - Int(alpha))
        let whole = front + behind
        func mixed(_ one: UInt8, _ other: UInt8) -> UInt8 {
            UInt8(clamping: (Int(one) * front + Int(other) * behind + whole / 2) / whole)
        }
        return RGBA(
            red: mixed(red, back.red), green: mixed(green, back.green),
            blue: mixed(blue, back.blue), alpha: UInt8(clamping: (whole + 127) / 255))
    }
}
