import TestSupport
import Testing
import UndertextContainers
import UndertextCore
import UndertextFFmpeg

@testable import Undertext

/// MP4 files that are described in full without libavformat are described as by libavformat, which
/// `ProbeDifferentialTests` compares with ffprobe.
@Suite struct MP4ProbeTests {
    private static func isMP4(_ path: String) -> Bool {
        ["mp4", "mov", "m4a", "m4v", "m4s", "3gp"].contains { path.hasSuffix("." + $0) }
    }

    /// The native report, and that of libavformat; `nil` if there is no native one.
    private static func reports(of input: MediaInput) throws -> (native: JSON, other: JSON)? {
        // Otherwise damage fills the output of the tests.
        Media.silenceFFmpeg()
        let media = try Media(input)
        guard let demuxer = media.demuxer as? MP4Demuxer, demuxer.describer == nil else {
            return nil
        }
        var options = Media.Options()
        options.io = .scan
        let reference = try Media(input, options: options)
        #expect((reference.demuxer as? ScanningDemuxer)?.describer != nil)
        return (try media.probe().json, try reference.probe().json)
    }

    /// Compares files; returns the names of those that are described natively.
    @discardableResult
    private func compare(_ paths: [String]) -> Set<String> {
        var native: Set<String> = []
        for path in paths {
            guard let reports = try? Self.reports(of: .file(path)) else { continue }
            native.insert(String(path.split(separator: "/").last ?? ""))
            let differences = contractDifferences(reports.native, reports.other)
            #expect(reports.native == reports.other, "\(path): \(differences)")
        }
        return native
    }

    @Test func fixtures() {
        let native = compare(files(below: Repository.root + "/Fixtures").filter(Self.isMP4))
        #expect(native.isSuperset(of: ["movie.mp4", "hevc.mp4", "av1.mp4"]))
        // Caption tracks, fragments.
        #expect(native.isDisjoint(with: ["c608.mp4", "c708.mov", "h264.mp4"]))
    }

    @Test(.requiresCorpus()) func corpus() {
        let native = compare(files(below: Repository.corpus).filter(Self.isMP4))
        #expect(native.contains("sample_with_styl.mp4"))
    }

