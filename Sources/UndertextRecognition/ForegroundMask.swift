internal import UndertextCore

/// The text coverage of each pixel of an image from 0 to 255, without outline, box and background.
struct ForegroundMask {
    /// From here on a pixel belongs to a letter.
    static let letter: UInt8 = 96

    let width: Int
    let height: Int
    var ink: [UInt8]

    /// Separates text from other pixels by the palette and by adjacency.
    init(_ bitmap: IndexedBitmap) {
        width = bitmap.width
        height = bitmap.height
        let table = InkTable(bitmap)
        ink = bitmap.indices.map { table.ink[Int($0)] }
    }

    /// A plane of values that are known.
    init(width: Int, height: Int, ink: [UInt8]) {
        self.width = width
        self.height = height
        self.ink = ink
    }

    /// `true` if a row has a pixel of a letter.
    func hasLetters(row: Int) -> Bool {
        ink[(row * width)..<((row + 1) * width)].contains { $0 >= Self.letter }
    }
}

/// The ink of each palette index.
private struct InkTable {
    private enum Kind {
        case clear
        case dark
        case bright
    }

    /// Ink by index, 256 values.
    let ink: [UInt8]

    init(_ bitmap: IndexedBitmap) {
        var counts = [Int](repeating: 0, count: 256)
        for index in bitmap.indices { counts[Int(index)] += 1 }
        let palette = bitmap.palette
        let used = palette.indices.filter { counts[$0] > 0 }
        let mostOpaque = used.map { Int(palette[$0].alpha) }.max() ?? 0
        guard mostOpaque > 0 else {
            ink = [UInt8](repeating: 0, count: 256)
            return
        }
        // An image that fades in is as opaque as it is going to be.
        let opacity = palette.map { Int($0.alpha) * 255 / mostOpaque }.map { min(255, $0) }
        let brightness = palette.map(Self.brightness)
        let visible = used.filter { opacity[$0] >= 64 }
        let area = visible.reduce(0) { $0 + counts[$1] }
        let seen = visible.filter { counts[$0] * 500 >= area }.map { brightness[$0] }
        let (darkest, brightest) = (seen.min() ?? 0, seen.max() ?? 0)
        var table = [UInt8](repeating: 0, count: 256)
        guard brightest - darkest >= 48 else {
            // One color: its shape is the text.
            for index in used { table[index] = UInt8(opacity[index]) }
            ink = table
            return
        }
        let middle = (darkest + brightest) / 2
        var kinds = [Kind](repeating: .clear, count: 256)
        for index in visible { kinds[index] = brightness[index] > middle ? .bright : .dark }
        let textIsDark = Self.darkIsInside(bitmap, kinds)
        let value = { (index: Int) -> Int in
            (textIsDark ? 255 - brightness[index] : brightness[index]) * opacity[index] / 255
        }
        // The text's surroundings are background, though a box or an outline may be gray.
        let around = visible.filter { (kinds[$0] == .bright) == textIsDark }
        let aroundArea = around.reduce(0) { $0 + counts[$1] }
        let sum = around.reduce(0) { $0 + counts[$1] * value($1) }
        let top = max(1, used.map(value).max() ?? 1)
        let paper = min(aroundArea > 0 ? sum / aroundArea : 0, top / 2)
        for index in used {
            table[index] = UInt8(max(0, min(255, (value(index) - paper) * 255 / (top - paper))))
        }
        ink = table
    }

    /// Between luminance, by which outlines are dark, and the strongest channel, by which red and blue
    /// text is bright.
    private static func brightness(_ color: RGBA) -> Int {
        let (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
        let luminance = (299 * red + 587 * green + 114 * blue) / 1000
        return (luminance + max(red, green, blue)) / 2
    }

    /// `true` if dark pixels are the text: bright ones touch what is clear, and dark ones do not.
    private static func darkIsInside(_ bitmap: IndexedBitmap, _ kinds: [Kind]) -> Bool {
        let (width, height) = (bitmap.width, bitmap.height)
        var counts = (dark: 0, bright: 0)
        var edges = (dark: 0, bright: 0)
        let pixels = bitmap.indices
        for row in 0..<height {
            let start = row * width
            for column in 0..<width {
                let place = start + column
                let kind = kinds[Int(pixels[place])]
                guard kind != .clear else { continue }
                let isEdge =
                    row == 0 || column == 0 || row == height - 1 || column == width - 1
                    || kinds[Int(pixels[place - 1])] == .clear
                    || kinds[Int(pixels[place + 1])] == .clear
                    || kinds[Int(pixels[place - width])] == .clear
                    || kinds[Int(pixels[place + width])] == .clear
                if kind == .dark {
                    counts.dark += 1
                    edges.dark += isEdge ? 1 : 0
                } else {
                    counts.bright += 1
                    edges.bright += isEdge ? 1 : 0
                }
            }
        }
        guard counts.dark > 0, counts.bright > 0 else { return false }
        let dark = Double(edges.dark) / Double(counts.dark)
        let bright = Double(edges.bright) / Double(counts.bright)
        return bright > 2 * dark
    }
}
