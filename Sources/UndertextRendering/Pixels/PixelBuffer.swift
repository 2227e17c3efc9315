internal import UndertextCore
internal import UndertextFormats

/// The order of the bytes of a pixel in memory.
public enum OverlayPixelFormat: Hashable, Sendable {
    /// R, G, B, A.
    case rgba
    /// B, G, R, A, as used by mpv, cairo and most window systems.
    case bgra
}

/// Four premultiplied bytes in memory order, as a 32-bit number on machines of either byte order.
struct PackedPixel: Hashable {
    var value: UInt32

    /// A color, premultiplied.
    init(_ color: RGBA, _ format: OverlayPixelFormat) {
        let alpha = UInt32(color.alpha)
        func part(_ value: UInt8) -> UInt32 { (UInt32(value) * alpha + 127) / 255 }
        let (red, green, blue) = (part(color.red), part(color.green), part(color.blue))
        let first = format == .rgba ? red : blue
        let third = format == .rgba ? blue : red
        value = UInt32(littleEndian: first | green << 8 | third << 16 | alpha << 24)
    }

    /// This pixel, which covers a part of `below`.
    @inline(__always)
    static func blend(_ above: UInt32, coverage: UInt32, over below: UInt32) -> UInt32 {
        let rest = 255 &- coverage
        var low = (above & 0x00FF_00FF) &* coverage &+ (below & 0x00FF_00FF) &* rest &+ 0x0080_0080
        low = ((low &+ ((low >> 8) & 0x00FF_00FF)) >> 8) & 0x00FF_00FF
        var high =
            ((above >> 8) & 0x00FF_00FF) &* coverage &+ ((below >> 8) & 0x00FF_00FF) &* rest
            &+ 0x0080_0080
        high = (high &+ ((high >> 8) & 0x00FF_00FF)) & 0xFF00_FF00
        return low | high
    }

    /// A part of a pixel: 255 is all of it.
    @inline(__always)
    static func scaled(_ pixel: UInt32, by part: UInt32) -> UInt32 {
        blend(pixel, coverage: part, over: 0)
    }

    /// A premultiplied pixel composited over another one.
    @inline(__always)
    static func over(_ above: UInt32, _ below: UInt32) -> UInt32 {
        let alpha = UInt32(littleEndian: above) >> 24
        if alpha == 255 { return above }
        if alpha == 0 { return below }
        // Sums stay below 256, since no color exceeds its alpha.
        return above &+ scaled(below, by: 255 &- alpha)
    }
}

