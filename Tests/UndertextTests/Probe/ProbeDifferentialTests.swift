import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

@testable import Undertext

/// Compares our probe with ffprobe's, on our own files and on independent ones.
@Suite(.requires("ffprobe")) struct ProbeDifferentialTests {
    private let containers = [
        ".mkv", ".mp4", ".m4s", ".ts", ".m2ts", ".sup", ".idx", ".sub", ".webm",
    ]

    @Test func equalsFfprobeOnFixtures() {
        let paths = files(below: Repository.root + "/Fixtures").filter { path in
            containers.contains { path.hasSuffix($0) }
        }
        let described = compare(paths)
        #expect(described > 0)
    }

    @Test(.requiresCorpus()) func equalsFfprobeOnContainers() {
        compare { path in containers.contains { path.hasSuffix($0) } }
    }

    @Test(.requiresCorpus()) func equalsFfprobeOnSubtitleFiles() {
        let extensions = [".srt", ".ass", ".ssa", ".smi", ".scc", ".stl", ".sbv", ".lrc"]
        compare { path in
            extensions.contains { path.hasSuffix($0) } || path.contains("/androidx-media/ssa/")
                || path.contains("/androidx-media/subrip/")
        }
        compare(sample: 5) { $0.hasSuffix(".vtt") }
    }

    @Test(.requiresCorpus()) func equalsFfprobeOnDamagedFiles() {
        compare(sample: 5) { $0.contains("/fuzz/corpus/") }
    }

    /// Compares every wanted file, or every `sample`-th of many of a kind.
    private func compare(sample: Int = 1, _ isWanted: (String) -> Bool) {
        let step = environment("UNDERTEXT_NIGHTLY") == nil ? sample : 1
        let wanted = files(below: Repository.corpus).filter(isWanted)
        let paths = stride(from: 0, to: wanted.count, by: step).map { wanted[$0] }
        let described = compare(paths)
        #expect(described > 0)
        print("probe equals ffprobe: \(described) of \(paths.count) files compared")
    }

    /// The number of files that both describe, each difference an issue.
    private func compare(_ paths: [String]) -> Int {
        var described = 0
        var natively = 0
        // ffprobe takes an empty file for what its name says; for us it is an error of its own.
        for path in paths where fileBytes(path)?.isEmpty == false {
            let result = run(
                "ffprobe",
                [
                    "-v", "quiet", "-show_format", "-show_streams", "-show_chapters",
                    "-show_programs", "-of", "json", path,
                ])
            guard let theirs = readJSON(result.stdout) else {
                Issue.record("ffprobe wrote no JSON for \(path)")
                continue
            }
            do throws(UndertextError) {
                let demuxer = try FFmpegDemuxer(.path(path))
                let ours = ProbeReport(input: path, container: demuxer.description).json
                if theirs["format"] != nil {
                    described += 1
                    let differences = contractDifferences(ours, theirs)
                    if !differences.isEmpty { Issue.record("\(path): \(differences)") }
                    if let native = try native(path) {
                        natively += 1
                        let differences = contractDifferences(native, theirs)
                        if !differences.isEmpty {
                            Issue.record("\(path), described natively: \(differences)")
                        }
                    }
                } else {
                    Issue.record("\(path): ffprobe fails, we do not")
                }
            } catch {
                // A playlist with the name of a media file would open other files; it is refused.
                let isPlaylist = theirs["format"]?["format_name"] == .string("hls")
                if theirs["format"] != nil, !isPlaylist { Issue.record("\(path): \(error)") }
            }
        }
        if natively > 0 { print("\(natively) of them are also described natively") }
        return described
    }

    /// The report without libavformat; `nil` if the native reader is not sure.
    private func native(_ path: String) throws(UndertextError) -> JSON? {
        guard let demuxer = try Media(path).demuxer as? ScanningDemuxer,
            let container = try demuxer.nativelyProbed()
        else { return nil }
        return ProbeReport(input: path, container: container).json
    }
}
