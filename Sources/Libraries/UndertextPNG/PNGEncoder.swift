/// Writes images as PNG; the same pixels always give the same bytes.
///
/// Alpha is straight, and colors of transparent pixels are kept. Each file states that it is sRGB. Rows are not
/// filtered: on captions, filters save less than they cost.
package enum PNGEncoder {
    /// The largest width or height that is written.
    static let largestSide = 1_000_000

    /// Writes an image with a palette: color type 3 with `PLTE` and, where needed, `tRNS`.
    ///
    /// Colors that do not occur are left out and the others renumbered, so that 2, 4 or 16
    /// colors take 1, 2 or 4 bits a pixel.
    ///
    /// - Parameters:
    ///   - width: pixels, at least 1.
    ///   - height: pixels, at least 1.
    ///   - indices: palette indices row by row, `width * height` of them.
    ///   - palette: colors as `0xRRGGBBAA`, 1 to 256 of them.
    /// - Returns: the file.
    /// - Throws: ``PNGError`` with code ``PNGError/Code/invalidImage`` if the numbers do not match.
    package static func encode(
        width: Int, height: Int, indices: [UInt8], palette: [UInt32]
    ) throws(PNGError) -> [UInt8] {
        try check(width, height, bytesPerPixel: 1, count: indices.count)
        guard (1...256).contains(palette.count) else {
            throw PNGError(.invalidImage, "a palette of \(palette.count) colors")
        }
        let image = try IndexedImage(indices: indices, palette: palette)
        var file = PNGFile(width: width, height: height, .indexed(depth: image.depth))
        file.add("PLTE", image.colors)
        if !image.alphas.isEmpty { file.add("tRNS", image.alphas) }
        try file.finish(rows: image.rows(width: width))
        return file.bytes
    }

    /// Writes an image of any number of colors: color type 6, 8 bits a component.
    ///
    /// - Parameters:
    ///   - width: pixels, at least 1.
    ///   - height: pixels, at least 1.
    ///   - rgba: R, G, B, A bytes row by row, `width * height * 4` of them, straight alpha.
    /// - Returns: the file.
    /// - Throws: ``PNGError`` with code ``PNGError/Code/invalidImage`` if the numbers do not match.
    package static func encodeRGBA(
        width: Int, height: Int, rgba: [UInt8]
    ) throws(PNGError) -> [UInt8] {
        try check(width, height, bytesPerPixel: 4, count: rgba.count)
        var file = PNGFile(width: width, height: height, .rgba)
        try file.finish(rows: rows(rgba, length: width * 4))
        return file.bytes
    }

    private static func check(
        _ width: Int, _ height: Int, bytesPerPixel: Int, count: Int
    ) throws(PNGError) {
        let sides = 1...largestSide
        guard sides.contains(width), sides.contains(height) else {
            throw PNGError(.invalidImage, "a size of \(width)x\(height)")
        }
        guard width * height * bytesPerPixel == count else {
            throw PNGError(.invalidImage, "\(count) bytes for \(width)x\(height) pixels")
        }
    }

    /// Rows of bytes, each after filter 0.
    private static func rows(_ bytes: [UInt8], length: Int) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(bytes.count + bytes.count / length)
        for start in stride(from: 0, to: bytes.count, by: length) {
            rows.append(0)
            rows += bytes[start..<start + length]
        }
        return rows
    }
}
