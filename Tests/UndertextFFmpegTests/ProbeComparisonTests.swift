import Foundation
import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

/// The description against what `ffprobe` prints of the same file.
@Suite(.requires("ffprobe")) struct ProbeComparisonTests {
    static let extensions: Set<String> = [
        "mkv", "webm", "mp4", "m4s", "ts", "m2ts", "sup", "idx", "srt", "ass", "ssa", "vtt", "smi",
        "scc", "sub", "avi",
    ]

    /// Small text files are many and alike: every eighth will do.
    static let files =
        Material.corpusFiles(extensions.subtracting(texts))
        + Material.corpusFiles(texts).enumerated().filter { $0.offset % 8 == 0 }.map(\.element)
    static let texts: Set<String> = ["vtt", "srt", "ass", "ssa"]

    @Test(.requiresCorpus(), arguments: files)
    func describesLikeFFprobe(_ path: String) throws {
        try compare(path)
    }

    @Test func describesFixturesLikeFFprobe() throws {
        let folder = fixture("containers")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        where Self.extensions.contains((name as NSString).pathExtension) {
            try compare(folder + "/" + name)
        }
    }

    @Test(
        .requires("ffmpeg"),
        arguments: [
            ("mkv", ["-c:s", "srt", "-c:a", "aac"]), ("mp4", ["-c:s", "mov_text", "-c:a", "aac"]),
            ("mov", ["-c:s", "mov_text", "-c:a", "pcm_s16le"]),
            ("webm.mkv", ["-c:s", "webvtt", "-c:a", "libopus", "-c:v", "libvpx-vp9"]),
            ("h264.mkv", ["-c:s", "ass", "-c:a", "libvorbis", "-c:v", "libx264"]),
            ("h264.mp4", ["-c:s", "mov_text", "-c:a", "ac3", "-c:v", "libx264", "-bf", "2"]),
            ("hevc.mp4", ["-c:s", "mov_text", "-c:a", "aac", "-c:v", "libx265"]),
            ("avi", ["-map", "-2", "-c:a", "mp3"]),
            ("ts", ["-map", "-2", "-c:v", "mpeg2video", "-c:a", "mp2"]),
        ])
    func describesFilmsLikeFFprobe(_ ending: String, _ options: [String]) throws {
        try compare(try Material.film("probe." + ending, options))
    }

    func compare(_ path: String) throws {
        let output = Material.run(
            "ffprobe",
            [
                "-v", "quiet", "-show_format", "-show_streams", "-show_chapters", "-show_programs",
                "-of", "json", "file:" + path,
            ])
        let expected = try JSONSerialization.jsonObject(with: output) as? [String: Any] ?? [:]
        let actual: ContainerDescription
        do {
            let demuxer = try FFmpegDemuxer(.path(path))
            actual = demuxer.description
            #expect(demuxer.diagnostics.take().isEmpty)
        } catch {
            // ffprobe calls an empty file a subtitle file if its name ends like one.
            let isEmpty = error.code == .empty
            let refused = expected["format"] == nil || isEmpty || Self.isNotAllowed(expected)
            #expect(refused, "\(path): \(error)")
            return
        }
        guard let format = expected["format"] as? [String: Any] else {
            Issue.record("\(path): opened what ffprobe does not")
            return
        }
        expectEqual(format: format, actual, path)
        let streams = expected["streams"] as? [[String: Any]] ?? []
        #expect(streams.count == actual.streams.count, "\(path)")
        for (left, right) in zip(streams, actual.streams) {
            expectEqual(stream: left, right, "\(path) stream \(right.index)")
        }
        expectEqual(chapters: expected["chapters"] as? [[String: Any]] ?? [], actual, path)
        let programs = expected["programs"] as? [[String: Any]] ?? []
        #expect(programs.map { $0["program_num"] as? Int } == actual.programs.map(\.id))
        #expect(programs.map { $0["pmt_pid"] as? Int } == actual.programs.map(\.mapPID))
        #expect(programs.map { $0["pcr_pid"] as? Int } == actual.programs.map(\.clockPID))
    }

    /// Formats that ffprobe opens and we refuse: not media.
    private static func isNotAllowed(_ probe: [String: Any]) -> Bool {
        let format = (probe["format"] as? [String: Any])?["format_name"] as? String
        return ["hls", "dash", "concat", "tty"].contains(format)
    }

    private func expectEqual(
        format: [String: Any], _ actual: ContainerDescription, _ path: String
    ) {
        #expect(format["format_name"] as? String == actual.formatName, "\(path)")
        #expect(format["format_long_name"] as? String == actual.formatLongName, "\(path)")
        #expect(format["probe_score"] as? Int == actual.probeScore, "\(path)")
        #expect(format["nb_streams"] as? Int == actual.streams.count, "\(path)")
        #expect(format["nb_programs"] as? Int == actual.programs.count, "\(path)")
        #expect(format["start_time"] as? String == actual.startTime.map(seconds), "\(path) start")
        #expect(format["duration"] as? String == actual.duration.map(seconds), "\(path) duration")
        #expect(format["size"] as? String == actual.size.map { String($0) }, "\(path)")
        #expect(format["tags"] as? [String: String] ?? [:] == dictionary(actual.tags), "\(path)")
    }

    private func expectEqual(
        stream: [String: Any], _ actual: StreamDescription, _ place: String
    ) {
        let details = actual.details
        let knownCodec = stream["codec_name"] as? String
        #expect(
            knownCodec == details?.codecName || (knownCodec == nil && details?.codecName == nil),
            "\(place)")
        #expect(stream["codec_type"] as? String == details?.codecType, "\(place)")
        #expect(stream["codec_tag_string"] as? String == details?.codecTagString, "\(place)")
        #expect(
            stream["codec_tag"] as? String
                == details.map { hex($0.codecTag) }, "\(place)")
        #expect(
            stream["id"] as? String
                == (details?.showsID == true ? "0x" + String(actual.id ?? 0, radix: 16) : nil),
            "\(place)")
        #expect(
            stream["time_base"] as? String
                == "\(actual.timeBase.numerator)/\(actual.timeBase.denominator)", "\(place)")
        #expect(stream["start_pts"] as? Int == actual.startTime.map { Int($0) }, "\(place) start")
        #expect(
            stream["duration_ts"] as? Int == actual.duration.map { Int($0) }, "\(place) duration")
        let width = stream["width"] as? Int ?? 0
        let height = stream["height"] as? Int ?? 0
        #expect(width == actual.size?.width ?? 0, "\(place)")
        #expect(height == actual.size?.height ?? 0, "\(place)")
        if details?.codecType == "audio" {
            #expect(stream["sample_rate"] as? String == actual.sampleRate.map { String($0) })
            #expect(stream["channels"] as? Int == actual.channels, "\(place)")
        }
        #expect(stream["channel_layout"] as? String == details?.channelLayout, "\(place)")
        #expect(stream["extradata_size"] as? Int ?? 0 == details?.extradataSize ?? 0, "\(place)")
        #expect(stream["tags"] as? [String: String] ?? [:] == dictionary(actual.tags), "\(place)")
        let names = stream["disposition"] as? [String: Int] ?? [:]
        for (name, flag) in Self.flags {
            #expect(
                names[name] == (actual.disposition.contains(flag) ? 1 : 0), "\(place) \(name)")
        }
    }

    private func expectEqual(
        chapters: [[String: Any]], _ actual: ContainerDescription, _ path: String
    ) {
        #expect(chapters.count == actual.chapters.count, "\(path)")
        for (left, right) in zip(chapters, actual.chapters) {
            #expect(left["id"] as? Int == Int(right.id), "\(path)")
            #expect(left["start"] as? Int == Int(right.start), "\(path)")
            #expect(left["end"] as? Int == Int(right.end), "\(path)")
            #expect(left["tags"] as? [String: String] ?? [:] == dictionary(right.tags), "\(path)")
        }
    }

    private static let flags: [(String, Disposition)] = [
        ("default", .default), ("dub", .dub), ("original", .original), ("comment", .comment),
        ("forced", .forced), ("hearing_impaired", .hearingImpaired),
        ("attached_pic", .attachedPicture), ("captions", .captions),
    ]

    private func dictionary(_ tags: [MetadataTag]) -> [String: String] {
        Dictionary(tags.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private func hex(_ tag: UInt32) -> String {
        let digits = String(tag, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Microseconds as ffprobe prints them.
    private func seconds(_ microseconds: Int64) -> String {
        String(format: "%.6f", Double(microseconds) / 1_000_000)
    }
}
