internal import UndertextCore

/// The colors of an image and the number of pixels of each.
///
/// Up to ``exactAtMost`` colors are counted exactly. Beyond that, colors with equal upper bits of their
/// components are counted together: five bits, or fewer if that is not enough.
struct ColorHistogram {
    /// Colors that can be gathered around a few centers in a fraction of a second.
    static let exactAtMost = 1 << 14

    /// Visible colors, the most frequent first.
    private(set) var colors: [(color: RGBA, count: Int)]
    /// `true` if a pixel is fully transparent.
    let hasClear: Bool
    /// The bits of each component that count.
    private let bits: UInt32

    /// `true` if each color is counted for itself.
    var isExact: Bool { bits == 8 }

    init(_ pixels: [RGBA]) {
        if let exact = Self.exactCounts(pixels) {
            bits = 8
            hasClear = exact[.clear] != nil
            colors = Self.sorted(exact.filter { $0.key != .clear }.map { ($0.key, $0.value) })
            return
        }
        var bits: UInt32 = 5
        var (counts, hasClear) = Self.coarseCounts(pixels, bits: bits)
        while counts.count > Self.exactAtMost, bits > 1 {
            bits -= 1
            var fewer: [RGBA: Int] = [:]
            for (color, count) in counts {
                fewer[Self.coarse(color, bits: bits), default: 0] += count
            }
            counts = fewer.map { ($0.key, $0.value) }
        }
        self.bits = bits
        self.hasClear = hasClear
        colors = Self.sorted(counts)
    }

    /// Counts the colors of an image; 256 entries of a palette are never too many.
    init(_ bitmap: IndexedBitmap) {
        var uses = [Int](repeating: 0, count: 256)
        for index in bitmap.indices { uses[Int(index)] += 1 }
        var counts: [RGBA: Int] = [:]
        for (color, count) in zip(bitmap.palette, uses) where count > 0 {
            counts[color.alpha == 0 ? .clear : color, default: 0] += count
        }
        bits = 8
        hasClear = counts[.clear] != nil
        colors = Self.sorted(counts.filter { $0.key != .clear }.map { ($0.key, $0.value) })
    }

    /// The numbers of pixels.
    ///
    /// - Parameters:
    ///   - pixels: those that were counted.
    ///   - numbers: a number for each of ``colors``, and for `clear` where that occurs.
    /// - Returns: a number for each pixel.
    func indices(of pixels: [RGBA], by numbers: [RGBA: UInt8]) -> [UInt8] {
        let clear = numbers[.clear] ?? 0
        var indices: [UInt8] = []
        indices.reserveCapacity(pixels.count)
        guard isExact else {
            var table = [UInt8](repeating: 0, count: 1 << (4 * bits))
            for (color, number) in numbers where color.alpha > 0 {
                table[Self.place(color, bits: bits)] = number
            }
            for pixel in pixels {
                indices.append(pixel.alpha == 0 ? clear : table[Self.place(pixel, bits: bits)])
            }
            return indices
        }
        var last: (color: RGBA, number: UInt8)?
        for pixel in pixels {
            if let last, last.color == pixel {
                indices.append(last.number)
            } else {
                let number = pixel.alpha == 0 ? clear : numbers[pixel] ?? 0
                last = (pixel, number)
                indices.append(number)
            }
        }
        return indices
    }

    private static func sorted(_ counts: [(RGBA, Int)]) -> [(color: RGBA, count: Int)] {
        counts.map { (color: $0.0, count: $0.1) }
            .sorted { ($1.count, $0.color.rawValue) < ($0.count, $1.color.rawValue) }
    }

    /// The number of pixels of each color, counted by runs; `nil` if there are too many colors.
    private static func exactCounts(_ pixels: [RGBA]) -> [RGBA: Int]? {
        var counts: [RGBA: Int] = [:]
        var start = 0
        while start < pixels.count {
            let color = pixels[start]
            var end = start + 1
            while end < pixels.count, pixels[end] == color { end += 1 }
            counts[color.alpha == 0 ? .clear : color, default: 0] += end - start
            guard counts.count <= exactAtMost else { return nil }
            start = end
        }
        return counts
    }

    /// The same for coarse colors, in a table: a dictionary of a million colors would take seconds.
    private static func coarseCounts(
        _ pixels: [RGBA], bits: UInt32
    ) -> (counts: [(RGBA, Int)], hasClear: Bool) {
        var table = [Int](repeating: 0, count: 1 << (4 * bits))
        var hasClear = false
        for pixel in pixels {
            if pixel.alpha == 0 { hasClear = true } else { table[place(pixel, bits: bits)] += 1 }
        }
        var counts: [(RGBA, Int)] = []
        for (place, count) in table.enumerated() where count > 0 {
            counts.append((color(at: UInt32(place), bits: bits), count))
        }
        return (counts, hasClear)
    }

    /// The upper bits of the components, concatenated.
    private static func place(_ color: RGBA, bits: UInt32) -> Int {
        let shift = 8 - bits
        let raw = color.rawValue
        let red = raw >> (24 + shift)
        let green = raw >> (16 + shift) & ((1 << bits) - 1)
        let blue = raw >> (8 + shift) & ((1 << bits) - 1)
        let alpha = raw >> shift & ((1 << bits) - 1)
        return Int(((red << bits | green) << bits | blue) << bits | alpha)
    }

    /// The color of a position: its components scaled to 0 to 255.
    private static func color(at place: UInt32, bits: UInt32) -> RGBA {
        let most: UInt32 = (1 << bits) - 1
        func part(_ number: UInt32) -> UInt32 {
            (place >> (bits * number) & most) * 255 / most
        }
        // The colors of the previous image are still visible.
        let alpha = max(1, part(0))
        return RGBA(rawValue: part(3) << 24 | part(2) << 16 | part(1) << 8 | alpha)
    }

    private static func coarse(_ color: RGBA, bits: UInt32) -> RGBA {
        self.color(at: UInt32(place(color, bits: bits)), bits: bits)
    }
}
