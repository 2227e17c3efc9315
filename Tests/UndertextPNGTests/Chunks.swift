/// A chunk of a PNG file.
struct Chunk {
    var type: String
    var data: [UInt8]
}

/// The chunks of a file, by a reader of our own: what the encoder's library says is not asked.
func chunks(of file: [UInt8]) -> [Chunk] {
    var result: [Chunk] = []
    var rest = file.dropFirst(8)
    while rest.count >= 12 {
        let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard rest.count >= 12 + length else { break }
        let body = rest.dropFirst(4)
        result.append(
            Chunk(
                type: String(decoding: body.prefix(4), as: UTF8.self),
                data: Array(body.dropFirst(4).prefix(length))))
        rest = rest.dropFirst(12 + length)
    }
    return result
}

extension [Chunk] {
    /// The data of the first chunk of a type.
    subscript(_ type: String) -> [UInt8]? { first { $0.type == type }?.data }

    /// `PLTE` and `tRNS` as `0xRRGGBBAA`.
    var palette: [UInt32] {
        let colors = self["PLTE"] ?? []
        let alphas = self["tRNS"] ?? []
        return (0..<colors.count / 3).map { index in
            let rgb = colors[(index * 3)..<(index * 3 + 3)].reduce(UInt32(0)) {
                $0 << 8 | UInt32($1)
            }
            return rgb << 8 | UInt32(index < alphas.count ? alphas[index] : 255)
        }
    }
}

/// R, G, B, A bytes of a paletted image.
func rgba(_ indices: [UInt8], _ palette: [UInt32]) -> [UInt8] {
    indices.flatMap { index in
        let color = palette[Int(index)]
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: color >> UInt32($0)) }
    }
}
