import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Files as today's muxers write them, compared with ffprobe.
@Suite(.requires("mkvmerge", "ffmpeg", "ffprobe")) struct MatroskaGeneratedTests {
    /// Compares description and packets with ffprobe's; returns what the index is worth.
    private func compare(_ path: String) throws -> IndexAssessment {
        let file = try open(#require(fileBytes(path)))
        #expect(differences(file, path) == [], "\(path)")
        let streams = subtitleStreams(file)
        let assessment = try file.index(for: streams)
        guard case .usable = assessment else { return assessment }
        let reader = try file.packetReader(for: streams)
        let packets = try drain(reader)
        #expect(reader.diagnostics.take() == [])
        #expect(packets.map(line) == FFprobe.subtitlePackets(path), "\(path)")
        for stream in streams {
            let count = packets.count { $0.streamIndex == stream }
            #expect(try file.indexFacts(ofStream: stream)?.cues == count)
        }
        return assessment
    }

    private static let tracks =
        "v.mkv --language 0:pt-BR --track-name 0:Legendas --hearing-impaired-flag 0:1 a.srt "
        + "--original-flag 0:0 --language 0:zh-Hans --compression 0:zlib a.srt a.vtt "
        + "--forced-display-flag 0:1 --commentary-flag 0:1 a.ass"

    @Test func readsWhatMkvmergeWrites() throws {
        let files = try GeneratedFiles()
        try files.tool("mkvmerge", "-q -o out.mkv " + Self.tracks)
        #expect(try compare(files.path("out.mkv")) == .usable(proof: .statistics))
        let file = try open(#require(fileBytes(files.path("out.mkv"))))
        let streams = file.description.streams
        #expect(streams.map(\.kind) == [.video, .audio, .text, .text, .text, .text])
        #expect(streams[2...].map(\.codec) == [.subRip, .subRip, .webVTT, .ass])
        #expect(streams[2...].map { $0.language?.rawValue } == ["pt-BR", "zh-Hans", nil, nil])
        #expect(streams[2].title == "Legendas")
        #expect(streams[2].isHearingImpaired && streams[5].isForced)
        #expect(streams[3].disposition.contains(.dub))
        #expect(streams[5].disposition.contains(.comment))
        #expect(streams[2...].map(\.packetCount) == [4, 4, 3, 2])
    }

    @Test func takesTheMuxerForAProof() throws {
        let files = try GeneratedFiles()
        try files.tool(
            "mkvmerge", "-q --disable-track-statistics-tags -o out.mkv " + Self.tracks)
        #expect(try compare(files.path("out.mkv")) == .usable(proof: .muxer))
    }

    @Test func refusesStaleStatistics() throws {
        let files = try GeneratedFiles()
        try files.tool("mkvmerge", "-q -o in.mkv v.mkv a.srt a.ass")
        // The cut drops subtitles; the tags that mkvmerge wrote go along unchanged.
        try files.tool("ffmpeg", "-v error -i in.mkv -t 3 -map 0 -c copy out.mkv")
        #expect(try compare(files.path("out.mkv")) == .usable(proof: .muxer))
        let file = try open(#require(fileBytes(files.path("out.mkv"))))
        #expect(file.description.streams[2].tags.contains { $0.key == "NUMBER_OF_FRAMES" })
        #expect(file.description.streams[2].packetCount == nil)
    }

    @Test func readsWhatFFmpegWrites() throws {
        let files = try GeneratedFiles()
        try files.tool(
            "ffmpeg",
            "-v error -i v.mkv -i a.srt -i a.vtt -i a.ass -map 0 -map 1 -map 2 -map 3 -c copy "
                + "-metadata:s:s:0 language=ger -disposition:s:1 forced out.mkv")
        #expect(try compare(files.path("out.mkv")) == .usable(proof: .muxer))
    }

    @Test func readsWebVTTFromWebM() throws {
        let files = try GeneratedFiles()
        try files.tool("ffmpeg", "-v error -i a.vtt -c copy out.webm")
        #expect(try compare(files.path("out.webm")) == .usable(proof: .muxer))
        let file = try open(#require(fileBytes(files.path("out.webm"))))
        let packets = try drain(file.packetReader(for: [0]))
        #expect(
            packets.map {
                $0.sideData(.webVTTIdentifier).map { String(decoding: $0, as: UTF8.self) }
            }
                == ["first", nil, "third"])
        #expect(
            packets.map { $0.sideData(.webVTTSettings).map { String(decoding: $0, as: UTF8.self) } }
                == ["line:10%", nil, "align:start"])
        #expect(packets.last.map { String(decoding: $0.data, as: UTF8.self) } == "two\nlines")
    }

    @Test func refusesAnIndexWithoutTheTrack() throws {
        let files = try GeneratedFiles()
        try files.tool(
            "mkvmerge", "-q --disable-track-statistics-tags -o out.mkv v.mkv --cues 0:none a.srt")
        #expect(
            try compare(files.path("out.mkv"))
                == .refused(reason: "The index has no entries for stream 2."))
        try files.tool("mkvmerge", "-q -o counted.mkv v.mkv --cues 0:none a.srt")
        #expect(
            try compare(files.path("counted.mkv"))
                == .refused(reason: "The index has 0 entries for stream 2, which has 4 frames."))
        try files.tool("mkvmerge", "-q --no-cues -o none.mkv v.mkv a.srt")
        #expect(
            try compare(files.path("none.mkv")) == .refused(reason: "The file has no index."))
    }

    @Test func describesAttachmentsChaptersAndTags() throws {
        let files = try GeneratedFiles()
        try files.tool(
            "mkvmerge",
            "-q -o out.mkv --title Film --chapters chapters.txt --global-tags tags.xml v.mkv "
                + "a.srt --attachment-mime-type application/x-truetype-font --attach-file font.ttf "
                + "--attachment-description Cover --attachment-mime-type image/png "
                + "--attach-file cover.png --attachment-mime-type font/ttf --attach-file font.ttf")
        #expect(try compare(files.path("out.mkv")) == .usable(proof: .statistics))
        let file = try open(#require(fileBytes(files.path("out.mkv"))))
        let attachments = file.description.attachments
        #expect(attachments.map(\.fileName) == ["font.ttf", "cover.png", "font.ttf"])
        #expect(attachments.map(\.streamIndex) == [3, 4, 5])
        #expect(file.description.streams[3...].map(\.kind) == [.attachment, .video, .attachment])
        for attachment in attachments {
            let stored = fileBytes(files.path(attachment.fileName))
            #expect(try file.data(of: attachment) == stored)
        }
        var limits = Limits()
        limits.attachmentSize = 4999
        let strict = try open(#require(fileBytes(files.path("out.mkv"))), limits: limits)
        #expect(throws: UndertextError.self) { try strict.data(of: attachments[0]) }
    }

    @Test(arguments: [
        "--timestamp-scale 100000", "--timestamp-scale 1500000", "--cluster-length 1",
        "--engage no_simpleblocks", "--clusters-in-meta-seek", "--sync 0:37",
    ])
    func readsUnusualMuxes(option: String) throws {
        let files = try GeneratedFiles()
        let isTrackOption = option.hasPrefix("--sync")
        let head = isTrackOption ? "-q -o out.mkv v.mkv " : "-q \(option) -o out.mkv v.mkv "
        try files.tool("mkvmerge", head + (isTrackOption ? "\(option) " : "") + "a.srt a.ass")
        #expect(try compare(files.path("out.mkv")) == .usable(proof: .statistics), "\(option)")
    }

    @Test func refusesAStream() throws {
        let files = try GeneratedFiles()
        let path = files.path("live.mkv")
        try files.tool("ffmpeg", "-v error -i v.mkv -i a.srt -c copy -f matroska -live 1 live.mkv")
        #expect(try compare(path) == .refused(reason: "The file has no index."))
    }

    @Test(.requiresCorpus("libpgs-js/tests/files")) func readsBitmapsOfOddTimes() throws {
        let files = try GeneratedFiles()
        let sup = try #require(corpusPath("libpgs-js/tests/files"))
        let sups = TestSupport.files(below: sup).filter { $0.hasSuffix(".sup") }
        try #require(!sups.isEmpty)
        for (place, path) in sups.prefix(3).enumerated() {
            try files.tool("mkvmerge", "-q -o \(place).mkv \(path)")
            #expect(try compare(files.path("\(place).mkv")) == .usable(proof: .statistics))
            try files.tool("ffmpeg", "-v error -i \(path) -map 0 -c copy f\(place).mkv")
            #expect(try compare(files.path("f\(place).mkv")) == .usable(proof: .muxer))
        }
    }
}
