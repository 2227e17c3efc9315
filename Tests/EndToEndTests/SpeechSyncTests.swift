import TestSupport
import Testing
import Undertext
import UndertextCore

/// `undertext sync` with speech as the reference, which espeak-ng speaks.
@Suite(.requires("espeak-ng", "ffmpeg")) struct SpeechSyncTests {
    let folder = TemporaryDirectory()

    private static let words = [
        "keeper", "the", "lamp", "went", "out", "before", "morning", "and", "nobody", "saw",
        "a", "boat", "near", "rocks", "we", "should", "call", "them", "again", "tonight",
    ]

    /// The times of spoken sentences in milliseconds, and their samples at 22,050 Hz as they are stored.
    private func film(sentences: Int, seed: UInt64) throws -> (
        cues: [(start: Int, end: Int)], samples: [UInt8]
    ) {
        var generator = SeededGenerator(seed: seed)
        var samples = [UInt8](repeating: 0, count: 22_050 * 2 * 2)
        var cues: [(start: Int, end: Int)] = []
        for _ in 0..<sentences {
            let text = (0..<Int.random(in: 2...7, using: &generator)).map { _ in
                Self.words.randomElement(using: &generator) ?? ""
            }.joined(separator: " ")
            let spoken = run(
                "espeak-ng",
                [
                    "-v", ["en-us", "en-gb", "de"].randomElement(using: &generator) ?? "de",
                    "--stdout", text,
                ])
            try #require(spoken.status == 0 && spoken.stdout.count > 5000)
            let start = samples.count / 2 * 1000 / 22_050
            samples += spoken.stdout.dropFirst(44)
            let end = samples.count / 2 * 1000 / 22_050
            cues.append((start, end))
            // espeak-ng ends with some silence.
            let pause = Int.random(in: 100...1600, using: &generator)
            samples += [UInt8](repeating: 0, count: pause * 22_050 / 1000 * 2)
        }
        // Noise, so that silence is no digital silence.
        for index in stride(from: 0, to: samples.count, by: 2) {
            let value = Int16(
                truncatingIfNeeded: Int(samples[index]) | Int(samples[index + 1]) << 8)
            let noisy = Int(value) / 2 + Int.random(in: -60...60, using: &generator)
            samples[index] = UInt8(truncatingIfNeeded: noisy)
            samples[index + 1] = UInt8(truncatingIfNeeded: noisy >> 8)
        }
        return (cues, samples)
    }

    private func subRip(_ cues: [(start: Int, end: Int)], later: Int = 0) -> String {
        func clock(_ milliseconds: Int) -> String {
            [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60]
                .map { zeroPadded($0, to: 2) }.joined(separator: ":") + ","
                + zeroPadded(milliseconds % 1000, to: 3)
        }
        return cues.enumerated().map { index, cue in
            "\(index + 1)\n\(clock(cue.start + later)) --> \(clock(cue.end + later))\ncue \(index)\n\n"
        }.joined()
    }

    private func sync(_ arguments: String...) -> ToolResult {
        run(Command.path, ["sync"] + arguments)
    }

    @Test func speechIsTheReference() throws {
        let film = try film(sentences: 60, seed: 1)
        let sound = folder.write(film.samples, to: "speech.raw")
        let other = folder.write(subRip(try self.film(sentences: 8, seed: 2).cues), to: "few.srt")
        let made = run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=300:d=20", "-f", "s16le",
                "-ar", "22050", "-ac", "1", "-i", sound, "-i", other, "-map", "0", "-map", "1",
                "-map", "2", "-c:a", "aac", "-c:s", "srt", "-disposition:a:0", "comment",
                "-metadata:s:a:1", "language=eng", folder / "film.mkv",
            ])
        #expect(made.status == 0, "\(made.stderr)")
        let late = folder.write(subRip(film.cues, later: 31_500), to: "late.srt")
        let result = sync(
            late, "--to", folder / "film.mkv", "--speech", "-o", folder / "out.srt", "--report",
            folder / "r.json")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.stderr.contains("speech of stream 1 (en, aac)"))
        let json = try JSON(parsing: #require(fileBytes(folder / "r.json")))
        #expect(json["reference"]?["kind"] == .string("speech"))
        #expect(json["reference"]?["track"]?.wholeNumber == 1)
        #expect(json["subtitle"]?["kind"] == .string("cues"))
        let offset = try #require(
            json["alignment"]?["segments"]?.elements.first?["offset"]?.fraction)
        #expect(abs(offset + 31.5) < 0.15, "\(offset)")
        #expect(try #require(json["alignment"]?["confidence"]?.fraction) > 0.9)
        // Other dialogue does not fit, and nothing is written.
        let wrong = folder.write(
            subRip(try self.film(sentences: 60, seed: 3).cues), to: "wrong.srt")
        let refused = sync(
            wrong, "--to", folder / "film.mkv", "--speech", "--track", "en", "-o",
            folder / "no.srt")
        #expect(refused.status == 1, "\(refused.stderr)")
        #expect(!exists(folder / "no.srt"))
        // The track that is selected: a tone, and one that does not exist.
        #expect(
            sync(late, "--to", folder / "film.mkv", "--speech", "--track", "0", "--dry-run").status
                == 1)
        let none = sync(late, "--to", folder / "film.mkv", "--speech", "--track", "fr", "--dry-run")
        #expect(none.status == 2 && none.stderr.contains("no audio track of the reference matches"))
    }

    @Test func speechReplacesSubtitlesThatAreMissing() throws {
        let film = try film(sentences: 50, seed: 4)
        let sound = folder.write(film.samples, to: "speech.raw")
        let made = run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "s16le", "-ar", "22050", "-ac", "1", "-i", sound,
                "-c:a", "ac3", "-ar", "48000", folder / "film.ts",
            ])
        #expect(made.status == 0, "\(made.stderr)")
        let early = folder.write(
            subRip(film.cues.dropFirst(2).map { $0 }, later: -1200), to: "early.srt")
        let result = sync(early, "--to", folder / "film.ts", "-o", folder / "out.srt")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(
            result.stderr.contains(
                "film.ts has no subtitle track with enough cues; the speech of stream 0"))
        #expect(result.stderr.contains("offset +1."))
        // A subtitle file has no audio.
        #expect(sync(early, "--to", folder / "out.srt", "--speech", "--dry-run").status == 2)
    }
}
