import Foundation
import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

/// Inputs that are opened or refused, with the error.
@Suite struct OpeningTests {
    private func code(_ input: DemuxInput, _ options: DemuxerOptions = .init()) -> UndertextError
        .Code?
    {
        do throws(UndertextError) {
            _ = try FFmpegDemuxer(input, options: options)
            return nil
        } catch {
            #expect(!error.message.isEmpty)
            #expect(error.path == input.name)
            return error.code
        }
    }

    @Test func eachFailureHasItsCode() throws {
        let folder = Material.folder.path
        #expect(code(.path(folder + "/absent.mkv")) == .notFound)
        #expect(code(.path("")) == .notFound)
        #expect(code(.path("a\0b")) == .notFound)
        #expect(code(.path(folder)) == .isDirectory)
        #expect(code(.path(try Material.write("empty.mkv", ""))) == .empty)
        #expect(code(.source(MemorySource([]))) == .empty)
        let noise = [UInt8](repeating: 0x5A, count: 5000)
        #expect(code(.path(try Material.write("noise.bin", noise))) == .notMedia)
        #expect(code(.source(MemorySource(noise))) == .notMedia)
        let path = try Material.write("locked.srt", Material.srt)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        // Root may read any file but those of sysfs that can only be written.
        let locked = getuid() == 0 ? "/sys/bus/platform/drivers_probe" : path
        #expect(code(.path(locked)) == .permission)
    }

    @Test func aFileMayBeCalledLikeAnAddress() throws {
        let path = try Material.write("http:x.srt", Material.srt)
        #expect(try FFmpegDemuxer(.path(path)).description.formatName == "srt")
        let colon = try Material.write("concat:a|b.srt", Material.srt)
        #expect(try FFmpegDemuxer(.path(colon)).description.formatName == "srt")
    }

    @Test func playlistsInDisguiseOpenNothing() throws {
        let target = try Material.write("target.srt", Material.srt)
        let media = hasTool("ffmpeg") ? try Material.film("nested.ts", ["-map", "-2"]) : target
        let disguises = [
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(media)\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile nested.ts\n",
            """
            <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
            mediaPresentationDuration="PT2S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">\
            <Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1">\
            <BaseURL>nested.ts</BaseURL></Representation></AdaptationSet></Period></MPD>
            """,
        ]
        for (number, text) in disguises.enumerated() {
            let path = try Material.write("disguise\(number).mkv", text)
            #expect(code(.path(path)) == .notMedia, "\(text)")
            var options = DemuxerOptions()
            // The caller's options cannot lift the whitelist.
            options.options = ["format_whitelist": "hls,dash,concat", "safe": "0"]
            #expect(code(.path(path), options) == .notMedia, "\(text)")
        }
    }

    @Test(.requires("ffmpeg")) func playlistsAreOpenedOnRequest() throws {
        _ = try Material.film("list.ts", ["-map", "-2"])
        let path = try Material.write("list.ffconcat", "ffconcat version 1.0\nfile list.ts\n")
        var options = DemuxerOptions()
        options.allowsPlaylists = true
        #expect(try FFmpegDemuxer(.path(path), options: options).description.formatName == "concat")
    }

    @Test(.requiresCorpus()) func indexOpensItsImagesOnlyUnderItsName() throws {
        let index = try #require(Material.corpusFiles(["idx"]).first)
        let images = (index as NSString).deletingPathExtension + ".sub"
        let renamed = try Material.write("pair.idx", try Material.read(index))
        _ = try Material.write("pair.sub", try Material.read(images))
        let demuxer = try FFmpegDemuxer(.path(renamed))
        #expect(demuxer.description.formatName == "vobsub")
        #expect(try !packets(demuxer).isEmpty)
        let disguised = try Material.write("pair.mkv", try Material.read(index))
        #expect(code(.path(disguised)) == .notMedia)
    }

    @Test func anAddressOfAnotherKindIsRefused() {
        #expect(code(.url("gopher://127.0.0.1/x")) != nil)
        #expect(code(.url("concat://x")) != nil)
    }

    @Test func theFormatCanBeNamed() throws {
        let path = try Material.write("named.txt", Material.srt)
        var options = DemuxerOptions()
        options.format = "srt"
        #expect(try FFmpegDemuxer(.path(path), options: options).description.streams.count == 1)
        options.format = "no-such-format"
        #expect(code(.path(path), options) == .unsupported)
        options.format = "hls"
        #expect(code(.path(path), options) == .notMedia)
    }

    @Test func unknownOptionsAreReported() throws {
        let path = try Material.write("options.srt", Material.srt)
        var options = DemuxerOptions()
        options.options = ["no_such_option": "1"]
        let demuxer = try FFmpegDemuxer(.path(path), options: options)
        #expect(demuxer.diagnostics.take().map(\.code) == ["unknown-option"])
    }

    @Test func cancellationAndDeadlineEndIt() throws {
        let path = try Material.write("cancelled.srt", Material.srt)
        var options = DemuxerOptions()
        let cancellation = Cancellation()
        options.cancellation = cancellation
        let demuxer = try FFmpegDemuxer(.path(path), options: options)
        cancellation.cancel()
        #expect(throws: UndertextError(.cancelled, "stopped", path: path)) {
            try demuxer.nextPacket()
        }
        #expect(code(.path(path), options) == .cancelled)
        var late = DemuxerOptions()
        late.deadline = .now
        #expect(code(.path(path), late) == .timeout)
    }

    @Test(.requires("ffmpeg")) func aDamagedHeaderNeverTraps() throws {
        for ending in ["mkv", "mp4", "ts"] {
            let codec = ["mkv": "srt", "mp4": "mov_text"][ending]
            let options = codec.map { ["-c:s", $0] } ?? ["-map", "-2"]
            let good = try Material.read(try Material.film("flip." + ending, options))
            var generator = SeededGenerator(seed: 7)
            for _ in 0..<60 {
                var bytes = good
                for _ in 0..<8 {
                    let offset = Int(generator.next() % UInt64(min(bytes.count, 4000)))
                    bytes[offset] ^= UInt8(truncatingIfNeeded: generator.next() | 1)
                }
                read(bytes)
            }
            for length in stride(from: 1, to: good.count, by: max(1, good.count / 60)) {
                read(Array(good.prefix(length)))
            }
        }
    }

    /// Reads as far as it goes; what counts is that it ends.
    private func read(_ bytes: [UInt8]) {
        guard let demuxer = try? FFmpegDemuxer(.source(MemorySource(bytes))) else { return }
        var count = 0
        while count < 100_000, let packet = try? demuxer.nextPacket() {
            #expect(packet.streamIndex >= 0)
            count += 1
        }
        #expect(count < 100_000)
    }
}
