import Foundation
import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

/// Audio of every sample format becomes the same samples of one channel.
@Suite(.requires("ffmpeg")) struct AudioReaderTests {
    /// Two seconds of 500 Hz at half of full scale, in a codec and a container.
    private func tone(
        _ name: String, channels: String = "mono", rate: Int = 44_100, _ options: [String]
    ) -> String {
        let path = Material.folder.appending(path: name).path
        let parts = channels == "5.1" ? "0|0|0.5*sin(2*PI*500*t)|0|0|0" : nil
        let one = "0.5*sin(2*PI*500*t)"
        let expressions = parts ?? (channels == "stereo" ? "\(one)|\(one)" : one)
        _ = Material.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i",
                "aevalsrc=\(expressions):c=\(channels):s=\(rate):d=2",
            ] + options + [path])
        return path
    }

    private struct Sound {
        var count = 0
        var power = 0.0
        var start: Timestamp?
        var rates: Set<Int> = []
        var damaged = 0
    }

    private func read(_ path: String, stream: Int = 0) throws -> Sound {
        var options = DemuxerOptions()
        options.probe = .full
        let reader = try AudioReader(
            try FFmpegDemuxer(.path(path), options: options), stream: stream)
        var sound = Sound()
        while let block = try reader.next() {
            if sound.count == 0 { sound.start = block.time }
            sound.count += block.samples.count
            sound.rates.insert(block.rate)
            for sample in block.samples { sound.power += Double(sample) * Double(sample) }
        }
        sound.power /= Double(max(1, sound.count))
        sound.damaged = reader.damagedPackets
        return sound
    }

    @Test(arguments: [
        ("u8.wav", ["-c:a", "pcm_u8"]), ("s16.wav", ["-c:a", "pcm_s16le"]),
        ("s32.wav", ["-c:a", "pcm_s32le"]), ("f32.wav", ["-c:a", "pcm_f32le"]),
        ("f64.wav", ["-c:a", "pcm_f64le"]), ("s64.nut.mka", ["-c:a", "flac"]),
        ("s16p.mp2", ["-c:a", "mp2"]), ("alac.m4a", ["-c:a", "alac"]),
        ("aac.mp4", ["-c:a", "aac"]),
        ("mp3.mkv", ["-c:a", "mp3"]), ("aac.ts", ["-c:a", "aac"]), ("ac3.ts", ["-c:a", "ac3"]),
    ])
    func formats(_ name: String, _ options: [String]) throws {
        for channels in ["mono", "stereo"] {
            let sound = try read(tone("\(channels)-\(name)", channels: channels, options))
            // A sine at half of full scale has a power of an eighth.
            #expect(abs(sound.power - 0.125) < 0.02, "\(name) \(channels): \(sound.power)")
            #expect(abs(sound.count - 88_200) < 4000, "\(name): \(sound.count)")
            #expect(sound.rates == [44_100] && sound.damaged == 0 && sound.start != nil)
        }
    }

    /// Dialogue is in the center, which the mix keeps at its level.
    @Test func theCenterIsHeard() throws {
        let sound = try read(tone("center.mka", channels: "5.1", rate: 48_000, ["-c:a", "ac3"]))
        #expect(abs(sound.power - 0.125) < 0.012)
    }

    @Test func whatIsNoAudioIsRefused() throws {
        let path = try Material.film("film.mkv", ["-c:a", "aac", "-c:s", "srt"])
        for stream in [0, 2, 3, -1, .max] {
            #expect(throws: UndertextError.self) { try read(path, stream: stream) }
        }
        #expect(try read(path, stream: 1).count > 80_000)
    }

    @Test(arguments: [
        ("d.mp4", ["-c:a", "aac"]), ("d.ts", ["-c:a", "ac3"]), ("d.mka", ["-c:a", "flac"]),
        ("d.wav", ["-c:a", "pcm_s16le"]), ("d.ogg", ["-c:a", "libopus"]),
        ("d.mp3", ["-c:a", "mp3"]),
    ])
    func damage(_ name: String, _ options: [String]) throws {
        let bytes = try Material.read(tone(name, rate: 48_000, options))
        var generator = SeededGenerator(seed: 1)
        for round in 0..<24 {
            var damaged = bytes
            if round % 3 == 0 {
                damaged.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
            } else {
                for _ in 0..<(round % 3 == 1 ? 4 : 60) {
                    let offset = Int.random(in: 0..<bytes.count, using: &generator)
                    damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                }
            }
            let path = try Material.write("damaged-\(name)", damaged)
            // An error or what is left: never a trap, and no more than is there.
            if let sound = try? read(path) { #expect(sound.count < 100_000_000) }
        }
        // No channels, and a sample rate of zero.
        if name == "d.wav" {
            for (offset, count) in [(22, 2), (24, 4)] {
                var header = bytes
                for index in offset..<offset + count { header[index] = 0 }
                _ = try? read(Material.write("header.wav", header))
                for index in offset..<offset + count { header[index] = 0xFF }
                _ = try? read(Material.write("header.wav", header))
            }
        }
    }

    /// Two streams of other rates and channels, one after the other in one transport stream.
    @Test func changesOnTheWayAreFollowed() throws {
        let one = try Material.read(tone("one.ts", rate: 48_000, ["-c:a", "mp2"]))
        let other = try Material.read(
            tone("other.ts", channels: "stereo", rate: 32_000, ["-c:a", "mp2"]))
        let sound = try read(Material.write("both.ts", one + other))
        #expect(sound.rates == [32_000, 48_000])
        #expect(abs(sound.power - 0.125) < 0.02)
    }
}
