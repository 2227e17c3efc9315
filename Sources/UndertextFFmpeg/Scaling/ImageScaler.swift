internal import CFFmpeg
package import UndertextCore

/// Scales images with transparency; C: libswscale, bound at its first use.
///
/// The colors are multiplied by their opacity first, so that what cannot be seen does not bleed into
/// what can. Each component is scaled as a gray plane: libswscale would take RGBA through Y Cb Cr.
package final class ImageScaler {
    private let library: ScalingLibrary

    /// Loads libswscale.
    ///
    /// - Throws: `UndertextError` with code `missing-library`.
    package init() throws(UndertextError) { library = try ScalingLibrary.load() }

    /// Scales pixels `0xRRGGBBAA`, straight alpha.
    ///
    /// - Parameters:
    ///   - pixels: row by row, as many as `from` says.
    ///   - from: their size.
    ///   - to: the size to make, 1 to 8192 a side.
    /// - Returns: the pixels of the new size.
    /// - Throws: `UndertextError` where sizes do not fit or libswscale refuses them.
    package func scaled(
        _ pixels: [UInt32], from: PixelSize, to: PixelSize
    ) throws(UndertextError) -> [UInt32] {
        let sides = 1...8192
        guard [from.width, from.height, to.width, to.height].allSatisfy(sides.contains),
            pixels.count == from.width * from.height
        else { throw UndertextError(.limit, "images are scaled from and to 8192 pixels a side") }
        let planes = Self.premultipliedPlanes(pixels)
        var scaled: [[UInt8]] = []
        for plane in planes { scaled.append(try scale(plane, from: from, to: to)) }
        return Self.straight(scaled, count: to.width * to.height)
    }

    /// Red, green and blue times alpha / 255, and alpha.
    private static func premultipliedPlanes(_ pixels: [UInt32]) -> [[UInt8]] {
        var planes = [[UInt8]](repeating: [], count: 4)
        for index in 0..<4 {
            planes[index] = pixels.map { pixel in
                let alpha = pixel & 0xFF
                guard index < 3 else { return UInt8(truncatingIfNeeded: alpha) }
                let value = pixel >> UInt32(24 - 8 * index) & 0xFF
                return UInt8(truncatingIfNeeded: (value * alpha + 127) / 255)
            }
        }
        return planes
    }

    /// Colors divided by their opacity; the filter's overshoot is cut off.
    private static func straight(_ planes: [[UInt8]], count: Int) -> [UInt32] {
        (0..<count).map { index in
            let alpha = UInt32(planes[3][index])
            guard alpha > 0 else { return 0 }
            var pixel: UInt32 = 0
            for component in 0..<3 {
                let value = (UInt32(planes[component][index]) * 255 + alpha / 2) / alpha
                pixel = pixel << 8 | min(255, value)
            }
            return pixel << 8 | alpha
        }
    }

    private func scale(
        _ plane: [UInt8], from: PixelSize, to: PixelSize
    ) throws(UndertextError) -> [UInt8] {
        // libswscale reads and writes whole vectors: rows are padded.
        let stride = (from: Self.padded(from.width), to: Self.padded(to.width))
        var source = [UInt8](repeating: 0, count: stride.from * (from.height + 1))
        for row in 0..<from.height {
            source.replaceSubrange(
                row * stride.from..<row * stride.from + from.width,
                with: plane[row * from.width..<(row + 1) * from.width])
        }
        var target = [UInt8](repeating: 0, count: stride.to * (to.height + 1))
        let rows = unsafe source.withUnsafeBufferPointer { source in
            unsafe target.withUnsafeMutableBufferPointer { target in
                unsafe cffmpeg_scale_grey(
                    library.functions, source.baseAddress, Int32(stride.from), Int32(from.width),
                    Int32(from.height), target.baseAddress, Int32(stride.to), Int32(to.width),
                    Int32(to.height))
            }
        }
        guard rows == to.height else {
            throw UndertextError(
                .unsupported,
                "libswscale cannot scale \(from.width)x\(from.height) to \(to.width)x\(to.height)")
        }
        var result: [UInt8] = []
        result.reserveCapacity(to.width * to.height)
        for row in 0..<to.height {
            result += target[row * stride.to..<row * stride.to + to.width]
        }
        return result
    }

    private static func padded(_ width: Int) -> Int { (width + 63) / 64 * 64 + 64 }
}
