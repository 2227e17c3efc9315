internal import UndertextCore
internal import UndertextPNG

/// Decodes and places the images of a document, each once, even if it is shown repeatedly.
struct TTMLPainter {
    /// The result of decoding an image.
    private enum Resource {
        /// Its position is relative to the stored image, which has margins around it.
        case decoded(PlacedBitmap, width: Int, height: Int)
        case failed(TTMLImageSource.Missing)
    }

    /// An image that is seen through.
    private struct Fade: Hashable {
        var address: String
        var alpha: UInt8
    }

    private let source: TTMLImageSource
    private let root: TTMLRoot
    private let limits: Limits
    private let decode: TTMLDecoder.ImageDecoder
    private var resources: [String: Resource] = [:]
    private var faded: [Fade: PlacedBitmap] = [:]
    /// The number of pixels in memory.
    private var pixels = 0

    /// As many pixels as the images of a feature film have; a few bytes of PNG can become a million times as
    /// many.
    private static let pixelsAtMost = 256 << 20

    init(
        _ tree: TTMLTree, files: [String: [UInt8]], limits: Limits,
        decode: @escaping TTMLDecoder.ImageDecoder
    ) {
        source = TTMLImageSource(tree, files: files)
        root = tree.parameters.root
        self.limits = limits
        self.decode = decode
    }

    /// An image in the middle of its region; `nil`, with a note, where it cannot be shown.
    ///
    /// SMPTE ST 2052-1, section 5.5.2: a background image is neither scaled nor cut, and centered.
    mutating func images(
        _ address: String, _ composition: TTMLComposition, at time: Timestamp,
        notes: inout TTMLNotes
    ) -> CueImages? {
        let resource: Resource
        if let known = resources[address] {
            resource = known
        } else {
            resource = read(address, at: time, notes: &notes)
            resources[address] = resource
        }
        switch resource {
        case .failed(let reason):
            notes.add(.error, reason.code, reason.message, time: time)
            return nil
        case .decoded(let bitmap, let width, let height):
            let canvas = root.size ?? TTMLRoot.assumedSize
            let box = composition.box
            var image = visible(bitmap, address, opacity: composition.opacity)
            image.x += Self.place(box.left, box.right, canvas.width, width)
            image.y += Self.place(box.top, box.bottom, canvas.height, height)
            return CueImages(canvas: canvas, images: [image])
        }
    }

    /// The value in the middle of an interval of percents.
    private static func place(_ from: Double, _ to: Double, _ whole: Int, _ length: Int) -> Int {
        let middle = (from + to) / 200 * Double(whole)
        return Int(min(max(middle - Double(length) / 2, -65536), 65536).rounded())
    }

    private mutating func read(
        _ address: String, at time: Timestamp, notes: inout TTMLNotes
    ) -> Resource {
        let bytes: [UInt8]
        do throws(TTMLImageSource.Missing) {
            bytes = try source.bytes(of: address)
        } catch {
            return .failed(error)
        }
        func failure(_ code: String, _ reason: String) -> Resource {
            .failed(.init(code: code, message: "'\(address.prefix(60))' \(reason)"))
        }
        guard let size = PNGDecoder.size(of: bytes), size.width <= limits.canvas,
            size.height <= limits.canvas
        else { return failure("malformed-image", "is not a PNG image, or is too large") }
        let full = failure(
            "too-many-pixels",
            "is left out: the images of the document have more than \(Self.pixelsAtMost) pixels")
        guard pixels < Self.pixelsAtMost else { return full }
        switch decode(bytes, 0, 0) {
        case .failed(let reason): return failure("malformed-image", "cannot be shown: \(reason)")
        case .decoded(let image, let isExact):
            let area = image.bitmap.indices.count
            guard area <= Self.pixelsAtMost - pixels else { return full }
            pixels += area
            if !isExact {
                notes.add(
                    .warning, "colors-reduced",
                    "'\(address.prefix(60))': more than 256 colors were reduced to 256",
                    time: time)
            }
            return .decoded(image, width: size.width, height: size.height)
        }
    }

    /// The image with `tts:opacity` applied; its pixels are shared.
    private mutating func visible(
        _ image: PlacedBitmap, _ address: String, opacity: Double
    ) -> PlacedBitmap {
        guard opacity < 1 else { return image }
        let fade = Fade(address: address, alpha: UInt8((max(opacity, 0) * 255).rounded()))
        if let known = faded[fade] { return known }
        var result = image
        let palette = image.bitmap.palette.map { color in
            RGBA(
                red: color.red, green: color.green, blue: color.blue,
                alpha: UInt8((Int(color.alpha) * Int(fade.alpha) + 127) / 255))
        }
        if let bitmap = IndexedBitmap(
            width: image.bitmap.width, height: image.bitmap.height,
            indices: image.bitmap.indices, palette: palette)
        {
            result.bitmap = bitmap
        }
        faded[fade] = result
        return result
    }
}
