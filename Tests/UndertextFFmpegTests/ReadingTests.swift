import Foundation
import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

/// Selection, seeking, custom sources, attachments.
@Suite struct ReadingTests {
    @Test(.requires("ffmpeg")) func selectionHoldsForPacketsReadWhileProbing() throws {
        for (ending, options) in [("mkv", ["-c:s", "srt"]), ("ts", ["-map", "-2"])] {
            let path = try Material.film("select." + ending, options)
            let everything = try packets(try FFmpegDemuxer(.path(path)))
            let chosen = everything.filter { $0.streamIndex == 1 }
            #expect(!chosen.isEmpty && chosen.count < everything.count)
            let demuxer = try FFmpegDemuxer(.path(path))
            demuxer.select([1, 99, -1])
            #expect(try packets(demuxer) == chosen)
            let none = try FFmpegDemuxer(.path(path))
            none.select([])
            #expect(try packets(none).isEmpty)
        }
    }

    @Test(.requires("ffmpeg")) func sourcesGiveTheSamePackets() throws {
        for (ending, options) in [
            ("mkv", ["-c:s", "srt"]), ("mp4", ["-c:s", "mov_text"]), ("ts", ["-map", "-2"]),
        ] {
            let path = try Material.film("source." + ending, options)
            let bytes = try Material.read(path)
            let file = try FFmpegDemuxer(.path(path))
            let expected = try packets(file)
            #expect(file.statistics.bytesRead > 0)
            let random = try FFmpegDemuxer(.source(MemorySource(bytes, name: "film")))
            #expect(random.description.streams == file.description.streams)
            #expect(random.description.size == UInt64(bytes.count))
            #expect(random.description.isSeekable)
            #expect(try packets(random) == expected)
            #expect(random.statistics.bytesRead > 0 && random.statistics.requests > 0)
            guard ending != "mp4" else { continue }
            let stream = try FFmpegDemuxer(.stream(Trickle(bytes)))
            #expect(!stream.description.isSeekable)
            #expect(stream.description.size == nil)
            #expect(try packets(stream).map(\.data) == expected.map(\.data))
        }
    }

    @Test(.requires("ffmpeg")) func errorsOfASourceComeThrough() throws {
        let bytes = try Material.read(try Material.film("failing.ts", ["-map", "-2"]))
        let expected = UndertextError(.io, "the cable was pulled", path: "trickle")
        let early = Trickle(bytes)
        early.failsAfter = 100
        #expect(throws: expected) { try FFmpegDemuxer(.stream(early)) }
        let late = Trickle(bytes)
        let demuxer = try FFmpegDemuxer(.stream(late))
        late.failsAfter = late.position
        #expect(throws: expected) { while try demuxer.nextPacket() != nil {} }
    }

    @Test(.requires("ffmpeg")) func seekingGoesBackToTheCue() throws {
        let path = try Material.film("seek.mp4", ["-c:s", "mov_text"])
        let demuxer = try FFmpegDemuxer(.path(path))
        let track = try #require(demuxer.description.streams.first { $0.kind == .text })
        #expect(track.codec == .movText)
        demuxer.select([track.index])
        let all = try packets(demuxer)
        #expect(try demuxer.nextPacket() == nil)
        try demuxer.seek(to: .milliseconds(1200), stream: track.index)
        let after = try packets(demuxer)
        #expect(after == Array(all.suffix(after.count)))
        #expect(try #require(after.first?.start) == .milliseconds(1000))
        #expect(throws: UndertextError.self) { try demuxer.seek(to: .zero, stream: 42) }
        demuxer.close()
        #expect(try demuxer.nextPacket() == nil)
        demuxer.close()
    }

    @Test(.requires("ffmpeg")) func attachmentsAreCopied() throws {
        let font = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let fontPath = try Material.write("face.ttf", font)
        let path = try Material.film(
            "attached.mkv",
            ["-c:s", "ass", "-attach", fontPath, "-metadata:s:t", "mimetype=font/ttf"])
        let demuxer = try FFmpegDemuxer(.path(path))
        let attachment = try #require(demuxer.description.attachments.first)
        #expect(attachment.fileName == "face.ttf")
        #expect(attachment.mimeType == "font/ttf")
        #expect(attachment.size == font.count)
        let index = try #require(attachment.streamIndex)
        #expect(demuxer.description.streams[index].kind == .attachment)
        #expect(try demuxer.attachmentData(streamIndex: index) == font)
        #expect(try demuxer.attachmentData(streamIndex: 0).isEmpty)
        #expect(try demuxer.attachmentData(streamIndex: 1000).isEmpty)
        var options = DemuxerOptions()
        options.limits.attachmentSize = 10
        let limited = try FFmpegDemuxer(.path(path), options: options)
        #expect(throws: UndertextError.self) { try limited.attachmentData(streamIndex: index) }
    }

    @Test func packetsAboveTheLimitAreLeftOut() throws {
        let path = try Material.write("large.srt", Material.srt)
        var options = DemuxerOptions()
        options.limits.packetSize = 10
        let demuxer = try FFmpegDemuxer(.path(path), options: options)
        #expect(try packets(demuxer).map(\.data) == [Array("Second".utf8)])
        #expect(demuxer.diagnostics.take().map(\.code) == ["packet-too-large"])
    }

    @Test(.requiresCorpus()) func subtitlesThatFFmpegCallsDataAreText() throws {
        var seen: Set<CodecID> = []
        for path in Material.corpusFiles(["mp4", "mkv", "ts", "sup", "idx"]) {
            guard let demuxer = try? FFmpegDemuxer(.path(path)) else { continue }
            for stream in demuxer.description.streams where stream.kind.isSubtitle {
                seen.insert(stream.codec)
                let bitmaps: Set<CodecID> = [.pgs, .dvd, .dvb, .xsub]
                #expect((stream.kind == .bitmap) == bitmaps.contains(stream.codec), "\(path)")
            }
        }
        #expect(seen.isSuperset(of: [.ttml, .webVTT, .pgs, .dvd, .dvb, .teletext, .movText]))
    }

    @Test(.requires("ffmpeg")) func truncatedFilesLeaveADiagnostic() throws {
        let bytes = try Material.read(
            try Material.film("cut.mp4", ["-c:s", "mov_text", "-movflags", "+faststart"]))
        let demuxer = try FFmpegDemuxer(
            .source(MemorySource(Array(bytes.prefix(bytes.count * 2 / 3)))))
        let read = try packets(demuxer)
        let problems = demuxer.diagnostics.take()
        #expect(read.contains { $0.isCorrupt } || problems.contains { $0.severity == .error })
    }
}

/// Bytes in small portions, as a slow pipe gives them.
final class Trickle: SequentialSource {
    let name = "trickle"
    private(set) var position = 0
    var failsAfter = Int.max
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(upTo count: Int) throws(UndertextError) -> [UInt8] {
        guard position < failsAfter else { throw UndertextError(.io, "the cable was pulled") }
        let end = min(bytes.count, position + min(count, 100))
        defer { position = end }
        return Array(bytes[position..<end])
    }
}