/// The bytes of a buffer, shared with overlays; they are modified only while no overlay references them.
final class SharedPixels: Hashable, @unchecked Sendable {
    fileprivate(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func == (one: SharedPixels, other: SharedPixels) -> Bool {
        one === other || one.bytes == other.bytes
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// The pixels of an overlay: rows without gaps, premultiplied.
@safe
struct PixelBuffer {
    let width: Int
    let height: Int
    let format: OverlayPixelFormat
    /// `width * height * 4` bytes.
    private(set) var pixels: SharedPixels
    /// The rectangles that were drawn since the last ``clear()``; the caller sets them.
    var drawn: [PixelRectangle] = []

    /// A transparent buffer.
    init(width: Int, height: Int, format: OverlayPixelFormat) {
        self.width = width
        self.height = height
        self.format = format
        pixels = SharedPixels([UInt8](repeating: 0, count: width * height * 4))
    }

    /// `true` if no overlay references the pixels, so they may be modified.
    var isUnshared: Bool {
        mutating get { isKnownUniquelyReferenced(&pixels) }
    }

    /// Makes the ``drawn`` rectangles transparent.
    mutating func clear() {
        for rectangle in drawn { clear(rectangle) }
        drawn = []
    }

    /// All of it.
    var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }

    /// Makes a part of it transparent.
    mutating func clear(_ rectangle: PixelRectangle) {
        unsafe transform(rectangle) { unsafe $0.update(repeating: 0) }
    }

    /// Makes a part of it more transparent: 255 leaves it as it is.
    mutating func fade(_ rectangle: PixelRectangle, to opacity: UInt8) {
        guard opacity < 255 else { return }
        let part = UInt32(opacity)
        unsafe transform(rectangle) { row in
            for index in 0..<row.count {
                unsafe row[index] = unsafe PackedPixel.scaled(row[index], by: part)
            }
        }
    }

    /// Draws one color where a mask covers pixels.
    ///
    /// - Parameters:
    ///   - coverage: The mask with 8 bits per pixel; the last row is not padded.
    ///   - stride: The number of bytes per row.
    ///   - place: The position and size of the mask, which is clipped to the buffer.
    ///   - color: The color with its opacity.
    mutating func draw(
        coverage: UnsafeBufferPointer<UInt8>, stride: Int, at place: PixelRectangle, color: RGBA
    ) {
        let opacity = UInt32(color.alpha)
        guard opacity > 0 else { return }
        let solid = RGBA(red: color.red, green: color.green, blue: color.blue)
        let pixel = PackedPixel(solid, format).value
        let part = place.intersection(bounds)
        var row = part.y - place.y
        let left = part.x - place.x
        guard !part.isEmpty, let first = coverage.baseAddress else { return }
        let colors = [UInt32](repeating: pixel, count: part.width)
        // The weight of each pixel, in all four bytes.
        var weights = [UInt32](repeating: 0, count: part.width)
        unsafe transform(part) { target in
            let start = unsafe first + (row * stride + left)
            unsafe Self.forEachSpan(start, count: target.count) { span in
                for index in span {
                    let product = UInt32(unsafe start[index]) &* opacity &+ 128
                    weights[index] = ((product &+ (product >> 8)) >> 8) &* 0x0101_0101
                }
                unsafe Self.blend(colors, weights, over: target, span)
            }
            row += 1
        }
    }

    /// Calls a function for each part of a row that has coverage; most of a mask is empty.
    private static func forEachSpan(
        _ row: UnsafePointer<UInt8>, count: Int, _ body: (Range<Int>) -> Void
    ) {
        let step = 8
        func isEmpty(_ index: Int) -> Bool {
            guard index + step <= count else { return false }
            return unsafe UnsafeRawPointer(row + index).loadUnaligned(as: UInt64.self) == 0
        }
        var index = 0
        while index < count {
            if isEmpty(index) {
                index += step
                continue
            }
            let begin = index
            repeat { index += step } while index < count && !isEmpty(index)
            body(begin..<min(index, count))
        }
    }

    /// Blends pixels byte by byte, which the compiler vectorizes; same result as ``PackedPixel/blend(_:coverage:over:)``.
    private static func blend(
        _ colors: [UInt32], _ weights: [UInt32], over target: UnsafeMutableBufferPointer<UInt32>,
        _ span: Range<Int>
    ) {
        unsafe colors.withUnsafeBytes { colors in
            unsafe weights.withUnsafeBytes { weights in
                let target = UnsafeMutableRawBufferPointer(target)
                for index in (span.lowerBound * 4)..<(span.upperBound * 4) {
                    let weight = UInt16(unsafe weights[index])
                    let above = UInt16(unsafe colors[index]) &* weight
                    let below = UInt16(unsafe target[index]) &* (255 &- weight)
                    let sum = above &+ below &+ 128
                    unsafe target[index] = UInt8(truncatingIfNeeded: (sum &+ (sum >> 8)) >> 8)
                }
            }
        }
    }

    /// Composites premultiplied pixels over the existing ones.
    mutating func draw(_ image: PackedImage) {
        let part = image.place.intersection(bounds)
        var row = part.y - image.place.y
        let left = part.x - image.place.x
        let stride = image.place.width
        unsafe image.pixels.withUnsafeBufferPointer { pixels in
            unsafe transform(part) { target in
                let start = row * stride + left
                for index in 0..<target.count {
                    unsafe target[index] = unsafe PackedPixel.over(
                        pixels[start + index], target[index])
                }
                row += 1
            }
        }
    }

    /// A copy of a part of it.
    mutating func copy(_ rectangle: PixelRectangle) -> PackedImage {
        let part = rectangle.intersection(bounds)
        var pixels: [UInt32] = []
        pixels.reserveCapacity(part.width * part.height)
        unsafe transform(part) { row in unsafe pixels.append(contentsOf: row) }
        return PackedImage(place: part, pixels: pixels)
    }

    /// Hands out the rows of a part, from the top.
    private mutating func transform(
        _ rectangle: PixelRectangle, _ body: (UnsafeMutableBufferPointer<UInt32>) -> Void
    ) {
        let part = rectangle.intersection(bounds)
        guard !part.isEmpty else { return }
        unsafe pixels.bytes.withUnsafeMutableBytes { bytes in
            let pixels = unsafe bytes.assumingMemoryBound(to: UInt32.self)
            for row in part.y..<part.y + part.height {
                let start = row * width + part.x
                unsafe body(
                    UnsafeMutableBufferPointer(rebasing: pixels[start..<start + part.width]))
            }
        }
    }
}

/// Premultiplied pixels at their position on the output.
struct PackedImage: Hashable {
    /// The position and size, which may extend beyond the buffer.
    var place: PixelRectangle
    /// Row by row, as ``PackedPixel`` has them.
    var pixels: [UInt32]
}
