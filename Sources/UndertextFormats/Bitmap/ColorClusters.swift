internal import UndertextCore

/// A color by its components times their opacity, and how many pixels have it.
struct WeightedColor {
    /// Red, green and blue times alpha / 255, and alpha.
    let components: Components
    let count: Int

    /// Four numbers; an array of them would cost more than what is done with them.
    struct Components: Hashable {
        var red = 0
        var green = 0
        var blue = 0
        var alpha = 0

        subscript(_ index: Int) -> Int {
            switch index {
            case 0: red
            case 1: green
            case 2: blue
            default: alpha
            }
        }
    }

    init(_ color: RGBA, count: Int) {
        let alpha = Int(color.alpha)
        func part(_ value: UInt8) -> Int { (Int(value) * alpha + 127) / 255 }
        components = Components(
            red: part(color.red), green: part(color.green), blue: part(color.blue), alpha: alpha)
        self.count = count
    }

    func distance(to center: Components) -> Int {
        let red = components.red - center.red
        let green = components.green - center.green
        let blue = components.blue - center.blue
        let alpha = components.alpha - center.alpha
        return red * red + green * green + blue * blue + alpha * alpha
    }
}

/// Colors gathered around a few centers.
struct ColorClusters {
    /// The color of each center.
    private(set) var colors: [RGBA] = []
    /// The index of the cluster of each input color.
    private(set) var memberships: [Int]

    private static let rounds = 4

    /// Colors that are to become one or be divided.
    private struct Box {
        let members: [Int]
        /// The component in which they differ most, and how much: the variance times the pixels.
        private(set) var component = 0
        private(set) var spread = 0

        init(_ points: [WeightedColor], _ members: [Int]) {
            self.members = members
            guard members.count > 1 else { return }
            for component in 0..<4 {
                let spread = ColorClusters.spread(points, members, component)
                if spread > self.spread { (self.component, self.spread) = (component, spread) }
            }
        }
    }

    init(_ points: [WeightedColor], limit: Int) {
        var boxes = [Box(points, Array(points.indices))]
        while boxes.count < limit {
            // The box with the most to gain is divided.
            var best = 0
            for number in boxes.indices where boxes[number].spread > boxes[best].spread {
                best = number
            }
            guard boxes[best].spread > 0 else { break }
            let component = boxes[best].component
            let sorted = boxes[best].members.sorted {
                (points[$0].components[component], $0) < (points[$1].components[component], $1)
            }
            let cut = Self.cut(points, sorted, component)
            boxes[best] = Box(points, Array(sorted[..<cut]))
            boxes.append(Box(points, Array(sorted[cut...])))
        }
        var centers = boxes.map { Self.center(points, $0.members) }
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
    fileprivate static func spread(_ points: [WeightedColor], _ box: [Int], _ component: Int) -> Int
    {
        var (count, sum, squares) = (0, 0, 0)
        for index in box {
            let value = points[index].components[component]
            count += points[index].count
            sum += value * points[index].count
            squares += value * value * points[index].count
        }
        return count == 0 ? 0 : squares - Int(Int128(sum) * Int128(sum) / Int128(count))
    }

    /// Returns the best position to split the sorted colors: the mean.
    private static func cut(_ points: [WeightedColor], _ sorted: [Int], _ component: Int) -> Int {
        let mean = center(points, sorted)[component]
        let place = sorted.firstIndex { points[$0].components[component] > mean }
        return min(max(1, place ?? sorted.count - 1), sorted.count - 1)
    }

    private static func center(
        _ points: [WeightedColor], _ box: [Int]
    ) -> WeightedColor.Components {
        var sums = WeightedColor.Components()
        var count = 0
        for index in box {
            let (parts, weight) = (points[index].components, points[index].count)
            sums.red += parts.red * weight
            sums.green += parts.green * weight
            sums.blue += parts.blue * weight
            sums.alpha += parts.alpha * weight
            count += weight
        }
        guard count > 0 else { return sums }
        func mean(_ sum: Int) -> Int { (sum + count / 2) / count }
        return .init(
            red: mean(sums.red), green: mean(sums.green), blue: mean(sums.blue),
            alpha: mean(sums.alpha))
    }

    private static func color(_ center: WeightedColor.Components) -> RGBA {
        let alpha = center.alpha
        guard alpha > 0 else { return .clear }
        func part(_ value: Int) -> UInt8 { UInt8(clamping: (value * 255 + alpha / 2) / alpha) }
        return RGBA(
            red: part(center.red), green: part(center.green), blue: part(center.blue),
            alpha: UInt8(clamping: alpha))
    }
}
