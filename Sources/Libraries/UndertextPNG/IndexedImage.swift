/// Palette indices renumbered without gaps, so that they need the fewest bits, and the colors that they use.
struct IndexedImage {
    /// The colors that occur, 1 to 256 of them, as R, G, B bytes.
    let colors: [UInt8]
    /// The alpha of the colors that are not opaque; these are first.
    let alphas: [UInt8]
    /// Bits of an index.
    let depth: Int

    /// The color index of each pixel before reordering.
    private let indices: [UInt8]
    /// The new number of each index, 256 of them.
    private let numbers: [UInt8]

    /// Keeps the colors that occur: those that are not opaque first, since PNG stores the alpha
    /// of the first colors only; otherwise in their order.
    ///
    /// - Throws: ``PNGError`` if an index has no color.
    init(indices: [UInt8], palette: [UInt32]) throws(PNGError) {
        let isUsed = Self.used(indices.span)
        let used = (0..<256).filter { isUsed[$0] }
        if let missing = used.last, missing >= palette.count {
            throw PNGError(
                .invalidImage,
                "index \(missing) is outside of the palette of \(palette.count) colors")
        }
        let order =
            used.filter { palette[$0] & 0xFF != 0xFF } + used.filter { palette[$0] & 0xFF == 0xFF }

        var numbers = [UInt8](repeating: 0, count: 256)
        var colors: [UInt8] = []
        var alphas: [UInt8] = []
        for (number, index) in order.enumerated() {
            numbers[index] = UInt8(truncatingIfNeeded: number)
            for shift in [24, 16, 8] as [UInt32] {
                colors.append(UInt8(truncatingIfNeeded: palette[index] >> shift))
            }
            let alpha = UInt8(truncatingIfNeeded: palette[index])
            if alpha != 0xFF { alphas.append(alpha) }
        }
        self.indices = indices
        self.numbers = numbers
        self.colors = colors
        self.alphas = alphas
        depth = order.count <= 2 ? 1 : order.count <= 4 ? 2 : order.count <= 16 ? 4 : 8
    }

    /// The rows as PNG stores them: each after filter 0, the first pixel in the highest bits.
    func rows(width: Int) -> [UInt8] {
        let height = indices.count / width
        let perByte = 8 / depth
        let length = 1 + (width + perByte - 1) / perByte
        let pixels = indices.span
        return [UInt8](capacity: length * height) { output in
            for row in 0..<height {
                output.append(0)
                let start = row * width
                Self.pack(
                    pixels.extracting(start..<start + width), numbers.span, depth, into: &output)
            }
        }
    }

    /// Appends a row; two pixels a byte are the usual case.
    private static func pack(
        _ row: borrowing Span<UInt8>, _ numbers: borrowing Span<UInt8>, _ depth: Int,
        into output: inout OutputSpan<UInt8>
    ) {
        var place = 0
        if depth == 4 {
            while place < row.count - 1 {
                output.append(
                    numbers[Int(row[place])] << 4 | numbers[Int(row[place + 1])])
                place += 2
            }
        }
        while place < row.count {
            var packed: UInt8 = 0
            var shift = 8
            while shift > 0, place < row.count {
                shift -= depth
                packed |= numbers[Int(row[place])] << UInt8(truncatingIfNeeded: shift)
                place += 1
            }
            output.append(packed)
        }
    }

    /// The indices that occur; captions consist of runs, so most pixels equal the previous one.
    private static func used(_ indices: borrowing Span<UInt8>) -> [Bool] {
        var isUsed = [Bool](repeating: false, count: 256)
        var last: UInt8?
        for place in indices.indices where indices[place] != last {
            last = indices[place]
            isUsed[Int(indices[place])] = true
        }
        return isUsed
    }
}
