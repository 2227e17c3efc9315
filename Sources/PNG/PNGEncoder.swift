internal import CPNG

/// Writes pictures as PNG; the same pixels always give the same bytes.
///
/// Alpha is straight, and colours of transparent pixels are kept. Each file says that it is sRGB.
/// C: `png_image_write_to_memory`.
public enum PNGEncoder {
    /// The largest width or height that libpng writes.
    static let largestSide = 1_000_000

    /// Writes a picture with a palette: colour type 3 with `PLTE` and, where needed, `tRNS`.
    ///
    /// Colours that do not occur are left out and the others numbered anew, so that 2, 4 or 16
    /// colours take 1, 2 or 4 bits a pixel.
    ///
    /// - Parameters:
    ///   - width: pixels, at least 1.
    ///   - height: pixels, at least 1.
    ///   - indices: palette indices row by row, `width * height` of them.
    ///   - palette: colours as `0xRRGGBBAA`, 1 to 256 of them.
    /// - Returns: the file.
    /// - Throws: ``PNGError`` with code `invalid-picture` where those numbers do not agree.
    public static func encode(
        width: Int, height: Int, indices: [UInt8], palette: [UInt32]
    ) throws(PNGError) -> [UInt8] {
        try check(width, height, bytesPerPixel: 1, count: indices.count)
        guard (1...256).contains(palette.count) else {
            throw PNGError(.invalidPicture, "a palette of \(palette.count) colours")
        }
        let picture = try IndexedPicture(indices: indices, palette: palette)
        var image = unsafe newImage(width, height, format: UInt32(CPNG_FORMAT_RGBA_COLORMAP))
        unsafe image.colormap_entries = UInt32(picture.count)
        return try unsafe write(&image, pixels: picture.indices, colours: picture.colours)
    }

    /// Writes a picture of any number of colours: colour type 6, 8 bits a component.
    ///
    /// - Parameters:
    ///   - width: pixels, at least 1.
    ///   - height: pixels, at least 1.
    ///   - rgba: R, G, B, A bytes row by row, `width * height * 4` of them, straight alpha.
    /// - Returns: the file.
    /// - Throws: ``PNGError`` with code `invalid-picture` where those numbers do not agree.
    public static func encodeRGBA(
        width: Int, height: Int, rgba: [UInt8]
    ) throws(PNGError) -> [UInt8] {
        try check(width, height, bytesPerPixel: 4, count: rgba.count)
        var image = unsafe newImage(width, height, format: UInt32(CPNG_FORMAT_RGBA))
        return try unsafe write(&image, pixels: rgba, colours: [])
    }

    private static func check(
        _ width: Int, _ height: Int, bytesPerPixel: Int, count: Int
    ) throws(PNGError) {
        let sides = 1...largestSide
        guard sides.contains(width), sides.contains(height) else {
            throw PNGError(.invalidPicture, "a size of \(width)x\(height)")
        }
        guard width * height * bytesPerPixel == count else {
            throw PNGError(.invalidPicture, "\(count) bytes for \(width)x\(height) pixels")
        }
    }

    private static func newImage(_ width: Int, _ height: Int, format: UInt32) -> png_image {
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        unsafe image.width = UInt32(width)
        unsafe image.height = UInt32(height)
        unsafe image.format = format
        // No filters and zlib's level 3. On captions that is twice as fast as the defaults for a
        // sixth more bytes with a palette, nine times as fast for half the bytes without one.
        unsafe image.flags = UInt32(PNG_IMAGE_FLAG_FAST)
        return unsafe image
    }

    private static func write(
        _ image: inout png_image, pixels: [UInt8], colours: [UInt8]
    ) throws(PNGError) -> [UInt8] {
        defer { unsafe png_image_free(&image) }
        let bound = unsafe cpng_size_bound(&image)
        var hasWorked = false
        let file = unsafe [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, count in
            var size = bound
            let result = unsafe png_image_write_to_memory(
                &image, buffer.baseAddress, &size, 0, pixels, 0, colours)
            hasWorked = result != 0 && size <= bound
            count = hasWorked ? Int(size) : 0
        }
        guard hasWorked else {
            throw PNGError(.failed, unsafe String(cString: cpng_message(&image)))
        }
        // The bound is the size of the pixels: a copy gives back what compression saved.
        return Array(file[...])
    }
}