    /// A file with more tags than any film has is left to libavformat.
    @Test(arguments: [(300, true), (2000, false)])
    func titlesInManyLanguages(_ count: Int, _ isNative: Bool) throws {
        var bytes = try fixtureBytes("containers/movie.mp4")
        var titles: [UInt8] = []
        for number in 0..<count {
            let language = [number / 676 % 26, number / 26 % 26, number % 26].reduce(0) {
                $0 << 5 | ($1 + 1)
            }
            let text: [UInt8] = [0, 1, UInt8(language >> 8), UInt8(language & 0xFF), 0x61]
            titles += [0, 0, 0, 13, 0xA9] + Array("nam".utf8) + text
        }
        let added = MP4Builder.box("udta", titles)
        // `moov` is the last box.
        let moov = bytes.count - 6431
        try #require(bytes[(moov + 4)..<(moov + 8)].elementsEqual("moov".utf8))
        bytes += added
        bytes.replaceSubrange(moov..<(moov + 4), with: MP4Builder.words(6431 + added.count))
        let reports = try Self.reports(of: .bytes(bytes, name: "film.mp4"))
        #expect((reports != nil) == isNative)
        if let reports { #expect(reports.native == reports.other) }
    }

    /// Rows of `stts` whose sum has more than 64 bits.
    @Test func durationsThatOverflow() throws {
        var bytes = try fixtureBytes("containers/movie.mp4")
        var changed = 0
        for place in bytes.indices.dropLast(16)
        where bytes[place..<(place + 4)].elementsEqual("stts".utf8) {
            let rows = Int(bytes[place + 11])
            guard rows > 2 else { continue }
            changed += 1
            for number in 0..<(2 * rows) {
                let value = place + 12 + 4 * number
                bytes.replaceSubrange(value..<(value + 4), with: MP4Builder.words(0x7FFF_FFFF))
            }
        }
        #expect(changed > 0)
        let file = try MP4File(source: MemorySource(bytes))
        #expect(try MP4Describer(file).probedDescription(as: 59) == nil)
        #expect(try MP4Describer(file).description() == nil)
        _ = try? Media(.bytes(bytes, name: "film.mp4")).probe()
    }

    /// Codecs in the files of each muxer.
    @Test(.requires("ffmpeg")) func codecs() throws {
        let files = try MP4Samples()
        for format in ["mp4", "mov", "m4a"] {
            // A codec of its own, and each sound beside a video that most of them can be described with.
            for video in files.videos where format != "m4a" {
                files.make("v-\(video).\(format)", "-i \(video).mkv -c copy")
            }
            for (number, audio) in files.audios.enumerated() {
                let video = files.videos[number % 4]
                let inputs = format == "m4a" ? "" : "-i \(video).mkv -map 1"
                let muxer = format == "m4a" ? "-f ipod" : ""
                files.make("\(audio).\(format)", "-i \(audio).mka", inputs, "-map 0 -c copy", muxer)
            }
        }
        let native = compare(files.made)
        print("\(native.count) of \(files.made.count) files described natively")
        #expect(native.isSuperset(of: ["b.mkv", "av1.mkv"].map { "v-\($0.dropLast(4)).mp4" }))
        for audio in ["aac", "aac6", "ac3", "eac3", "opus", "flac", "alac"] {
            #expect(native.contains("\(audio).mp4"), "\(audio)")
        }
        #expect(native.isSuperset(of: ["s16.mov", "s24.mov", "aac.mov", "alac.m4a"]))
        // Properties that only several frames, or the decoder, state.
        #expect(native.isDisjoint(with: ["mp3.mp4", "mp3.mov"]))
    }

    /// Languages, dispositions, edit lists, chapters, covers and tags.
    @Test(.requires("ffmpeg")) func options() throws {
        let files = try MP4Samples()
        let variants = [
            "plain": "", "fast": "-movflags +faststart",
            "languages":
                "-metadata:s:0 language=eng -metadata:s:1 language=ger -metadata:s:2 language=por",
            "roles": "-disposition:s:0 forced+hearing_impaired -disposition:a:0 comment",
            "roles2": "-disposition:s:0 captions -disposition:a:0 dub+visual_impaired",
            "negative": "-movflags +negative_cts_offsets",
            "noedits": "-use_editlist 0",
            "noedits2": "-use_editlist 0 -movflags +negative_cts_offsets",
            "tags": "-map_metadata 3 -map_chapters 3",
            "keys": "-map_metadata 3 -movflags use_metadata_tags -metadata foo=bar",
            "nochpl": "-map_chapters 3 -movflags disable_chpl",
            "created": "-metadata creation_time=2023-04-05T06:07:08Z",
            "handler": "-metadata:s:0 handler_name=Bär",
            "rotated": "-metadata:s:v:0 rotate=90",
            "scales": "-video_track_timescale 90000 -movie_timescale 90000",
            "cover": "-map 4 -disposition:v:1 attached_pic -map_metadata 3 -map_chapters 3",
            "covers": "-map 4 -map 5 -disposition:v:1 attached_pic -disposition:v:2 attached_pic",
            // Left to libavformat.
            "fragments": "-movflags +frag_keyframe+empty_moov", "dash": "-movflags +dash",
            "timecode": "-timecode 01:00:00:00", "title": "-metadata:s:1 title=Commentary",
        ]
        let inputs = "-i aac.mka -i a.srt -i tags.txt -i c.png -i c.jpg"
        for format in ["mp4", "mov"] {
            for video in ["b", "p"] {
                for (name, options) in variants {
                    files.make(
                        "\(name)-\(video).\(format)",
                        "-i \(video).mkv \(inputs) -map 0 -map 1 -map 2 -c copy -c:s mov_text",
                        options)
                }
                files.make(
                    "cut-\(video).\(format)",
                    "-ss 0.6 -i \(video).mkv -ss 0.6 -i aac.mka -map 0 -map 1 -c copy")
                for (name, delays) in [
                    "late": ("0.5", "0"), "later": ("0", "0.7"), "both": ("0.5", "0.7"),
                ] {
                    files.make(
                        "\(name)-\(video).\(format)",
                        "-itsoffset \(delays.0) -i \(video).mkv -itsoffset \(delays.1) -i aac.mka",
                        "-map 0 -map 1 -c copy -avoid_negative_ts disabled")
                }
            }
        }
        files.make(
            "book.m4a", "-i aac.mka -i tags.txt -map_metadata 1 -map_chapters 1 -c copy -f ipod")
        files.make("text.mp4", "-i a.srt -c:s mov_text")
        let native = compare(files.made)
        print("\(native.count) of \(files.made.count) files described natively")
        let others = ["fragments", "dash", "timecode", "title"]
        for path in files.made {
            let name = String(path.split(separator: "/").last ?? "")
            let isOther = others.contains { name.hasPrefix($0) }
            #expect(native.contains(name) != isOther, "\(name)")
        }
    }

    /// Films whose first seconds have more bytes than libavformat reads for the description, with texts in all places.
    @Test(.requires("ffmpeg")) func bitRates() throws {
        let files = try MP4Samples()
        files.make(
            "noise.mkv", "-f lavfi -i testsrc=s=640x360:r=25:d=4,noise=alls=100:allf=t",
            "-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p",
            "-b:v 32M -minrate 32M -maxrate 32M -bufsize 4M")
        let texts = "-map 2 -map 2 -map 2 -map 2"
        let variants = [
            "last": "-map 0 -map 1 \(texts)", "sound": "-map 1 -map 0 \(texts)",
            "first": "\(texts) -map 0 -map 1", "between": "-map 0 \(texts) -map 1",
            "single": "-map 0 -map 1 -map 2", "sounds": "-map 0 -map 1 -map 1 -map 1 \(texts)",
        ]
        for (name, maps) in variants {
            for delay in ["0", "2.1"] {
                files.make(
                    "\(name)-\(delay)-sound.mp4",
                    "-i noise.mkv -itsoffset \(delay) -stream_loop -1 -t 4 -i aac.mka -i a.srt",
                    maps, "-c copy -c:s mov_text")
                files.make(
                    "\(name)-\(delay)-text.mp4",
                    "-i noise.mkv -stream_loop -1 -t 4 -i aac.mka -itsoffset \(delay) -i a.srt",
                    maps, "-c copy -c:s mov_text")
            }
        }
        let native = compare(files.made)
        print("\(native.count) of \(files.made.count) files described natively")
        for name in ["last-0-sound.mp4", "sound-0-sound.mp4", "sounds-0-text.mp4"] {
            #expect(native.contains(name))
        }
    }

    /// The native reader describes a damaged file as libavformat does, or leaves it to libavformat.
    @Test(.requires("ffmpeg")) func damage() throws {
        let files = try MP4Samples()
        files.make(
            "whole.mp4", "-i b.mkv -i aac.mka -i a.srt -i tags.txt -i c.png -map 0 -map 1 -map 2",
            "-map 4 -c copy -c:s mov_text -map_metadata 3 -map_chapters 3 -disposition:v:1 attached_pic"
        )
        files.make(
            "whole.mov", "-i p.mkv -i s16.mka -i a.srt -i tags.txt -map 0 -map 1 -map 2",
            "-c copy -c:s mov_text -map_metadata 3 -map_chapters 3")
        for path in files.made {
            let bytes = try #require(fileBytes(path))
            #expect(try Self.reports(of: .file(path)) != nil)
            // The headers are at the end.
            let start = try #require(bytes.lastIndex(of: Array("moov".utf8)))
            var copies = bitFlips(of: Array(bytes[start...]), count: 400 * damageFactor).map {
                Array(bytes[..<start]) + $0
            }
            copies += bitFlips(of: bytes, count: 50 * damageFactor)
            copies += stride(from: 1, to: bytes.count, by: max(1, bytes.count / 50)).map {
                Array(bytes.dropLast($0))
            }
            var native = 0
            var differences: [String] = []
            for (index, damaged) in copies.enumerated() {
                let input = MediaInput.bytes(damaged, name: path)
                guard let reports = try? Self.reports(of: input) else { continue }
                native += 1
                guard reports.native != reports.other else { continue }
                differences.append(
                    "\(index): \(contractDifferences(reports.native, reports.other))")
            }
            print("\(path): \(native) of \(copies.count) damaged copies described natively")
            #expect(differences.isEmpty, "\(differences)")
        }
    }

    /// libavformat 59 takes the duration of the movie's header, in milliseconds, and later versions that of the streams.
    @Test(.requires("ffmpeg")) func durations() throws {
        let files = try MP4Samples()
        files.make("aac.m4a", "-i aac.mka -c copy -f ipod")
        let path = try #require(files.made.first)
        let file = try MP4File(source: MemorySource(#require(fileBytes(path))))
        let old = try #require(try MP4Describer(file).probedDescription(as: 59))
        let new = try #require(try MP4Describer(file).probedDescription(as: 61))
        let stream = try #require(new.streams.first)
        #expect(
            new.duration
                == rescale(stream.duration ?? 0, from: stream.timeBase, to: .microseconds))
        #expect(old.duration.map { $0 % 1000 } == 0)
        // The muxer of FFmpeg 9 ends the file where the sound ends, at a whole millisecond.
        if FFmpegVersion.formatMajor < 63 { #expect(old.duration != new.duration) }
        #expect(try MP4Describer(file).probedDescription(as: 62) == nil)
        #expect(old.streams == new.streams)
    }

    /// From libavformat 63 on, only tracks of QuickTime have a vendor.
    @Test(arguments: [61, 63], ["isom", "qt  "])
    func vendors(_ version: Int, _ brand: String) throws {
        var bytes = try fixtureBytes("containers/movie.mp4")
        try #require(bytes[4..<12].elementsEqual("ftypisom".utf8))
        bytes.replaceSubrange(8..<12, with: brand.utf8)
        let file = try MP4File(source: MemorySource(bytes))
        let found = try #require(try MP4Describer(file).probedDescription(as: version))
        let hasVendor = version < 63 || brand == "qt  "
        for stream in found.streams where stream.kind == .video || stream.kind == .audio {
            #expect(stream.tags.contains { $0.key == "vendor_id" } == hasVendor)
        }
    }

    /// A probe reads headers and the sizes of samples, however large the media are.
    @Test(.requires("ffmpeg")) func reads() throws {
        let files = try MP4Samples()
        files.make(
            "long.mp4", "-f lavfi -i testsrc=s=16x16:r=50:d=600 -i aac.mka",
            "-map 0 -map 1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a copy")
        let path = try #require(files.made.first)
        // Two gigabytes of further media, which no block of the disk holds.
        let length: UInt64 = 2 << 30
        var bytes = try #require(fileBytes(path))
        let size = bytes.count
        bytes += [0, 0, 0, 1] + Array("mdat".utf8) + length.bigEndianBytes
        let media = try Media(.source(PaddedSource(bytes, size: UInt64(size) + length)))
        #expect((media.demuxer as? MP4Demuxer)?.describer == nil)
        let report = try media.probe()
        #expect(report.container.streams.map(\.codec.rawValue) == ["h264", "aac"])
        let statistics = try #require(media.source?.statistics)
        print("probe of \(size) bytes and media: \(statistics)")
        #expect(statistics.requests < 200)
        #expect(statistics.bytesRead < 1_000_000)
    }
}

/// Streams of several codecs, and files that ffmpeg makes of them.
private final class MP4Samples {
    let videos = ["b", "p", "sar", "hevc", "av1", "mpeg2", "mpeg4", "vp9"]
    let audios = [
        "aac", "aac1", "aac6", "aac22", "ac3", "ac344", "eac3", "opus", "flac", "alac", "mp3",
        "s16", "s24",
    ]
    /// The paths of the files that could be made.
    private(set) var made: [String] = []
    private let folder = TemporaryDirectory()

    private static let sources: [(name: String, arguments: String)] = {
        let image = "-f lavfi -i testsrc2=s=96x64:r=24000/1001:d=2"
        let sound = "-f lavfi -i sine=r=48000:d=2"
        let sound44 = "-f lavfi -i sine=r=44100:d=2"
        return [
            ("b.mkv", "\(image) -c:v libx264 -bf 2 -pix_fmt yuv420p"),
            ("p.mkv", "\(image) -c:v libx264 -bf 0 -pix_fmt yuv420p"),
            ("sar.mkv", "\(image) -c:v libx264 -bf 3 -pix_fmt yuv420p -vf setsar=4/3"),
            ("hevc.mkv", "\(image) -c:v libx265 -x265-params log-level=0 -pix_fmt yuv420p"),
            ("av1.mkv", "\(image) -c:v libaom-av1 -cpu-used 8 -usage realtime -pix_fmt yuv420p"),
            ("mpeg2.mkv", "\(image) -c:v mpeg2video"), ("mpeg4.mkv", "\(image) -c:v mpeg4"),
            ("vp9.mkv", "\(image) -c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
            ("aac.mka", "\(sound44) -c:a aac -ac 2"), ("aac1.mka", "\(sound) -c:a aac"),
            ("aac6.mka", "\(sound) -c:a aac -ac 6"),
            ("aac22.mka", "\(sound) -c:a aac -ac 2 -ar 22050"),
            ("ac3.mka", "\(sound) -c:a ac3 -ac 6"), ("ac344.mka", "\(sound44) -c:a ac3 -ac 2"),
            ("eac3.mka", "\(sound) -c:a eac3 -ac 2"), ("opus.mka", "\(sound) -c:a libopus -ac 2"),
            ("flac.mka", "\(sound) -c:a flac -ac 6"), ("alac.mka", "\(sound44) -c:a alac -ac 2"),
            ("mp3.mka", "\(sound) -c:a libmp3lame -ac 2"),
            ("s16.mka", "\(sound) -c:a pcm_s16le -ac 2"),
            ("s24.mka", "\(sound) -c:a pcm_s24le -ac 2"),
            ("c.png", "-f lavfi -i color=s=64x48:d=1 -frames:v 1"),
            ("c.jpg", "-f lavfi -i color=s=64x48:d=1 -frames:v 1"),
        ]
    }()

    /// The streams, which are encoded once.
    private static let encoded: [(name: String, bytes: [UInt8])] = {
        let folder = TemporaryDirectory()
        return sources.compactMap { name, arguments in
            let words = ["-v", "quiet", "-nostdin"] + arguments.words
            guard run("ffmpeg", words + [folder / name]).status == 0 else { return nil }
            return fileBytes(folder / name).map { (name, $0) }
        }
    }()

    init() throws {
        for (name, bytes) in Self.encoded { folder.write(bytes, to: name) }
        folder.write("1\n00:00:00,200 --> 00:00:00,900\nHello\n", to: "a.srt")
        let tags = [
            ";FFMETADATA1", "title=A film", "artist=Somebody", "album=Album", "date=2024",
            "genre=Rock", "comment=täst ü", "track=3/12", "disc=1/2", "show=Show",
            "season_number=2", "episode_sort=4", "description=Text", "synopsis=More",
            "copyright=Me",
            "lyrics=La", "compilation=1", "grouping=Group", "[CHAPTER]", "TIMEBASE=1/1000",
            "START=0", "END=700", "title=One", "[CHAPTER]", "TIMEBASE=1/1000", "START=700",
            "END=1500", "title=Zwei ü", "[CHAPTER]", "TIMEBASE=1/1000", "START=1500", "END=2000",
            "title=",
        ]
        folder.write(tags.joined(separator: "\n") + "\n", to: "tags.txt")
    }

    /// Makes a file, unless the muxer does not take the codec.
    func make(_ name: String, _ arguments: String...) {
        let words = ["-v", "quiet", "-nostdin", "-y"] + arguments.flatMap(\.words)
        let status = run(
            "ffmpeg", words + ["-strict", "-2", folder / name], directory: folder.path
        ).status
        if status == 0 { made.append(folder / name) }
    }
}

/// Bytes followed by zeros.
private final class PaddedSource: ByteSource {
    let name = "padded.mp4"
    let size: UInt64
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], size: UInt64) {
        self.bytes = bytes
        self.size = size
    }

    func read(at offset: UInt64, count: Int) -> [UInt8] {
        let start = Int(min(offset, UInt64(bytes.count)))
        let known = bytes[start..<min(bytes.count, start + count)]
        return Array(known) + [UInt8](repeating: 0, count: count - known.count)
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] { (0..<8).map { UInt8(self >> (56 - 8 * $0) & 0xFF) } }
}

extension [UInt8] {
    /// The place of the last occurrence of some bytes.
    fileprivate func lastIndex(of bytes: [UInt8]) -> Int? {
        indices.reversed().first { self[$0] == bytes[0] && self[$0...].starts(with: bytes) }
    }
}

extension String {
    fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
