public import UndertextCore
public import UndertextFormats

/// The subtitles at a time, as pixels to composite over the video.
public struct Overlay: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The number of bytes per row.
    public var stride: Int { width * 4 }
    /// The order of the bytes of a pixel.
    public let format: OverlayPixelFormat
    /// The pixels row by row with premultiplied alpha.
    public var pixels: [UInt8] { shared.bytes }
    /// The storage of ``pixels``, which the renderer uses again when no overlay references it.
    let shared: SharedPixels
    /// The bounding rectangle of all pixels that are not transparent; empty if nothing is visible.
    public let bounds: PixelRectangle
    /// The rectangles that differ from the previous overlay; empty if it is the same.
    public let dirty: [PixelRectangle]
    /// A counter that changes when the overlay is drawn again; overlays with the same value have the same pixels.
    public let changeID: UInt64
    /// `true` if the subtitles are animated, so that each time may look different.
    public let isAnimated: Bool

    /// `true` if nothing is visible.
    public var isEmpty: Bool { bounds.isEmpty }

    /// The pixels with straight alpha in the order R, G, B, A, as in PNG.
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

    /// Returns the overlay composited over an image on a black background.
    ///
    /// - Parameters:
    ///   - image: Opaque pixels of ``format``, row by row.
    ///   - place: The position and size of the image within the overlay: ``OverlayGeometry/image``.
    /// - Returns: Opaque pixels of ``format`` in the size of the overlay, or `nil` if the sizes do not match.
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

/// An error of the renderer.
///
/// Its codes are `unsupported` (built without the trait `Rendering`), `missing-library` (libass is not installed)
/// and `limit-exceeded` (a size or script exceeds a limit).
public typealias RenderingError = UndertextError
