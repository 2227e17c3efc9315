/// A low-pass filter that keeps every n-th sample.
struct Decimator {
    /// The number of samples for each that is kept.
    let factor: Int
    private let taps: [Float]
    /// Samples that later ones still need.
    private var pending: [Float] = []

    /// - Parameter factor: The number of samples for each that is kept; at least 1.
    init(by factor: Int) {
        self.factor = factor
        guard factor > 1 else {
            taps = []
            return
        }
        // A sinc function of 45 % of the new rate, in a Hann window of eight new samples.
        let length = 8 * factor
        let values = (0..<length).map { index in
            let position = (Double(index) + 0.5) / Double(factor) - 4
            let angle = 2 * Double.pi * 0.45 * position
            let shape = 0.5 + 0.5 * sine(Double.pi * position / 4 + Double.pi / 2)
            return sine(angle) / angle * shape
        }
        let sum = values.reduce(0, +)
        taps = values.map { Float($0 / sum) }
        restart()
    }

    /// Forgets all samples.
    mutating func restart() {
        // The first sample is in the middle of the filter.
        pending = [Float](repeating: 0, count: taps.count / 2)
    }

    /// Filters samples and appends what is kept; what is no number, or far too loud, is silence.
    mutating func add(_ samples: [Float], to output: inout [Float]) {
        guard factor > 1 else {
            for sample in samples { output.append(abs(sample) < 1000 ? sample : 0) }
            return
        }
        for sample in samples { pending.append(abs(sample) < 1000 ? sample : 0) }
        var position = 0
        while position + taps.count <= pending.count {
            var sum: Float = 0
            for index in taps.indices { sum += taps[index] * pending[position + index] }
            output.append(sum)
            position += factor
        }
        pending.removeFirst(min(position, pending.count))
    }
}
