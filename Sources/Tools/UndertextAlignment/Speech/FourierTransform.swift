/// The discrete Fourier transform of a power of two of samples, in place.
struct FourierTransform {
    /// The number of samples.
    let size: Int
    /// The samples of one signal, then the real parts of the result.
    var real: [Float]
    /// The samples of another signal, then the imaginary parts of the result.
    var imaginary: [Float]
    private let cosines: [Float]
    private let sines: [Float]
    private let order: [Int]

    /// - Parameter size: A power of two.
    init(size: Int) {
        self.size = size
        real = [Float](repeating: 0, count: size)
        imaginary = real
        let angles = (0..<size / 2).map { 2 * Double.pi * Double($0) / Double(size) }
        cosines = angles.map { Float(sine($0 + Double.pi / 2)) }
        sines = angles.map { Float(sine($0)) }
        let bits = size.trailingZeroBitCount
        order = (0..<size).map { index in
            (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) }
        }
    }

    /// Sets all samples to zero.
    mutating func clear() {
        for index in 0..<size { (real[index], imaginary[index]) = (0, 0) }
    }

    /// Transforms the samples.
    mutating func run() {
        for index in 0..<size where order[index] > index {
            real.swapAt(index, order[index])
            imaginary.swapAt(index, order[index])
        }
        var half = 1
        while half < size {
            let step = size / (2 * half)
            for begin in stride(from: 0, to: size, by: 2 * half) {
                for offset in 0..<half {
                    let (low, high) = (begin + offset, begin + offset + half)
                    let (cosine, sine) = (cosines[offset * step], sines[offset * step])
                    let turned = (
                        real[high] * cosine + imaginary[high] * sine,
                        imaginary[high] * cosine - real[high] * sine
                    )
                    real[high] = real[low] - turned.0
                    imaginary[high] = imaginary[low] - turned.1
                    real[low] += turned.0
                    imaginary[low] += turned.1
                }
            }
            half *= 2
        }
    }

    /// The power of both signals at a frequency, if they were real.
    func powers(_ bin: Int) -> (Float, Float) {
        let mirror = (size - bin) & (size - 1)
        let one = (real[bin] + real[mirror], imaginary[bin] - imaginary[mirror])
        let other = (imaginary[bin] + imaginary[mirror], real[mirror] - real[bin])
        return (
            (one.0 * one.0 + one.1 * one.1) / 4, (other.0 * other.0 + other.1 * other.1) / 4
        )
    }
}

/// The sine of an angle, exact to about 9 digits.
func sine(_ angle: Double) -> Double {
    let rest = angle.remainder(dividingBy: 2 * Double.pi)
    // From -π/2 to π/2 the series converges in a few steps.
    let folded =
        rest > Double.pi / 2 ? Double.pi - rest : rest < -Double.pi / 2 ? -Double.pi - rest : rest
    var (sum, term) = (folded, folded)
    for index in stride(from: 2.0, through: 14, by: 2) {
        term *= -folded * folded / (index * (index + 1))
        sum += term
    }
    return sum
}
