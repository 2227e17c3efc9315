import TestSupport
import Testing
import UndertextCore

@testable import UndertextAlignment

/// Ranges of speech are found in sound that is made of pulses and resonances, as a voice is.
@Suite("Detection of speech")
struct SpeechDetectorTests {
    /// Sentences of a made-up voice with pauses between them.
    private struct Voice {
        var samples: [Float] = []
        var sentences: [Range<Double>] = []
        private var generator: SeededGenerator
        let rate: Int

        init(sentences count: Int, rate: Int = 8000, noise: Float = 0.001, seed: UInt64 = 1) {
            self.rate = rate
            generator = SeededGenerator(seed: seed)
            var time = 1.5
            for _ in 0..<count {
                let length = Double.random(in: 0.8...3, using: &generator)
                sentences.append(time..<time + length)
                time += length + Double.random(in: 0.6...2.5, using: &generator)
            }
            samples = (0..<Int(time * Double(rate))).map { _ in
                Float.random(in: -noise...noise, using: &generator)
            }
            for sentence in sentences { speak(sentence) }
        }

        /// Adds syllables of pulses, which pass two resonances.
        private mutating func speak(_ range: Range<Double>) {
            let first = Int(range.lowerBound * Double(rate))
            let last = min(Int(range.upperBound * Double(rate)), samples.count)
            let pitch = rate / Int.random(in: 90...220, using: &generator)
            let syllable = rate / 5
            for resonance in [500.0, 1600.0] {
                let cosine = Float(sine(2 * Double.pi * resonance / Double(rate) + Double.pi / 2))
                let decay: Float = 0.97
                var (one, two): (Float, Float) = (0, 0)
                for index in first..<last {
                    let phase = (index - first) % syllable
                    let loudness: Float = phase < syllable * 4 / 5 ? 0.06 : 0
                    let pulse: Float = (index - first) % pitch == 0 ? loudness : 0
                    let value = 2 * decay * cosine * one - decay * decay * two + pulse
                    (two, one) = (one, value)
                    samples[index] += value
                }
            }
        }

        /// The share of the time in which ranges agree with the sentences.
        func agreement(_ ranges: [Range<Timestamp>]) -> Double {
            let count = samples.count * 100 / rate
            var (wanted, found) = (
                [Bool](repeating: false, count: count), [Bool](repeating: false, count: count)
            )
            for sentence in sentences {
                for index in Int(sentence.lowerBound * 100)..<Int(sentence.upperBound * 100) {
                    wanted[min(index, count - 1)] = true
                }
            }
            for range in ranges {
                let low = Int(range.lowerBound.roundedMilliseconds / 10)
                for index in low..<Int(range.upperBound.roundedMilliseconds / 10)
                where (0..<count).contains(index) {
                    found[index] = true
                }
            }
            return Double(zip(wanted, found).count { $0 == $1 }) / Double(count)
        }
    }

    private func detect(
        _ samples: [Float], rate: Int, block: Int = 1000, at start: Timestamp? = nil
    ) -> [Range<Timestamp>] {
        var detector = SpeechDetector()
        for begin in stride(from: 0, to: samples.count, by: block) {
            let time = start?.advanced(
                by: .nanoseconds(Int64(begin) * 1_000_000_000 / Int64(rate)))
            detector.add(
                Array(samples[begin..<min(samples.count, begin + block)]), rate: rate, at: time)
        }
        return detector.finish()
    }

