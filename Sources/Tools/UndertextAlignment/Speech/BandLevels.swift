/// The levels of 16 frequency bands, every 10 ms.
///
/// The samples are decimated to at least 8 kHz; windows of 20 ms are transformed, two at a time.
struct BandLevels {
    /// The number of bands.
    static let count = edges.count - 1
    /// The borders of the bands in hertz: about one critical band each.
    private static let edges = [
        100, 200, 300, 400, 510, 630, 770, 920, 1080, 1270, 1480, 1720, 2000, 2320, 2700, 3150,
        3800,
    ]

    private var decimator = Decimator(by: 1)
    private var transform = FourierTransform(size: 256)
    private var window: [Float] = []
    /// The bins of each band; empty beyond half of the sample rate.
    private var bins: [Range<Int>] = []
    /// Samples per second before decimation.
    private var rate = 8000

    /// Decimated samples that are still needed.
    private var pending: [Float] = []
    /// The number of the first of them since the last gap.
    private var firstPending = 0
    private var nextFrame = 0

    /// Prepares for another sample rate, of 2000 or more.
    mutating func prepare(rate: Int) {
        self.rate = rate
        let factor = max(1, rate / 8000)
        decimator = Decimator(by: factor)
        let length = max(2, rate / factor / 50)
        var size = 64
        while size < length { size *= 2 }
        transform = FourierTransform(size: size)
        window = (0..<length).map { index in
            let angle = 2 * Double.pi * (Double(index) + 0.5) / Double(length)
            return Float(0.5 - 0.5 * sine(angle + Double.pi / 2))
        }
        let width = Double(rate) / Double(factor) / Double(size)
        bins = zip(Self.edges, Self.edges.dropFirst()).map { low, high in
            let bounds = (
                Int((Double(low) / width).rounded(.up)), Int((Double(high) / width).rounded(.up))
            )
            return min(bounds.0, size / 2)..<min(max(bounds.0, bounds.1), size / 2)
        }
        restart()
    }

    private mutating func restart() {
        decimator.restart()
        nextFrame = 0
        firstPending = 0
        // The window of a frame begins 5 ms before it.
        pending = [Float](repeating: 0, count: window.count / 4)
    }

    /// Adds samples; `body` receives the levels of each frame that is complete.
    mutating func add(_ samples: [Float], _ body: ([UInt8]) -> Void) {
        decimator.add(samples, to: &pending)
        while let frames = completeFrames() {
            let levels = self.levels(frames.0, frames.1)
            body(levels.0)
            body(levels.1)
            nextFrame += 2
        }
        let used = min(start(of: nextFrame) - firstPending, pending.count)
        // Seldom, as it moves what is left.
        if used > 4096 || used > pending.count / 2 {
            pending.removeFirst(used)
            firstPending += used
        }
    }

    /// Ends what follows each other: a frame that has a neighbor missing is complete as well.
    mutating func flush(_ body: ([UInt8]) -> Void) {
        guard !window.isEmpty else { return }
        let position = start(of: nextFrame) - firstPending
        if position >= 0, position + window.count <= pending.count {
            body(levels(position, position).0)
        }
        restart()
    }

    /// The number of the sample at which the window of a frame begins.
    private func start(of frame: Int) -> Int { frame * rate / (100 * decimator.factor) }

    /// The positions of the next two frames, if all of their samples are there.
    private func completeFrames() -> (Int, Int)? {
        let positions = (
            start(of: nextFrame) - firstPending, start(of: nextFrame + 1) - firstPending
        )
        guard !window.isEmpty, positions.1 + window.count <= pending.count else { return nil }
        return positions
    }

    /// The levels of two frames in half decibels above -80 dB of full scale.
    private mutating func levels(_ one: Int, _ other: Int) -> ([UInt8], [UInt8]) {
        transform.clear()
        for index in window.indices {
            transform.real[index] = pending[one + index] * window[index]
            transform.imaginary[index] = pending[other + index] * window[index]
        }
        transform.run()
        var levels = (
            [UInt8](repeating: 0, count: Self.count), [UInt8](repeating: 0, count: Self.count)
        )
        let scale = 8 / Float(window.count * transform.size)
        for (band, bins) in bins.enumerated() {
            var sums: (Float, Float) = (0, 0)
            for bin in bins {
                let powers = transform.powers(bin)
                sums.0 += powers.0
                sums.1 += powers.1
            }
            levels.0[band] = Self.level(sums.0 * scale)
            levels.1[band] = Self.level(sums.1 * scale)
        }
        return levels
    }

    private static func level(_ power: Float) -> UInt8 {
        // 8.68589 half decibels are a factor of e.
        let level = 160 + 8.685_889_638 * log(Double(power) + 1e-12)
        return UInt8(min(max(level, 0), 255).rounded())
    }
}
