internal import UndertextDeflate

/// The chunks of a PNG that is being written (W3C PNG, section 5).
struct PNGFile {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The color type and bit depth.
    enum Kind {
        /// Color type 3, 1, 2, 4 or 8 bits an index.
        case indexed(depth: Int)
        /// Color type 6, 8 bits a component.
        case rgba
    }

    /// Starts with `IHDR` and `sRGB`.
    init(width: Int, height: Int, _ kind: Kind) {
        var header: [UInt8] = []
        for side in [width, height] {
            for shift in [24, 16, 8, 0] { header.append(UInt8(truncatingIfNeeded: side >> shift)) }
        }
        switch kind {
        case .indexed(let depth): header += [UInt8(depth), 3]
        case .rgba: header += [8, 6]
        }
        // Deflate, the usual filters, no interlacing.
        add("IHDR", header + [0, 0, 0])
        // Perceptual.
        add("sRGB", [0])
    }

    /// Adds a chunk.
    mutating func add(_ type: String, _ data: [UInt8]) {
        appendNumber(UInt32(truncatingIfNeeded: data.count))
        let start = bytes.count
        bytes += type.utf8
        bytes += data
        appendNumber(crc32(bytes[start...]))
    }

    /// Adds `IDAT` with rows that each begin with their filter, and `IEND`.
    mutating func finish(rows: [UInt8]) throws(PNGError) {
        // The least effort: on captions it is as small as zlib's level 3.
        guard let data = compress(rows, level: 1), data.count <= Int(Int32.max) else {
            throw PNGError(.limit, "an image of \(rows.count) bytes is too large")
        }
        add("IDAT", data)
        add("IEND", [])
    }

    private mutating func appendNumber(_ value: UInt32) {
        for shift: UInt32 in [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
