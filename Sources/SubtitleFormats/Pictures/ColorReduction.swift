public import CueModel

/// Fewer colours for a picture: the exact ones where they are few enough, else the best few.
///
/// Median cut, then a few rounds of k-means, in components multiplied by their opacity, so that
/// colours that can hardly be seen weigh little. All fully transparent colours count as one, which is
/// always kept. The same pixels always give the same colours.
public enum ColorReduction {
    /// A picture of few colours.
    public struct Result: Hashable, Sendable {
        /// The picture.
        public var picture: PlacedBitmap
        /// Whether every visible pixel has the colour that it had.
        public var isExact: Bool
    }

    /// Reduces a raster to at most `limit` colours, 2 to 256 of them.
    public static func indexed(_ raster: Raster, limit: Int) -> Result? {
        let limit = max(2, min(256, limit))
        let counts = histogram(raster.pixels)
        let hasClear = counts[.clear] != nil
        let colors = counts.filter { $0.key != .clear }
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        let room = limit - (hasClear ? 1 : 0)
        var palette = colors.map(\.key)
        var numbers: [RGBA: UInt8] = [:]
        let isExact = colors.count <= room
        if isExact {
            for (index, color) in palette.enumerated() {
                numbers[color] = UInt8(truncatingIfNeeded: index)
            }
        } else {
            let points = colors.map { WeightedColor($0.key, count: $0.value) }
            let clusters = ColorClusters(points, limit: room)
            palette = clusters.colors
            for (color, cluster) in zip(colors, clusters.memberships) {
                numbers[color.key] = UInt8(truncatingIfNeeded: cluster)
            }
        }
        if hasClear {
            numbers[.clear] = UInt8(truncatingIfNeeded: palette.count)
            palette.append(.clear)
        }
        var indices: [UInt8] = []
        indices.reserveCapacity(raster.pixels.count)
        var last: (color: RGBA, number: UInt8)?
        for pixel in raster.pixels {
            let color = pixel.alpha == 0 ? .clear : pixel
            if let last, last.color == color {
                indices.append(last.number)
            } else {
                let number = numbers[color] ?? 0
                last = (color, number)
                indices.append(number)
            }
        }
        return IndexedBitmap(
            width: raster.width, height: raster.height, indices: indices, palette: palette
        ).map {
            Result(picture: PlacedBitmap(x: raster.x, y: raster.y, bitmap: $0), isExact: isExact)
        }
    }

    /// How many pixels have each colour; runs of one colour are counted at once.
    private static func histogram(_ pixels: [RGBA]) -> [RGBA: Int] {
        var counts: [RGBA: Int] = [:]
        var start = 0
        while start < pixels.count {
            let color = pixels[start]
            var end = start + 1
            while end < pixels.count, pixels[end] == color { end += 1 }
            counts[color.alpha == 0 ? .clear : color, default: 0] += end - start
            start = end
        }
        return counts
    }
}

/// A colour by its components times their opacity, and how many pixels have it.
struct WeightedColor {
    /// Red, green and blue times alpha / 255, and alpha.
    let components: [Int]
    let count: Int

    init(_ color: RGBA, count: Int) {
        let alpha = Int(color.alpha)
        components =
            [color.red, color.green, color.blue].map { (Int($0) * alpha + 127) / 255 } + [alpha]
        self.count = count
    }

    func distance(to center: [Int]) -> Int {
        var sum = 0
        for index in 0..<4 {
            let difference = components[index] - center[index]
            sum += difference * difference
        }
        return sum
    }
}

/// Colours gathered around a few centres.
struct ColorClusters {
    /// The colour of each centre.
    private(set) var colors: [RGBA] = []
    /// The centre of each colour that came in.
    private(set) var memberships: [Int]

    private static let rounds = 4

    init(_ points: [WeightedColor], limit: Int) {
        var boxes = [Array(points.indices)]
        while boxes.count < limit {
            // The box with the most to gain is divided: its variance along its widest component.
            var best: (box: Int, component: Int, spread: Int)?
            for (number, box) in boxes.enumerated() where box.count > 1 {
                for component in 0..<4 {
                    let spread = Self.spread(points, box, component)
                    if spread > best?.spread ?? 0 { best = (number, component, spread) }
                }
            }
            guard let best else { break }
            let sorted = boxes[best.box].sorted {
                (points[$0].components[best.component], $0)
                    < (points[$1].components[best.component], $1)
            }
            let cut = Self.cut(points, sorted, best.component)
            boxes[best.box] = Array(sorted[..<cut])
            boxes.append(Array(sorted[cut...]))
        }
        var centers = boxes.map { Self.center(points, $0) }
        memberships = [Int](repeating: 0, count: points.count)
        for _ in 0..<Self.rounds {
            var members = [[Int]](repeating: [], count: centers.count)
            for (number, point) in points.enumerated() {
                var nearest = (0, Int.max)
                for (index, center) in centers.enumerated() {
                    let distance = point.distance(to: center)
                    if distance < nearest.1 { nearest = (index, distance) }
                }
                memberships[number] = nearest.0
                members[nearest.0].append(number)
            }
            let moved = members.enumerated().map { index, box in
                box.isEmpty ? centers[index] : Self.center(points, box)
            }
            if moved == centers { break }
            centers = moved
        }
        colors = centers.map(Self.color)
    }

    /// The weighted variance times the number of pixels.
    private static func spread(_ points: [WeightedColor], _ box: [Int], _ component: Int) -> Int {
        var (count, sum, squares) = (0, 0, 0)
        for index in box {
            let value = points[index].components[component]
            count += points[index].count
            sum += value * points[index].count
            squares += value * value * points[index].count
        }
        return count == 0 ? 0 : squares - Int(Int128(sum) * Int128(sum) / Int128(count))
    }

    /// Where the sorted colours fall apart best: the mean.
    private static func cut(_ points: [WeightedColor], _ sorted: [Int], _ component: Int) -> Int {
        let mean = center(points, sorted)[component]
        let place = sorted.firstIndex { points[$0].components[component] > mean }
        return min(max(1, place ?? sorted.count - 1), sorted.count - 1)
    }

    private static func center(_ points: [WeightedColor], _ box: [Int]) -> [Int] {
        var sums = [0, 0, 0, 0]
        var count = 0
        for index in box {
            for component in 0..<4 {
                sums[component] += points[index].components[component] * points[index].count
            }
            count += points[index].count
        }
        return sums.map { count == 0 ? 0 : ($0 + count / 2) / count }
    }

    private static func color(_ center: [Int]) -> RGBA {
        let alpha = center[3]
        guard alpha > 0 else { return .clear }
        let parts = center.prefix(3).map { UInt8(clamping: ($0 * 255 + alpha / 2) / alpha) }
        return RGBA(
            red: parts[0], green: parts[1], blue: parts[2], alpha: UInt8(clamping: alpha))
    }
}
