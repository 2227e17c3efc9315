internal import UndertextCore
internal import UndertextDeflate

/// The size of an image by its header.
enum ImageHeader {
    /// The largest side that libavcodec surely takes.
    private static let largestSide = 16_384
    /// The sampling factors of components, horizontal and vertical.
    private static let samplings: Set<UInt8> = [0x11, 0x12, 0x21, 0x22]

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// `true` if the bytes begin as those of a PNG image do.
    static func isPNG(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: pngSignature) }

    /// The size of an image of `total` bytes by its beginning; `nil` for other codecs than PNG and JPEG.
    static func size(_ bytes: ArraySlice<UInt8>, total: Int, codec: CodecID) -> PixelSize? {
        switch codec.rawValue {
        case "png": png(bytes, total: total)
        case "mjpeg": jpeg(bytes)
        default: nil
        }
    }

    /// The size of a PNG image of `total` bytes (ISO/IEC 15948, section 11.2.1), if all chunks before its data are whole; otherwise `nil`.
    static func png(_ bytes: ArraySlice<UInt8>, total: Int) -> PixelSize? {
        var reader = ByteReader(bytes)
        guard reader.slice(8)?.elementsEqual(pngSignature) == true else { return nil }
        var found: PixelSize?
        var hasPalette = false
        while let length = reader.uint32(), let type = reader.slice(4) {
            let name = String(decoding: type, as: UTF8.self)
            if name == "IDAT" {
                let place = total - (bytes.count - reader.remaining)
                return Int(length) > 0 && Int(length) <= place - 4 && hasPalette ? found : nil
            }
            guard let data = reader.slice(Int(length)), let sum = reader.uint32(),
                sum == crc32(data, after: crc32(type)), (name == "IHDR") == (found == nil)
            else { return nil }
            if name == "IHDR" {
                var header = ByteReader(data)
                guard length == 13, let width = header.uint32(), let height = header.uint32(),
                    header.skip(1), let colors = header.uint8()
                else { return nil }
                found = size(Int(width), Int(height))
                if found == nil { return nil }
                hasPalette = colors != 3
            }
            if name == "PLTE" { hasPalette = true }
        }
        return nil
    }

    /// The size of a baseline or progressive JPEG image (ITU-T T.81, section B.2.2), or `nil`.
    static func jpeg(_ bytes: ArraySlice<UInt8>) -> PixelSize? {
        var reader = ByteReader(bytes)
        guard reader.uint16() == 0xFFD8 else { return nil }
        while reader.uint8() == 0xFF, let marker = reader.uint8(),
            let length = reader.uint16(), length >= 2
        {
            switch marker {
            case 0xC0, 0xC2:
                guard reader.uint8() == 8, let height = reader.uint16(),
                    let width = reader.uint16(), let components = reader.uint8(),
                    components == 1 || components == 3, Int(length) == 8 + 3 * Int(components),
                    (0..<components).allSatisfy({ _ in
                        reader.skip(1) && reader.uint8().map(Self.samplings.contains) == true
                            && reader.uint8().map { $0 < 4 } == true
                    })
                else { return nil }
                return size(Int(width), Int(height))
            // Tables, application data and comments.
            case 0xC4, 0xDB, 0xDD, 0xE0...0xEF, 0xFE:
                guard reader.skip(Int(length) - 2) else { return nil }
            default: return nil
            }
        }
        return nil
    }

    private static func size(_ width: Int, _ height: Int) -> PixelSize? {
        let sides = 1...largestSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        return PixelSize(width: width, height: height)
    }
}
