import TestSupport
import Testing
import Undertext
import UndertextCore

/// `Media.content`, the probe's content, and what libavformat says of the same input.
@Suite struct ContentTests {
    private static let endings = [
        ".mkv", ".webm", ".mp4", ".m4s", ".ts", ".m2ts", ".avi", ".sup", ".idx", ".sub", ".vtt",
        ".srt", ".ass", ".scc", ".ttml", ".m3u8", ".mpd",
    ]

    private func content(_ path: String) throws -> ContentInfo { try Media(path).content }

    /// The JSON of a content, as a probe prints it.
    private func json(_ content: ContentInfo) -> JSON? {
        ProbeReport(
            input: "a", container: ContainerDescription(formatName: "a"), content: content
        ).json["undertext"]?["content"]
    }

    /// Compares both for every file; returns how many could be opened.
    private func compare(_ paths: [String], sample: Int = 1) -> Int {
        var opened = 0
        for (place, path) in paths.enumerated() where place % sample == 0 {
            guard let media = try? Media(path), let report = try? Media(path).probe() else {
                continue
            }
            opened += 1
            #expect(json(media.content) == report.json["undertext"]?["content"], "\(path)")
            guard media.description.formatName.hasPrefix("matroska"),
                let theirs = try? media.probedDescription()
            else { continue }
            compare(
                ContentInfo(container: media.description), ContentInfo(container: theirs), path)
        }
        return opened
    }

    /// Our reader reports what libavformat reads from the headers.
    ///
    /// Only a decoder finds canvases of images and profiles that headers do not state.
    private func compare(_ ours: ContentInfo, _ theirs: ContentInfo, _ path: String) {
        #expect(ours.streams.map(\.id) == theirs.streams.map(\.id), "\(path)")
        for (one, other) in zip(ours.streams, theirs.streams) {
            #expect(one.type == other.type && one.language == other.language, "\(path)")
            #expect(one.name == other.name && one.disposition == other.disposition, "\(path)")
            for (track, known) in zip(one.tracks, other.tracks) {
                let place = "\(path): stream \(one.id)"
                #expect(track.codec == known.codec, "\(place)")
                func same<Value: Equatable>(
                    _ ours: Value?, _ theirs: Value?, _ name: String, mayLack: Bool = false
                ) {
                    if mayLack, ours == nil { return }
                    if let theirs { #expect(ours == theirs, "\(place): \(name)") }
                }
                let isText = one.type == .text
                same(track.width, known.width, "width", mayLack: isText)
                same(track.height, known.height, "height", mayLack: isText)
                same(track.channels, known.channels, "channels")
                same(track.sampleRate, known.sampleRate, "sample rate")
                let states = ["h264", "hevc", "av1", "aac"].contains(track.codec?.rawValue)
                same(track.profile, known.profile, "profile", mayLack: !states)
                same(track.level, known.level, "level", mayLack: !states)
                if let rate = known.frameRate, let ours = track.frameRate {
                    #expect(abs(ours - rate) <= rate * 1e-5, "\(place): frame rate")
                }
            }
        }
    }

    @Test func equalsTheProbeOnFixtures() {
        let paths = files(below: Repository.root + "/Fixtures").filter { path in
            Self.endings.contains { path.hasSuffix($0) }
        }
        #expect(compare(paths) > 50)
    }

    @Test(.requiresCorpus()) func equalsTheProbeOnTheCorpus() {
        let paths = files(below: Repository.corpus).filter { path in
            Self.endings.prefix(9).contains { path.hasSuffix($0) }
        }
        #expect(compare(paths, sample: environment("UNDERTEXT_NIGHTLY") == nil ? 5 : 1) > 5)
    }

    /// The properties that a Matroska file states, without libavformat.
    @Test func matroskaIsDescribedByOurOwnReader() throws {
        let description = try Media(fixture("containers/movie.mkv")).description
        let content = ContentInfo(container: description)
        #expect(content.videoFrameRate == 5 && content.width == 320)
        #expect(content.audioChannels == 1 && content.audioSampleRate == 8000)
        #expect(content.currentVideoStream?.currentTrack?.profile == 100)
        #expect(content.currentVideoStream?.currentTrack?.level == 21)
        #expect(content.currentAudioStream?.currentTrack?.profile == 1)
        #expect(content.videoBitrate == 2347 && content.audioBitrate == 7896)
    }

    /// A selection is kept, and a probe after it prints it.
    @Test func selectionsAreKept() throws {
        let media = try Media(fixture("containers/movie.mkv"))
        try media.select(text: .language("de"))
        let chosen = try #require(media.content.currentTextStream)
        #expect(chosen.language == "de")
        #expect(try media.probe().content == media.content)
    }

    @Test func damagedIndicesAreNoticed() throws {
        let bytes = try fixtureBytes("containers/movie.mkv")
        func isJunk(_ bytes: [UInt8]) throws -> Bool {
            let media = try Media(.bytes(bytes))
            #expect(json(media.content) == (try media.probe().json["undertext"]?["content"]))
            return media.content.isJunkContent
        }
        #expect(try !isJunk(bytes))
        #expect(try isJunk(Array(bytes.dropLast(bytes.count / 3))))
        #expect(try content(fixture("containers/truncated.mkv")).isJunkContent)
        #expect(try !content(fixture("containers/movie-nocues.mkv")).isJunkContent)
        // CueClusterPosition of every entry, with the CRC of the index made void so that only the positions are wrong.
        var moved = bytes
        let index = try #require(MatroskaPlaces(bytes).index.first)
        var changes = 0
        for place in index.dropLast(4) where moved[place] == 0xF1 {
            let length = Int(moved[place + 1] & 0x7F)
            guard moved[place + 1] > 0x80, length <= 4 else { continue }
            moved[place + 1 + length] ^= 0x15
            changes += 1
        }
        #expect(changes > 0)
        #expect(try isJunk(moved))
    }

    @Test func filesWithoutAnIndexAreNoticed() throws {
        let bytes = try fixtureBytes("bitmap/xsub/run-lengths.avi")
        let place = try #require(bytes.firstRange(of: Array("idx1".utf8)))
        #expect(try !Media(.bytes(bytes)).content.isJunkContent)
        var without = bytes
        without.replaceSubrange(place, with: Array("JUNK".utf8))
        #expect(try Media(.bytes(without)).content.isJunkContent)
    }
}
