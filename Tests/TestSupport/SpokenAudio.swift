public import UndertextCore

/// Audio with a buzz like that of a voice at given times, over quiet noise.
public enum SpokenAudio {
    /// Samples per second.
    public static let rate = 8000

    /// Samples of 16 bits, which end three seconds after the last range.
    ///
    /// - Parameters:
    ///   - speech: The times of the buzz.
    ///   - seed: The seed of the noise.
    /// - Returns: The samples of one channel.
    public static func samples(_ speech: [Range<Timestamp>], seed: UInt64 = 1) -> [Int16] {
        func sample(_ time: Timestamp) -> Int { Int(time.nanoseconds) / (1_000_000_000 / rate) }
        var generator = SeededGenerator(seed: seed)
        let end = sample(speech.map(\.upperBound).max() ?? .zero) + 3 * rate
        var samples = (0..<max(0, end)).map { _ in
            Int16(truncatingIfNeeded: Int(generator.next() & 63) - 32)
        }
        for range in speech {
            // A sawtooth of 100 to 160 Hz has all bands of a voice.
            let period = Int.random(in: 50...80, using: &generator)
            for index in max(0, sample(range.lowerBound))..<max(0, sample(range.upperBound)) {
                samples[index] += Int16(index % period * 12_000 / period - 6000)
            }
        }
        return samples
    }

    /// A WAV file of one channel.
    public static func wave(_ speech: [Range<Timestamp>], seed: UInt64 = 1) -> [UInt8] {
        let samples = samples(speech, seed: seed)
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var file = Array("RIFF".utf8) + little(samples.count * 2 + 36, 4) + Array("WAVEfmt ".utf8)
        file += little(16, 4) + little(1, 2) + little(1, 2) + little(rate, 4)
        file += little(rate * 2, 4) + little(2, 2) + little(16, 2)
        file += Array("data".utf8) + little(samples.count * 2, 4)
        file.reserveCapacity(file.count + samples.count * 2)
        for sample in samples { file += little(Int(sample), 2) }
        return file
    }
}
