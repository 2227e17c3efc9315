internal import CUndertextPNG

/// An image of 8 bits a component, straight alpha.
package struct RGBAImage: Hashable, Sendable {
    /// Width in pixels.
    package var width: Int
    /// Height in pixels.
    package var height: Int
    /// R, G, B, A bytes row by row, `width * height * 4` of them.
    package var rgba: [UInt8]

    /// Creates an image.
    package init(width: Int, height: Int, rgba: [UInt8]) {
        self.width = width
        self.height = height
        self.rgba = rgba
    }
}

/// Reads PNG files of any color type; C: `png_image_begin_read_from_memory`.
package enum PNGDecoder {
    /// Reads an image as RGBA.
    ///
    /// Files without a `gAMA` chunk, or with that of sRGB, come out exact; other gammas are
    /// converted to sRGB. 16 bits a component are reduced to 8.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - largestSide: width and height at most, in pixels, looked at before anything is taken.
    /// - Returns: the image.
    /// - Throws: ``PNGError`` with code `malformed` or `limit-exceeded`.
    package static func decodeRGBA(
        _ bytes: [UInt8], largestSide: Int = 8192
    ) throws(PNGError) -> RGBAImage {
        try checkHeader(bytes, largestSide)
        var png = unsafe png_image()
        unsafe png.version = UInt32(PNG_IMAGE_VERSION)
        defer { unsafe png_image_free(&png) }

        var image: RGBAImage?
        unsafe bytes.withUnsafeBytes { buffer in
            guard
                unsafe png_image_begin_read_from_memory(
                    &png, buffer.baseAddress, buffer.count) != 0
            else { return }
            unsafe png.format = UInt32(CPNG_FORMAT_RGBA)
            // 16 bits without a gamma are sRGB, as 8 bits are.
            unsafe png.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
            unsafe image = readPixels(&png)
        }
        guard let image else {
            throw PNGError(.malformed, unsafe String(cString: cpng_message(&png)))
        }
        return image
    }

    /// The size that a file states in its header; `nil` where it does not begin with one.
    ///
    /// - Parameter bytes: the file, or its first 24 bytes.
    /// - Returns: width and height in pixels, unchecked.
    package static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 24, bytes.starts(with: signature) else { return nil }
        return (bigEndian(bytes[16..<20]), bigEndian(bytes[20..<24]))
    }

    /// The beginning of every file: the PNG signature and the head of `IHDR`.
    private static let signature: [UInt8] = [
        137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82,
    ]

    private static func readPixels(_ image: inout png_image) -> RGBAImage? {
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        let count = width * height * 4
        var isWhole = false
        let rgba = unsafe [UInt8](unsafeUninitializedCapacity: count) { pixels, initialized in
            isWhole = unsafe png_image_finish_read(&image, nil, pixels.baseAddress, 0, nil) != 0
            initialized = isWhole ? count : 0
        }
        return isWhole ? RGBAImage(width: width, height: height, rgba: rgba) : nil
    }

    /// The fields of `IHDR`; PNG specification, 11.2.1.
    private static func checkHeader(_ bytes: [UInt8], _ largestSide: Int) throws(PNGError) {
        guard bytes.count > 33, let (width, height) = size(of: bytes) else {
            throw PNGError(.malformed, "it is not a PNG file")
        }
        guard width > 0, height > 0 else {
            throw PNGError(.malformed, "a size of \(width)x\(height)")
        }
        guard width <= largestSide, height <= largestSide, largestSide <= 1 << 20 else {
            throw PNGError(.limit, "\(width)x\(height) pixels, \(largestSide) a side allowed")
        }
        let components = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][bytes[25]] ?? 1
        let row = (width * components * Int(bytes[24]) + 7) / 8 + 1
        // Deflate makes at most 1032 bytes of one: smaller files cannot hold so many pixels.
        guard row * height / 1032 <= bytes.count else {
            throw PNGError(.malformed, "\(bytes.count) bytes for \(width)x\(height) pixels")
        }
    }

    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