    @Test("sentences are found at any sample rate", arguments: [8000, 11_025, 22_050])
    func sentences(rate: Int) throws {
        let voice = Voice(sentences: 8, rate: rate)
        let found = detect(voice.samples, rate: rate)
        #expect(voice.agreement(found) > 0.93, "\(found)")
        // Each sentence begins a range.
        for sentence in voice.sentences {
            #expect(
                found.contains {
                    abs(Double($0.lowerBound.nanoseconds) / 1e9 - sentence.lowerBound) < 0.06
                })
        }
    }

    @Test("noise only makes it less exact")
    func noise() {
        let voice = Voice(sentences: 10, noise: 0.02, seed: 2)
        #expect(voice.agreement(detect(voice.samples, rate: 8000)) > 0.88)
    }

    @Test("silence, a tone and noise are no speech")
    func nothing() {
        var generator = SeededGenerator(seed: 3)
        let count = 20 * 8000
        let silence = [Float](repeating: 0, count: count)
        let tone = (0..<count).map { Float(0.3 * sine(2 * Double.pi * 440 * Double($0) / 8000)) }
        let noise = (0..<count).map { _ in Float.random(in: -0.3...0.3, using: &generator) }
        #expect(detect(silence, rate: 8000).isEmpty)
        for samples in [tone, noise] {
            let found = detect(samples, rate: 8000)
            let length = found.reduce(0.0) {
                $0 + Double($1.lowerBound.duration(to: $1.upperBound).nanoseconds128) / 1e9
            }
            #expect(length < 1, "\(found)")
        }
    }

    @Test("the size of blocks and inaccurate times change nothing; gaps move what follows")
    func times() throws {
        let voice = Voice(sentences: 5, seed: 4)
        let whole = detect(voice.samples, rate: 8000)
        #expect(detect(voice.samples, rate: 8000, block: 37) == whole)
        let later = detect(voice.samples, rate: 8000, at: .seconds(3600))
        #expect(later.map(\.lowerBound) == whole.map { $0.lowerBound.advanced(by: .seconds(3600)) })
        // A gap of ten minutes after the second sentence, and then a jump to the beginning.
        let pause = Int((voice.sentences[1].upperBound + 0.3) * 8000)
        var detector = SpeechDetector()
        detector.add(Array(voice.samples[..<pause]), rate: 8000, at: .milliseconds(0))
        let rest = Array(voice.samples[pause...])
        let start = Timestamp.zero.advanced(by: .seconds(600) + .milliseconds(Int64(pause / 8)))
        detector.add(rest, rate: 8000, at: start)
        detector.add(rest, rate: 8000, at: .zero)
        let found = detector.finish()
        #expect(found.count >= 8)
        #expect(
            found.contains {
                abs(
                    Double($0.lowerBound.nanoseconds) / 1e9 - 600
                        - voice.sentences[2].lowerBound) < 0.06
            })
        #expect(found.last.map { $0.upperBound < .seconds(60) } == true)
    }

    @Test("another sample rate on the way is taken")
    func changingRate() {
        let one = Voice(sentences: 4, rate: 8000, seed: 5)
        let other = Voice(sentences: 4, rate: 16_000, seed: 5)
        var detector = SpeechDetector()
        detector.add(one.samples, rate: 8000, at: nil)
        detector.add(other.samples, rate: 16_000, at: nil)
        let length = Double(one.samples.count) / 8000
        let found = detector.finish()
        for sentence in one.sentences
            + other.sentences.map({
                $0.lowerBound + length..<$0.upperBound + length
            })
        {
            #expect(
                found.contains {
                    abs(Double($0.lowerBound.nanoseconds) / 1e9 - sentence.lowerBound) < 0.08
                }, "\(sentence)")
        }
    }

    @Test("values, rates and times without sense do no harm")
    func hostile() {
        var detector = SpeechDetector()
        var generator = SeededGenerator(seed: 6)
        let times: [Timestamp?] = [
            nil, .zero, Timestamp(nanoseconds: .max), Timestamp(nanoseconds: .min), .seconds(-5),
        ]
        let rates = [
            -1, 0, 1, 1999, 2000, 2001, 7999, 44_100, 767_999, 768_000, 768_001, .max, .min,
        ]
        let values: [Float] = [
            .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e9, -1,
        ]
        for round in 0..<300 {
            let count = [0, 1, 2, 159, 1000][round % 5]
            let block = (0..<count).map { _ in values.randomElement(using: &generator) ?? 0 }
            detector.add(
                block, rate: rates.randomElement(using: &generator) ?? 0,
                at: times.randomElement(using: &generator) ?? nil)
        }
        for range in detector.finish() { #expect(range.lowerBound < range.upperBound) }
        var empty = SpeechDetector()
        #expect(empty.finish().isEmpty)
        // One to some frames.
        for count in [100, 160, 240, 400, 800, 8000, 8080] {
            #expect(
                detect([Float](repeating: 0.5, count: count), rate: 8000).allSatisfy { !$0.isEmpty }
            )
        }
    }

    @Test("the transform is the definition's")
    func transform() {
        var generator = SeededGenerator(seed: 7)
        let size = 64
        let signals = (0..<2).map { _ in
            (0..<size).map { _ in Float.random(in: -1...1, using: &generator) }
        }
        var transform = FourierTransform(size: size)
        (transform.real, transform.imaginary) = (signals[0], signals[1])
        transform.run()
        for bin in 0..<size / 2 {
            let powers = signals.map { signal in
                var (real, imaginary) = (0.0, 0.0)
                for (index, value) in signal.enumerated() {
                    let angle = 2 * Double.pi * Double(bin * index) / Double(size)
                    real += Double(value) * sine(angle + Double.pi / 2)
                    imaginary -= Double(value) * sine(angle)
                }
                return real * real + imaginary * imaginary
            }
            let found = transform.powers(bin)
            #expect(abs(Double(found.0) - powers[0]) < 1e-3)
            #expect(abs(Double(found.1) - powers[1]) < 1e-3)
        }
        #expect(abs(sine(0.5) - 0.479_425_538_604) < 1e-9)
        #expect(abs(sine(-40) + 0.745_113_160_480) < 1e-8)
        #expect(abs(sine(Double.pi)) < 1e-9)
    }

    @Test("the decimator keeps low frequencies and removes those that would appear as lower ones")
    func decimator() {
        func power(_ frequency: Double) -> Double {
            var decimator = Decimator(by: 6)
            var output: [Float] = []
            let samples = (0..<9600).map {
                Float(sine(2 * Double.pi * frequency * Double($0) / 48_000))
            }
            decimator.add(samples, to: &output)
            #expect(abs(output.count - 1600) <= 4)
            let middle = output.dropFirst(100).dropLast(100)
            return middle.reduce(0) { $0 + Double($1 * $1) } / Double(middle.count)
        }
        #expect(power(500) > 0.45)
        #expect(power(2500) > 0.4)
        #expect(power(6500) < 0.005)
        #expect(power(15_000) < 0.001)
    }
}
