import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

@testable import Undertext

/// Files whose streams are described in full without libavformat are described as by libavformat, which
/// `ProbeDifferentialTests` compares with ffprobe.
@Suite struct NativeProbeTests {
    private static func isMatroska(_ path: String) -> Bool {
        ["mkv", "mka", "webm"].contains { path.hasSuffix("." + $0) }
    }

    /// The native report, and that of libavformat; `nil` if there is no native one.
    private static func reports(of input: MediaInput) throws -> (native: JSON, other: JSON)? {
        // Otherwise damage fills the output of the tests.
        Media.silenceFFmpeg()
        let media = try Media(input)
        guard let demuxer = media.demuxer as? ScanningDemuxer,
            let native = try demuxer.nativelyProbed()
        else { return nil }
        let other = try demuxer.probedByFFmpeg(deep: false)
        let reports = [native, other].map {
            ProbeReport(input: "a", container: $0, content: media.content(describedBy: $0)).json
        }
        return (reports[0], reports[1])
    }

    /// Compares files; returns the names of those that are described natively.
    @discardableResult
    private func compare(_ paths: [String]) -> Set<String> {
        var native: Set<String> = []
        for path in paths {
            guard let reports = try? Self.reports(of: .file(path)) else { continue }
            native.insert(String(path.split(separator: "/").last ?? ""))
            #expect(reports.native == reports.other, "\(path)")
        }
        return native
    }

    @Test func fixtures() {
        let native = compare(files(below: Repository.root + "/Fixtures").filter(Self.isMatroska))
        #expect(native.isSuperset(of: ["movie.mkv", "movie-ffmpeg.mkv", "webvtt.mkv", "zlib.mkv"]))
        #expect(native.isDisjoint(with: ["truncated.mkv", "movie-stale.mkv", "bad-zlib.mkv"]))
    }

    @Test(.requiresCorpus()) func corpus() {
        let native = compare(files(below: Repository.corpus).filter(Self.isMatroska))
        #expect(native.contains("sample_with_vobsub.mkv"))
    }

    /// The native reader describes a damaged file as libavformat does, or leaves it to libavformat.
    @Test(arguments: ["movie.mkv", "movie-ffmpeg.mkv"])
    func damage(_ name: String) throws {
        let bytes = try fixtureBytes("containers/" + name)
        var native = 0
        var differences: [String] = []
        for (index, damaged) in bitFlips(of: bytes, count: 150 * damageFactor).enumerated() {
            let input = MediaInput.bytes(damaged, name: name)
            guard let reports = try? Self.reports(of: input) else { continue }
            native += 1
            guard reports.native != reports.other else { continue }
            differences.append("\(index): \(contractDifferences(reports.native, reports.other))")
        }
        print("\(name): \(native) damaged copies described natively, different: \(differences)")
        #expect(differences.isEmpty)
    }

    /// Common codecs from both muxers, with a delay of the sound, chapters and attachments.
    @Test(.requires("ffmpeg", "mkvmerge"))
    func muxers() throws {
        let folder = TemporaryDirectory()
        func make(_ name: String, _ source: String, _ options: String) -> String {
            let arguments = ["-v", "error", "-f", "lavfi", "-i", source] + options.words
            #expect(run("ffmpeg", arguments + [folder / name]).status == 0)
            return folder / name
        }
        let picture = "testsrc2=s=96x64:r=24000/1001:d=1"
        let videos = [
            make("b.mkv", picture, "-c:v libx264 -bf 2 -pix_fmt yuv420p"),
            make("p.mkv", picture, "-c:v libx264 -bf 0 -pix_fmt yuv420p"),
            make("vp9.mkv", picture, "-c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
        ]
        let sound = "sine=r=48000:d=1"
        let audios = [
            make("aac.mka", sound, "-c:a aac"), make("ac3.mka", sound, "-c:a ac3 -ac 6"),
            make("eac3.mka", sound, "-c:a eac3 -ac 2"),
            make("dts.mka", sound, "-c:a dca -strict -2 -ac 2"),
            make("opus.mka", sound, "-c:a libopus"),
            make("vorbis.mka", sound, "-c:a libvorbis -ac 6"),
            make("flac.mka", sound, "-c:a flac -ac 6"), make("pcm.mka", sound, "-c:a pcm_s24le"),
        ]
        var made = videos + audios
        for (index, audio) in audios.enumerated() {
            let video = videos[index % videos.count]
            let copied = folder / "ffmpeg\(index).mkv"
            let inputs = ["-i", video, "-itsoffset", "0.3", "-i", audio]
            let maps = ["-map", "0", "-map", "1", "-c", "copy", copied]
            #expect(run("ffmpeg", ["-v", "error"] + inputs + maps).status == 0)
            let merged = folder / "mkvmerge\(index).mkv"
            let sources = ["--sync", "0:200", video, audio, fixture("subtitles/en.srt")]
            #expect(run("mkvmerge", ["-q", "-o", merged] + sources).status == 0)
            made += [copied, merged]
        }
        // Later versions differ in the start of files with a codec delay.
        let all = made.count
        let native = compare(made).count
        #expect(FFmpegVersion.formatMajor > 61 ? native > all / 2 : native == all)
    }

    /// libavformat finds the size of PGS in the first 5 MB of packets only; a second has 4 MB here.
    @Test(
        .requires("ffmpeg", "mkvmerge"),
        arguments: [(0.1, true), (0.9, false), (1.6, true), (3, true)])
    func lateCanvas(_ start: Double, _ isNative: Bool) {
        let folder = TemporaryDirectory()
        let video = folder / "video.mkv"
        let picture = "color=gray:s=320x240:r=24:d=4,noise=alls=100:allf=t"
        let rate = "-b:v 32M -minrate 32M -maxrate 32M -bufsize 8M"
        let codec = "-c:v libx264 -preset ultrafast -x264-params nal-hrd=cbr:force-cfr=1 -g 24"
        let options = "\(codec) \(rate) -pix_fmt yuv420p".words
        let noise = ["-v", "error", "-f", "lavfi", "-i", picture] + options + [video]
        #expect(run("ffmpeg", noise).status == 0)
        let film = folder / "film.mkv"
        // Its first image is shown at one second.
        let delay = "0:\(Int((start - 1) * 1000))"
        let sources = ["--sync", delay, fixture("subtitles/bitmaps.sup")]
        #expect(run("mkvmerge", ["-q", "-o", film, video] + sources).status == 0)
        #expect(compare([film]).isEmpty != isNative)
    }
}

extension String {
    fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
