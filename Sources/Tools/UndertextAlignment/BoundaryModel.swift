/// The evidence of the distance between a boundary and the nearest one of the other side.
///
/// It is the logarithm of a likelihood ratio: how probable the distance is at the right offset, a mixture of a narrow, a
/// middle and a wide distribution and of chance, against its probability at an arbitrary offset, which is measured.
struct BoundaryModel {
    /// The share of each part of the mixture; the last one is chance.
    private(set) var weights: [Double]
    /// The density of chance for bins of ``chanceWidth``, per millisecond.
    private let chance: [Double]
    /// The evidence for distances in steps of ``step``.
    private(set) var table: [Float] = []

    /// The share of distances below half a second at arbitrary offsets.
    let chanceOfMatch: Double

    /// The distance between two values of the table in milliseconds.
    static let step = 10.0
    /// Distances from here on say the same.
    static let farthest = 1200.0
    private static let chanceWidth = 100.0
    /// The standard deviations of the parts in milliseconds.
    private static let deviations = [25.0, 90.0, 230.0]

    /// - Parameters:
    ///   - distances: Distances at arbitrary offsets.
    ///   - weights: The share of each part of the mixture.
    init(chance distances: [Double], weights: [Double]) {
        let bins = Int(Self.farthest / Self.chanceWidth)
        var counts = [Double](repeating: 0, count: bins)
        for distance in distances where distance < Self.farthest {
            counts[Int(distance / Self.chanceWidth)] += 1
        }
        let total = Double(distances.count)
        // One observation more keeps sparse data from claiming certainty.
        chance = counts.map { ($0 + 1) / (total + Double(bins) + 1) / Self.chanceWidth }
        chanceOfMatch = counts.prefix(Int(500 / Self.chanceWidth)).reduce(0, +) / max(1, total)
        self.weights = weights
        table = evidence()
    }

    /// The evidence of a distance.
    func callAsFunction(_ distance: Double) -> Float {
        table[min(Int(distance / Self.step), table.count - 1)]
    }

    private func density(of distance: Double) -> Double {
        let position = max(0, distance / Self.chanceWidth - 0.5)
        let index = min(Int(position), chance.count - 1)
        let next = min(index + 1, chance.count - 1)
        let share = position - Double(index)
        return chance[index] * (1 - min(1, share)) + chance[next] * min(1, share)
    }

    /// The density of a part for distances, which have no sign.
    private static func density(ofPart part: Int, at distance: Double) -> Double {
        let deviation = deviations[part]
        let ratio = distance / deviation
        return 2 / (deviation * 2.5066282746) * exp(-ratio * ratio / 2)
    }

    private func evidence() -> [Float] {
        let count = Int(Self.farthest / Self.step) + 1
        return (0..<count).map { index in
            let distance = (Double(index) + 0.5) * Self.step
            let chance = density(of: distance)
            var sum = weights[3] * chance
            for part in 0..<3 { sum += weights[part] * Self.density(ofPart: part, at: distance) }
            return Float(log(sum / chance))
        }
    }

    /// Adapts the shares to the distances at the offsets that were found.
    mutating func adapt(to distances: [Double]) {
        guard distances.count >= 12 else { return }
        var counts = [Double](repeating: 0, count: table.count)
        for distance in distances { counts[min(Int(distance / Self.step), counts.count - 1)] += 1 }
        // Beyond the last step only chance explains a distance.
        let far = counts.removeLast()
        for _ in 0..<12 {
            // A few observations of each part keep the shares from vanishing.
            var sums = [1.0, 1.0, 1.0, 2.0 + far]
            for (index, count) in counts.enumerated() where count > 0 {
                let distance = (Double(index) + 0.5) * Self.step
                var parts = (0..<3).map { weights[$0] * Self.density(ofPart: $0, at: distance) }
                parts.append(weights[3] * density(of: distance))
                let sum = parts.reduce(0, +)
                for part in 0..<4 { sums[part] += count * parts[part] / sum }
            }
            let total = sums.reduce(0, +)
            weights = sums.map { $0 / total }
        }
        table = evidence()
    }
}
