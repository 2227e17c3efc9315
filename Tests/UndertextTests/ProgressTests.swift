import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextIO

/// Progress is reported while readers wait.
@Suite struct ProgressTests {
    let folder = TemporaryDirectory()

    /// One cue in the first of 100 clusters, and nothing of its track in the others.
    @Test(.requires("ffmpeg")) func readersThatFindNoCueReportTheirPlace() throws {
        let cue = folder.write("1\n00:00:00,000 --> 00:00:01,000\nearly\n", to: "one.srt")
        let movie = folder / "long.mkv"
        let made = run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=d=60:r=48000", "-i", cue,
                "-c:a", "pcm_s16le", "-c:s", "srt", movie,
            ])
        try #require(made.status == 0, "\(made.stderr)")
        var options = ExtractionOptions()
        options.destination = .file(folder / "out.vtt")
        options.reading.io = .scan
        options.reading.maxReadRate = 8_000_000
        let reported = Monitor<[ExtractionProgress]>([])
        let extractor = Extractor(options: options) { progress in
            reported.with { $0.append(progress) }
        }
        #expect(try extractor.extract(movie).outcome == .complete)
        let all = reported.with { $0 }
        #expect(all.allSatisfy { $0.input == movie && $0.inputIndex == 0 && $0.inputCount == 1 })
        let fractions = all.compactMap(\.fraction)
        #expect(fractions.contains { $0 > 0.2 && $0 < 0.8 }, "\(fractions)")
        let size = try #require(FileSystem.size(of: movie))
        #expect(all.allSatisfy { $0.position ?? 0 <= size })
    }

    /// An input that takes less than a tenth of a second gets one report, and every input a last one.
    @Test func theLastReportOfAnInputIsComplete() throws {
        let one = folder.write("1\n00:00:00,000 --> 00:00:01,000\none\n", to: "one.srt")
        let other = folder.write("1\n00:00:00,000 --> 00:00:01,000\nother\n", to: "other.srt")
        var options = ExtractionOptions()
        options.destination = .directory(folder / "out")
        let reported = Monitor<[ExtractionProgress]>([])
        let extractor = Extractor(options: options) { progress in
            reported.with { $0.append(progress) }
        }
        let inputs = [one, folder / "missing.srt", other].map { MediaInput.file($0) }
        let outcomes = try extractor.extract(inputs).map(\.outcome)
        #expect(outcomes == [.complete, .failed, .complete])
        let all = reported.with { $0 }
        let last = inputs.indices.map { index in all.last { $0.inputIndex == index } }
        #expect(last[0]?.fraction == 1 && last[0]?.position == FileSystem.size(of: one))
        #expect(last[1] != nil && last[1]?.fraction != 1)
        #expect(last[2]?.fraction == 1 && last[2]?.position == FileSystem.size(of: other))
    }
}
