public import UndertextCore
public import UndertextFormats

/// What is shown at some time, as pixels to be laid over the video.
public struct Overlay: Hashable, Sendable {
    /// Pixels a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bytes from one row to the next.
    public var stride: Int { width * 4 }
    /// The order of the bytes of a pixel.
    public let format: OverlayPixelFormat
    /// The pixels row by row, premultiplied: colors are already multiplied by alpha.
    public let pixels: [UInt8]
    /// The smallest rectangle outside of which all is transparent; empty if nothing is shown.
    public let bounds: PixelRectangle
    /// Outside of these nothing differs from the overlay before this one; empty if it is the same.
    public let dirty: [PixelRectangle]
    /// Changes when something is drawn anew, as behind a change of the style: while it is the same, so are the pixels.
    public let changeID: UInt64
    /// `true` if what is shown moves: then each time may look different.
    public let isAnimated: Bool

    /// `true` if nothing is shown.
    public var isEmpty: Bool { bounds.isEmpty }

    /// The pixels as PNG has them: R, G, B, A, not premultiplied.
    public var straightRGBA: [UInt8] {
        var bytes = pixels
        let isSwapped = format == .bgra
        for row in bounds.y..<bounds.y + bounds.height {
            let start = row * stride + bounds.x * 4
            for place in Swift.stride(from: start, to: start + bounds.width * 4, by: 4) {
                if isSwapped { bytes.swapAt(place, place + 2) }
                let alpha = Int(bytes[place + 3])
                guard alpha > 0, alpha < 255 else { continue }
                for index in place..<place + 3 {
                    bytes[index] = UInt8(
                        clamping: (Int(bytes[index]) * 255 + alpha / 2) / alpha)
                }
            }
        }
        return bytes
    }

    /// The overlay in front of an image; around the image all is black.
    ///
    /// - Parameters:
    ///   - image: opaque pixels of ``format``, row by row.
    ///   - place: where the image lies, within the overlay, and its size: ``OverlayGeometry/image``.
    /// - Returns: opaque pixels of ``format``, as many as the overlay has; `nil` if the sizes do not agree.
    public func laid(over image: [UInt8], at place: PixelRectangle) -> [UInt8]? {
        let all = PixelRectangle(x: 0, y: 0, width: width, height: height)
        guard place.intersection(all) == place, image.count == place.width * place.height * 4
        else { return nil }
        var result = [UInt8](repeating: 0, count: pixels.count)
        for alpha in Swift.stride(from: 3, to: result.count, by: 4) { result[alpha] = 255 }
        for row in 0..<place.height {
            let start = (place.y + row) * stride + place.x * 4
            let from = row * place.width * 4
            result.replaceSubrange(
                start..<start + place.width * 4, with: image[from..<from + place.width * 4])
        }
        for row in bounds.y..<bounds.y + bounds.height {
            let start = row * stride + bounds.x * 4
            for pixel in Swift.stride(from: start, to: start + bounds.width * 4, by: 4) {
                let rest = 255 - Int(pixels[pixel + 3])
                guard rest < 255 else { continue }
                for index in pixel..<pixel + 3 {
                    let below = (Int(result[index]) * rest + 127) / 255
                    result[index] = UInt8(clamping: Int(pixels[index]) + below)
                }
            }
        }
        return result
    }
}

/// Why nothing could be drawn: the error of all targets.
///
/// `unsupported` = built without the trait `Rendering`; `missing-library` = libass is not installed;
/// `limit-exceeded` = a size or a script larger than allowed.
public typealias RenderingError = UndertextError
