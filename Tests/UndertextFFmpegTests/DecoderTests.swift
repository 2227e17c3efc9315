import Foundation
import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

/// The output of libavcodec's decoders, copied and checked.
@Suite struct DecoderTests {
    private func decode(
        _ path: String, _ limits: Limits = Limits()
    ) throws -> (events: [DecodedSubtitle], diagnostics: [Diagnostic]) {
        let demuxer = try FFmpegDemuxer(.path(path))
        let stream = try #require(demuxer.description.streams.first { $0.kind.isSubtitle })
        demuxer.select([stream.index])
        let decoder = try FFmpegSubtitleDecoder(stream, limits: limits)
        var events: [DecodedSubtitle] = []
        while let packet = try demuxer.nextPacket() { events += try decoder.decode(packet) }
        events += decoder.flush()
        return (events, decoder.diagnostics.take())
    }

    @Test func textBecomesEventLines() throws {
        let path = try Material.write("lines.srt", Material.srt)
        let (events, diagnostics) = try decode(path)
        #expect(diagnostics.isEmpty)
        #expect(
            events.map(\.assLines) == [
                ["0,0,Default,,0,0,0,,First {\\i1}line{\\i0}"], ["1,0,Default,,0,0,0,,Second"],
            ])
        #expect(events.map(\.start) == [.milliseconds(100), .milliseconds(1000)])
        #expect(events.map(\.endOffset) == [800, 500])
        #expect(events.allSatisfy { !$0.isEmpty && $0.startOffset == 0 })
    }

    @Test func theScriptHeaderIsThere() throws {
        let path = try Material.write("header.srt", Material.srt)
        let stream = try FFmpegDemuxer(.path(path)).description.streams[0]
        let header = String(decoding: try FFmpegSubtitleDecoder(stream).header, as: UTF8.self)
        #expect(header.hasPrefix("[Script Info]"))
    }

    @Test func invalidUTF8IsRepairedNotDropped() throws {
        let stream = StreamDescription(index: 4, kind: .text, codec: .subRip)
        let decoder = try FFmpegSubtitleDecoder(stream)
        let packet = Packet(
            streamIndex: 4, pts: 500, duration: 250, timeBase: .milliseconds,
            data: Array("caf".utf8) + [0xE9] + Array(" noir".utf8))
        let events = try decoder.decode(packet)
        #expect(events.map(\.assLines) == [["0,0,Default,,0,0,0,,caf\u{FFFD} noir"]])
        let diagnostics = decoder.diagnostics.take()
        #expect(diagnostics.map(\.code) == ["invalid-utf8"])
        #expect(diagnostics.first?.streamIndex == 4)
        #expect(diagnostics.first?.time == .milliseconds(500))
        #expect(decoder.diagnostics.take().isEmpty)
    }

    @Test func unknownTimesStayUnknown() throws {
        let stream = StreamDescription(index: 0, kind: .text, codec: .subRip)
        let decoder = try FFmpegSubtitleDecoder(stream)
        let packet = Packet(
            streamIndex: 0, pts: nil, timeBase: .milliseconds, data: Array("text".utf8))
        let event = try #require(try decoder.decode(packet).first)
        #expect(event.start == nil)
        #expect(event.endOffset == nil)
        #expect(try decoder.decode(Packet(streamIndex: 0, pts: 1, timeBase: .mpeg, data: [])) == [])
    }

    @Test func codecsWithoutADecoderSaySo() {
        for codec in [CodecID.ttml, .unknown, CodecID(rawValue: "h264"), CodecID(rawValue: "")] {
            let stream = StreamDescription(index: 3, kind: .text, codec: codec)
            do throws(UndertextError) {
                _ = try FFmpegSubtitleDecoder(stream)
                Issue.record("\(codec) was opened")
            } catch {
                #expect(error.code == .unsupported)
                #expect(error.streamIndex == 3 || codec == .unknown || error.streamIndex != nil)
            }
        }
    }

    @Test(.requiresCorpus()) func bitmapsAreCheckedCopies() throws {
        let paths = Material.corpusFiles(["sup", "idx", "mkv", "ts"])
        var images = 0
        var clears = 0
        for path in paths {
            guard let demuxer = try? FFmpegDemuxer(.path(path)) else { continue }
            let streams = demuxer.description.streams.filter { $0.kind == .bitmap }
            demuxer.select(Set(streams.map(\.index)))
            var decoders: [Int: FFmpegSubtitleDecoder] = [:]
            for stream in streams { decoders[stream.index] = try FFmpegSubtitleDecoder(stream) }
            while let packet = try demuxer.nextPacket() {
                for event in try decoders[packet.streamIndex]?.decode(packet) ?? [] {
                    clears += event.isEmpty ? 1 : 0
                    for image in event.images {
                        images += 1
                        #expect(image.width > 0 && image.height > 0)
                        #expect(image.indices.count == image.width * image.height)
                        #expect(image.palette.count == 256)
                        #expect(image.palette.contains { $0 & 0xFF != 0 }, "\(path)")
                    }
                }
            }
        }
        #expect(images > 30)
        #expect(clears > 10)
    }

    @Test func colorsAreRedGreenBlueAlpha() throws {
        // A PGS display set: one object of 8x2, palette entry 1 = pure red in BT.601 YCbCr.
        let (events, _) = try decode(try Material.write("red.sup", PGSSample.displaySet))
        let image = try #require(events.first { !$0.images.isEmpty }?.images.first)
        #expect(image.width == 8 && image.height == 2)
        #expect(image.x == 10 && image.y == 20)
        #expect(Set(image.indices) == [1])
        let color = image.palette[1]
        #expect(color >> 24 > 0xF0 && color >> 16 & 0xFF < 0x10 && color >> 8 & 0xFF < 0x10)
        #expect(color & 0xFF == 0xFF)
        #expect(image.isForced)
        let event = try #require(events.first)
        #expect(event.start == .seconds(1))
        #expect(event.endOffset == nil)
        #expect(event.canvas == PixelSize(width: 720, height: 480))
    }

    @Test func imagesAboveTheLimitAreLeftOut() throws {
        var limits = Limits()
        limits.canvas = 4
        let (events, diagnostics) = try decode(
            try Material.write("limited.sup", PGSSample.displaySet), limits)
        #expect(events.allSatisfy { $0.images.isEmpty })
        // It is not a clear: it had content.
        #expect(events.isEmpty)
        #expect(diagnostics.map(\.code) == ["image-too-large"])
    }

    @Test func resetForgetsObjects() throws {
        let demuxer = try FFmpegDemuxer(
            .path(try Material.write("reset.sup", PGSSample.displaySet)))
        let decoder = try FFmpegSubtitleDecoder(demuxer.description.streams[0])
        let all = try packets(demuxer)
        for packet in all { _ = try decoder.decode(packet) }
        try decoder.reset()
        // Without its palette and object the last segments show nothing.
        var events: [DecodedSubtitle] = []
        for packet in all where [0x16, 0x80].contains(packet.data.first) {
            events += try decoder.decode(packet)
        }
        #expect(events.allSatisfy { $0.images.isEmpty })
    }

    @Test func damagedImagesNeverTrap() throws {
        var generator = SeededGenerator(seed: 11)
        var damaged: [[UInt8]] = []
        let good = PGSSample.displaySet
        for length in 1..<good.count { damaged.append(Array(good.prefix(length))) }
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<3 {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(
                    truncatingIfNeeded: generator.next())
            }
            damaged.append(bytes)
        }
        for bytes in damaged {
            guard let demuxer = try? FFmpegDemuxer(.source(MemorySource(bytes))),
                let stream = demuxer.description.streams.first,
                let decoder = try? FFmpegSubtitleDecoder(stream)
            else { continue }
            while let packet = try? demuxer.nextPacket() {
                for image in try decoder.decode(packet).flatMap(\.images) {
                    #expect(image.indices.count == image.width * image.height)
                }
            }
        }
        for codec in [CodecID.dvd, .dvb, .xsub, .pgs, .movText, .ass, .webVTT, .cea608] {
            let stream = StreamDescription(index: 0, kind: .bitmap, codec: codec, timeBase: .mpeg)
            guard let decoder = try? FFmpegSubtitleDecoder(stream) else { continue }
            for _ in 0..<200 {
                let data = (0..<Int(generator.next() % 200)).map { _ in
                    UInt8(truncatingIfNeeded: generator.next())
                }
                _ = try decoder.decode(
                    Packet(streamIndex: 0, pts: 0, timeBase: .mpeg, data: data))
            }
            _ = decoder.flush()
        }
    }

    @Test(.requiresCorpus()) func wrappedDVBIsUnwrapped() throws {
        let found = Material.corpusFiles(["ts"]).first { path in
            (try? FFmpegDemuxer(.path(path)))?.description.streams.contains { $0.codec == .dvb }
                ?? false
        }
        let path = try #require(found)
        let demuxer = try FFmpegDemuxer(.path(path))
        let stream = try #require(demuxer.description.streams.first { $0.codec == .dvb })
        demuxer.select([stream.index])
        let plain = try FFmpegSubtitleDecoder(stream)
        let wrapped = try FFmpegSubtitleDecoder(stream)
        for packet in try packets(demuxer) {
            var inPES = packet
            inPES.data = [0x20, 0x00] + packet.data + [0xFF]
            #expect(try wrapped.decode(inPES) == plain.decode(packet))
        }
    }

    @Test(.requiresCorpus()) func captionsHeldBackComeWithTheFlush() throws {
        let path = try #require(Material.corpusFiles(["scc"]).first)
        let demuxer = try FFmpegDemuxer(.path(path))
        let stream = demuxer.description.streams[0]
        #expect(stream.codec == .cea608 && stream.kind == .text)
        let decoder = try FFmpegSubtitleDecoder(stream)
        var events: [DecodedSubtitle] = []
        while let packet = try demuxer.nextPacket() { events += try decoder.decode(packet) }
        #expect(!(events + decoder.flush()).isEmpty)
        #expect(decoder.flush().isEmpty)
    }
}

/// A PGS stream of one display set with one forced object.
enum PGSSample {
    static let displaySet: [UInt8] =
        segment(
            0x16,
            [
                0x02, 0xD0, 0x01, 0xE0, 0x10, 0x00, 0x01, 0x80, 0x00, 0x00, 0x01,
                0x00, 0x01, 0x00, 0x40, 0x00, 0x0A, 0x00, 0x14,
            ])
        + segment(0x17, [0x01, 0x00, 0x00, 0x0A, 0x00, 0x14, 0x00, 0x08, 0x00, 0x02])
        + segment(0x14, [0x00, 0x00, 0x01, 0x51, 0xF0, 0x5A, 0xFF])
        + segment(
            0x15,
            [
                0x00, 0x01, 0x00, 0xC0, 0x00, 0x00, 0x0E, 0x00, 0x08, 0x00, 0x02,
                0x00, 0x88, 0x01, 0x00, 0x00, 0x00, 0x88, 0x01, 0x00, 0x00,
            ])
        + segment(0x80, [])

    /// A segment at one second.
    private static func segment(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0x50, 0x47, 0x00, 0x01, 0x5F, 0x90, 0, 0, 0, 0, type, 0, UInt8(payload.count)] + payload
    }
}
