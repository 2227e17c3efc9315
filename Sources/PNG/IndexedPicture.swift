/// Indices and the colours that they use, numbered anew: the smaller the numbers, the fewer bits.
struct IndexedPicture {
    /// An index for each pixel.
    let indices: [UInt8]
    /// The colours that occur, 1 to 256 of them, as R, G, B bytes.
    let colours: [UInt8]
    /// The alpha of those colours that are not opaque; they come first.
    let alphas: [UInt8]

    /// Bits of an index.
    var depth: Int {
        let count = colours.count / 3
        return count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8
    }

    /// Keeps the colours that occur: those that are not opaque first, since PNG stores the alpha
    /// of the first colours only; otherwise in their order.
    ///
    /// - Throws: ``PNGError`` if an index has no colour.
    init(indices: [UInt8], palette: [UInt32]) throws(PNGError) {
        var isUsed = [Bool](repeating: false, count: 256)
        Self.mark(indices.span, in: &isUsed)
        if let missing = isUsed[min(palette.count, 256)...].firstIndex(of: true) {
            throw PNGError(
                .invalidPicture, "index \(missing) has no colour, the palette has \(palette.count)")
        }
        let used = (0..<palette.count).filter { isUsed[$0] }
        let order =
            used.filter { palette[$0] & 0xFF != 0xFF } + used.filter { palette[$0] & 0xFF == 0xFF }

        var numbers = [UInt8](repeating: 0, count: 256)
        var colours: [UInt8] = []
        var alphas: [UInt8] = []
        colours.reserveCapacity(order.count * 3)
        for (number, index) in order.enumerated() {
            numbers[index] = UInt8(truncatingIfNeeded: number)
            for shift in [24, 16, 8] as [UInt32] {
                colours.append(UInt8(truncatingIfNeeded: palette[index] >> shift))
            }
            let alpha = UInt8(truncatingIfNeeded: palette[index])
            if alpha != 0xFF { alphas.append(alpha) }
        }
        self.colours = colours
        self.alphas = alphas
        let isUnchanged = order.enumerated().allSatisfy { $0.offset == $0.element }
        self.indices = isUnchanged ? indices : Self.renumbered(indices.span, numbers.span)
    }

    /// Marks what occurs; captions are runs, so that most pixels equal the one before.
    private static func mark(_ indices: borrowing Span<UInt8>, in isUsed: inout [Bool]) {
        var last: UInt8?
        for place in indices.indices where indices[place] != last {
            last = indices[place]
            isUsed[Int(indices[place])] = true
        }
    }

    private static func renumbered(
        _ indices: borrowing Span<UInt8>, _ numbers: borrowing Span<UInt8>
    ) -> [UInt8] {
        [UInt8](capacity: indices.count) { output in
            for place in indices.indices { output.append(numbers[Int(indices[place])]) }
        }
    }
}
