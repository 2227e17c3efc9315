/// An image of one byte a pixel, as Tesseract takes it: dark text on white.
struct GrayscaleImage: Hashable {
    let width: Int
    let height: Int
    let pixels: [UInt8]

    /// White around the text, pixels.
    static let margin = 12
    /// Longer than any line of text, and what Tesseract can take.
    private static let widthAtMost = 16_000

    /// A line of text in the size at which Tesseract reads best.
    init(_ line: TextLine, of plane: ForegroundMask) {
        let (wide, high) = (line.columns.count, line.rows.count)
        let scale = Self.scale(line)
        let width = max(1, Int((Double(wide) * scale).rounded()))
        let height = max(1, Int((Double(high) * scale).rounded()))
        var source: [UInt8] = []
        source.reserveCapacity(wide * high)
        for row in line.rows {
            let start = row * plane.width
            source +=
                plane.ink[
                    (start + line.columns.lowerBound)..<(start + line.columns.upperBound)]
        }
        let across = ResampleAxis(from: wide, to: width)
        let down = ResampleAxis(from: high, to: height)
        var narrow = [Double](repeating: 0, count: width * high)
        for row in 0..<high {
            for column in 0..<width {
                narrow[row * width + column] = across.value(at: column) {
                    Double(source[row * wide + $0])
                }
            }
        }
        // Text of a dim color becomes as black as any other.
        let strongest = Double(max(1, source.max() ?? 1))
        let margin = Self.margin
        self.width = width + 2 * margin
        self.height = height + 2 * margin
        var pixels = [UInt8](repeating: 255, count: self.width * self.height)
        for row in 0..<height {
            for column in 0..<width {
                let ink = down.value(at: row) { narrow[$0 * width + column] } * 255 / strongest
                pixels[(row + margin) * self.width + column + margin] =
                    UInt8(max(0, min(255, 255 - ink.rounded())))
            }
        }
        self.pixels = pixels
    }

    /// Lowercase letters are scaled to 20 to 30 pixels; if all characters are as high as the line, like
    /// capitals and Han characters, to somewhat more.
    private static func scale(_ line: TextLine) -> Double {
        let isEven = line.letterHeight * 4 > line.rows.count * 3
        let best = isEven ? 30.0...42.0 : 20.0...30.0
        let height = Double(line.letterHeight)
        let wanted = best.contains(height) ? 1 : (best.lowerBound + best.upperBound) / 2 / height
        return min(wanted, Double(widthAtMost) / Double(line.columns.count))
    }
}

/// A linear filter from one number of pixels to another.
private struct ResampleAxis {
    private let taps: [(first: Int, weights: [Double])]

    init(from source: Int, to target: Int) {
        let ratio = Double(source) / Double(target)
        // Made smaller, every pixel of the source counts.
        let reach = max(1, ratio)
        taps = (0..<target).map { place in
            let center = (Double(place) + 0.5) * ratio - 0.5
            let first = max(0, Int((center - reach).rounded(.up)))
            let last = min(source - 1, Int((center + reach).rounded(.down)))
            guard first <= last else { return (max(0, min(source - 1, first)), [1]) }
            let weights = (first...last).map { max(0, 1 - abs(Double($0) - center) / reach) }
            let sum = weights.reduce(0, +)
            return (first, sum > 0 ? weights.map { $0 / sum } : weights)
        }
    }

    func value(at place: Int, _ source: (Int) -> Double) -> Double {
        var sum = 0.0
        let tap = taps[place]
        for (index, weight) in tap.weights.enumerated() {
            sum += weight * source(tap.first + index)
        }
        return sum
    }
}
