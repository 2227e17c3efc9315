import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

/// Audio files that are damaged, cut off, or state what cannot be: an error or some samples, soon, and never a trap.
@Suite struct HostileAudioTests {
    let folder = TemporaryDirectory()

    /// A WAV file whose header states these values, with some bytes of samples.
    private struct Wave {
        var tag = 1
        var channels = 1
        var rate = 8000
        var bits = 16
        /// The stated size of the samples; `nil` for the right one.
        var size: Int?
        var samples = [UInt8](repeating: 0x21, count: 4000)

        var file: [UInt8] {
            func little(_ value: Int, _ count: Int) -> [UInt8] {
                (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            }
            let align = channels * ((bits + 7) / 8)
            var file = Array("RIFF".utf8) + little(samples.count + 36, 4)
            file += Array("WAVEfmt ".utf8) + little(16, 4) + little(tag, 2) + little(channels, 2)
            file += little(rate, 4) + little(rate &* align, 4) + little(align, 2) + little(bits, 2)
            return file + Array("data".utf8) + little(size ?? samples.count, 4) + samples
        }
    }

    private struct Outcome {
        var samples = 0
        var rates: Set<Int> = []
        var seconds = 0.0
    }

    /// Reads all audio; `nil` for an error.
    private func read(_ bytes: [UInt8]) -> Outcome? {
        var outcome = Outcome()
        let start = ContinuousClock.now
        do {
            let path = folder.write(bytes, to: "hostile")
            var options = DemuxerOptions()
            options.probe = .full
            let reader = try AudioReader(
                try FFmpegDemuxer(.path(path), options: options), stream: 0)
            while let block = try reader.next() {
                outcome.samples += block.samples.count
                outcome.rates.insert(block.rate)
            }
        } catch {
            return nil
        }
        outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
        return outcome
    }

    /// Channels, rates, sample sizes and formats from none to the largest that a header can state.
    @Test(.timeLimit(.minutes(2))) func headers() {
        for channels in [0, 1, 2, 3, 8, 9, 63, 64, 65, 255, 256, 4000, 65_535] {
            for (tag, bits) in [
                (1, 8), (1, 16), (1, 24), (1, 32), (1, 64), (3, 32), (3, 64), (6, 8),
            ] {
                guard let found = read(Wave(tag: tag, channels: channels, bits: bits).file) else {
                    continue
                }
                #expect(found.samples <= 4000, "\(channels) \(tag) \(bits)")
            }
        }
        for rate in [0, 1, 7, 1999, 768_000, 768_001, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] {
            guard let found = read(Wave(rate: rate).file) else { continue }
            #expect(found.samples <= 2000 && found.rates.allSatisfy { $0 > 0 }, "\(rate)")
        }
        for bits in [0, 1, 7, 9, 12, 33, 128, 65_535] { _ = read(Wave(bits: bits).file) }
        for tag in [0, 2, 7, 17, 0x50, 0x55, 0x161, 0xFFFE, 0xFFFF] {
            _ = read(Wave(tag: tag).file)
        }
        // Sizes that are not there.
        for size in [0, 1, 3999, 4001, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            guard let found = read(Wave(size: size).file) else { continue }
            #expect(found.samples <= 2000)
        }
        #expect(read(Wave().file)?.samples == 2000)
    }

    /// Floating-point samples may be anything.
    @Test func numbersThatAreNone() throws {
        let values: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 0]
        var wave = Wave(tag: 3, channels: 3, bits: 32)
        wave.samples = (0..<3000).flatMap { index in
            let bits = values[index % values.count].bitPattern
            return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        }
        #expect(read(wave.file)?.samples == 1000)
    }

    /// Every length of the header, and some of the samples.
    @Test(.timeLimit(.minutes(2))) func truncatedWaves() {
        let bytes = Wave().file
        for count in Array(0...64) + stride(from: 65, to: bytes.count, by: 331) {
            guard let found = read(Array(bytes[..<count])) else { continue }
            #expect(found.samples <= max(0, count - 44) / 2)
        }
    }

    /// Files of usual codecs, cut off and with bits flipped, are read in the time of whole ones.
    @Test(
        .timeLimit(.minutes(5)), .requires("ffmpeg"),
        arguments: [
            ("h.mp3", ["-c:a", "mp3"]), ("h.ac3", ["-c:a", "ac3"]), ("h.aac", ["-c:a", "aac"]),
            ("h.flac", ["-c:a", "flac"]), ("h.mka", ["-c:a", "libopus"]),
            ("h.mp4", ["-c:a", "aac"]),
            ("h.ts", ["-c:a", "eac3"]), ("h.ogg", ["-c:a", "libvorbis"]),
            ("h.wav", ["-c:a", "adpcm_ms"]),
        ])
    func damagedFiles(_ name: String, _ options: [String]) throws {
        let path = folder / name
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i",
                "aevalsrc=0.3*sin(2*PI*400*t)|0.2*sin(2*PI*700*t):s=48000:d=3",
            ] + options + [path])
        // Builds of FFmpeg differ in their encoders.
        guard made.status == 0 else { return }
        let bytes = try #require(fileBytes(path))
        let whole = try #require(read(bytes))
        #expect(whole.samples > 100_000)
        let parts = stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)).map {
            Array(bytes[..<$0])
        }
        var slowest = 0.0
        for damaged in parts + Array(bitFlips(of: bytes, count: 40, seed: 9)) {
            guard let found = read(damaged) else { continue }
            slowest = max(slowest, found.seconds)
            // Damaged times and sizes make no samples out of nothing.
            #expect(found.samples < 8 * whole.samples, "\(name)")
        }
        #expect(slowest < 10, "\(name)")
    }
}
