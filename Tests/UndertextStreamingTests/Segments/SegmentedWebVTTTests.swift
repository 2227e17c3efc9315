import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextStreaming

@Suite struct TimestampMapTests {
    @Test(
        arguments: [
            ("X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000", 0, 126_000),
            ("X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:01.500", 1500, 900_000),
            ("X-TIMESTAMP-MAP=MPEGTS:8589934593, LOCAL:00:01.000", 1000, 1),
            ("X-TIMESTAMP-MAP=MPEGTS:x,LOCAL:00:00.000", nil, nil),
            ("X-TIMESTAMP-MAP=MPEGTS:-1,LOCAL:00:00.000", nil, nil),
            ("X-TIMESTAMP-MAP=LOCAL:00:00.000", nil, nil), ("NOTHING", nil, nil),
        ] as [(String, Int64?, Int64?)])
    func headers(_ line: String, _ local: Int64?, _ mpegTS: Int64?) {
        let map = TimestampMap(header: Array("WEBVTT\r\nX: y\r\n\(line)".utf8))
        #expect(map?.local == local.map(Timestamp.milliseconds))
        #expect(map?.mpegTS == mpegTS)
        if let map { #expect(TimestampMap(header: Array("WEBVTT\n".utf8) + map.line) == map) }
    }

    @Test func timesAreThoseOfTheClock() {
        let clock = MediaClock(start: .zero, firstPTS: 126_000)
        let map = TimestampMap(local: .zero, mpegTS: 126_000)
        #expect(clock.time(of: .seconds(5), map: map, near: .seconds(5)) == .seconds(5))
        // Without a map zero is the clock's zero: 1.4 s before the media.
        #expect(clock.time(of: .seconds(5), map: .absent, near: .seconds(4)) == .milliseconds(3600))
        #expect(clock.map == map)
    }

    @Test func theClockWraps() {
        // One second before the wrap; the map is that of one second after it.
        let clock = MediaClock(start: .zero, firstPTS: (1 << 33) - 90_000)
        let behind = TimestampMap(local: .zero, mpegTS: 90_000)
        #expect(clock.time(of: .zero, map: behind, near: .seconds(2)) == .seconds(2))
        // A map that stays while the clock goes round: 30 hours of local time.
        let start = MediaClock(start: .zero, firstPTS: (30 * 3600 * 90_000) & ((1 << 33) - 1))
        let first = TimestampMap.absent
        #expect(
            start.time(of: .seconds(30 * 3600 + 7), map: first, near: .seconds(6)) == .seconds(7))
        // And a presentation that is longer than a period.
        let long = MediaClock(start: .zero, firstPTS: 0)
        let late = TimestampMap(local: .zero, mpegTS: 0)
        let period = Timestamp(ticks: 1 << 33, timeBase: .mpeg) ?? .zero
        let expected = period.advanced(by: .seconds(3))
        #expect(long.time(of: .seconds(3), map: late, near: expected) == expected)
    }

    @Test func extremesDoNotTrap() {
        let clock = MediaClock(start: .distantFuture, firstPTS: .min)
        for time in [Timestamp(nanoseconds: .min), .zero, .distantFuture] {
            for near in [Timestamp(nanoseconds: .min), .zero, .distantFuture] {
                _ = clock.time(of: time, map: TimestampMap(local: time, mpegTS: .max), near: near)
            }
        }
        _ = clock.map
        _ = MediaClock(start: Timestamp(nanoseconds: .min), firstPTS: .max).map
    }
}

@Suite struct SegmentedWebVTTTests {
    private static func document(_ generator: inout SeededGenerator, seconds: Int)
        -> SubtitleDocument
    {
        var cues: [Cue] = []
        for order in 0..<Int.random(in: 0..<30, using: &generator) {
            let start = Int64.random(in: 0..<Int64(seconds) * 1000, using: &generator)
            let length = Int64.random(in: 1..<9000, using: &generator)
            cues.append(
                Cue(
                    identifier: Bool.random(using: &generator) ? "c\(order)" : "", order: order,
                    start: .milliseconds(start),
                    end: .milliseconds(min(start + length, Int64(seconds) * 1000)),
                    content: .text(StyledText("words \(order % 7)"))))
        }
        return SubtitleDocument(cues: cues.sorted { ($0.start, $0.order) < ($1.start, $1.order) })
    }

    private static func playlist(_ generator: inout SeededGenerator, seconds: Int) throws
        -> MediaPlaylist
    {
        var text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        var rest = seconds * 1000
        var number = 0
        while rest > 0 {
            let length = min(rest, Int.random(in: 500..<8999, using: &generator))
            if number > 0, Int.random(in: 0..<4, using: &generator) == 0 {
                text += "#EXT-X-DISCONTINUITY\n"
            }
            text += "#EXTINF:\(decimalSeconds(.milliseconds(Int64(length)))),\n\(number).ts\n"
            rest -= length
            number += 1
        }
        return try PlaylistSamples.media(text + "#EXT-X-ENDLIST\n")
    }

    /// Clocks of each stretch, anywhere in 33 bits.
    private static func clocks(
        _ playlist: MediaPlaylist, _ generator: inout SeededGenerator
    ) -> [Int64: MediaClock] {
        var clocks: [Int64: MediaClock] = [:]
        for segment in playlist.segments where clocks[segment.discontinuity] == nil {
            clocks[segment.discontinuity] = MediaClock(
                start: segment.start, firstPTS: Int64.random(in: 0..<1 << 33, using: &generator))
        }
        return clocks
    }

    private struct Line: Hashable {
        var start: Int64
        var end: Int64
        var text: String
        var id: String
    }

    @Test func packagedAndJoinedAreTheSameCues() throws {
        for seed in 0..<25 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let document = Self.document(&generator, seconds: 60)
            let media = try Self.playlist(&generator, seconds: 60)
            let clocks = Self.clocks(media, &generator)
            let playlist = SubtitlePlaylist(beside: media)
            let written = try MediaPlaylist(playlist.text)
            #expect(written.segments.map(\.duration) == media.segments.map(\.duration))
            #expect(written.segments.map(\.sequence) == media.segments.map(\.sequence))
            #expect(written.segments.map(\.discontinuity) == media.segments.map(\.discontinuity))
            #expect(written.isEnded)
            #expect(written.diagnostics.isEmpty)
            let segmenter = WebVTTSegmenter(document)
            var joiner = WebVTTJoiner(streamIndex: 3)
            var found: [Line] = []
            for (segment, slot) in zip(written.segments, playlist.slots(clocks: clocks)) {
                let bytes = segmenter.segment(slot).bytes
                #expect(WebVTTFileReader.refusal(of: bytes[...]) == nil)
                for packet in joiner.packets(
                    of: .init(bytes, start: segment.start, clock: clocks[segment.discontinuity]))
                {
                    #expect(packet.streamIndex == 3)
                    found.append(
                        Line(
                            start: packet.start?.roundedMilliseconds ?? -1,
                            end: packet.end?.roundedMilliseconds ?? -1,
                            text: String(decoding: packet.data, as: UTF8.self),
                            id: String(
                                decoding: packet.sideData(.webVTTIdentifier) ?? [], as: UTF8.self)))
                }
            }
            let expected = document.cues.map {
                Line(
                    start: $0.start.roundedMilliseconds, end: $0.end.roundedMilliseconds,
                    text: $0.plainText ?? "", id: $0.identifier)
            }
            // Equal events are written once.
            #expect(Set(found) == Set(expected), "seed \(seed)")
            #expect(found.count == Set(found).count, "seed \(seed)")
            #expect(joiner.takeDiagnostics().isEmpty)
            #expect(segmenter.cuesOutside(playlist.slots(clocks: clocks)).isEmpty)
        }
    }

    @Test func aCueIsInEachSegmentThatItTouches() {
        let cues = [(1, 3), (5, 13), (12, 13)].enumerated().map { order, times in
            Cue(
                order: order, start: .seconds(times.0), end: .seconds(times.1),
                content: .text(StyledText("\(order)")))
        }
        let segmenter = WebVTTSegmenter(SubtitleDocument(cues: cues))
        let slots = [(0, 3), (3, 5), (5, 12), (12, 20)].map { start, end in
            WebVTTSegmenter.Slot(start: .seconds(Int64(start)), end: .seconds(Int64(end)))
        }
        #expect(slots.map { segmenter.cues(in: $0).map(\.order) } == [[0], [], [1], [1, 2]])
        #expect(String(decoding: segmenter.segment(slots[1]).bytes, as: UTF8.self) == "WEBVTT\n")
        #expect(segmenter.cuesOutside(Array(slots[..<2])).map(\.order) == [1, 2])
        #expect(segmenter.cuesOutside([slots[3]]).map(\.order) == [0])
        #expect(segmenter.cuesOutside([]).count == 3)
        var mapped = slots[0]
        mapped.map = TimestampMap(local: .zero, mpegTS: 126_000)
        let text = String(decoding: segmenter.segment(mapped).bytes, as: UTF8.self)
        #expect(
            text
                == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n\n00:00:01.000 --> 00:00:03.000\n0\n"
        )
    }

    private func joined(_ texts: [String], clock: MediaClock? = nil) -> ([String], [String]) {
        var joiner = WebVTTJoiner()
        var lines: [String] = []
        for (index, text) in texts.enumerated() {
            lines += joiner.packets(
                of: .init(Array(text.utf8), start: .seconds(Int64(index) * 4), clock: clock)
            ).map {
                "\($0.start?.roundedMilliseconds ?? -1) " + String(decoding: $0.data, as: UTF8.self)
            }
        }
        return (lines, joiner.takeDiagnostics().map(\.code))
    }

    @Test func repeatedCuesComeOutOnce() {
        let (lines, codes) = joined([
            "WEBVTT\n\n00:01.000 --> 00:05.000\na\n\n00:02.000 --> 00:03.000\nb\n\n00:02.000 --> 00:03.000\nb",
            "WEBVTT\n\n00:01.000 --> 00:05.000\na\n\n00:04.500 --> 00:06.000\na",
            "WEBVTT\n", "WEBVTT\n\n00:13.000 --> 00:14.000\nc",
        ])
        // Twice in one segment are two cues.
        #expect(lines == ["1000 a", "2000 b", "2000 b", "4500 a", "13000 c"])
        #expect(codes.isEmpty)
    }

    @Test func mapsThatAreRoundedDoNotDoubleCues() {
        let clock = MediaClock(start: .zero, firstPTS: 126_033)
        let cue = "\n\n00:03.000 --> 00:05.000\na"
        let (lines, _) = joined(
            [
                "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:126033" + cue,
                "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:04.000,MPEGTS:486083" + cue,
            ], clock: clock)
        #expect(lines == ["3000 a"])
    }

    @Test func unreadableDataCostsItsSegment() {
        let (lines, codes) = joined([
            "<html>404</html>", "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:x\n\n00:05.000 --> 00:06.000\na",
            "WEBVTT\n\n00:09.000 -> 00:10.000\nlost\n\n00:09.000 --> 00:10.000\nb",
        ])
        #expect(lines == ["5000 a", "9000 b"])
        #expect(codes.prefix(2) == ["no-signature", "bad-timestamp-map"])
        var joiner = WebVTTJoiner()
        let bytes = Array("WEBVTT\n\n00:01.000 --> 00:02.000\n".utf8) + [0x61, 0xFF]
        let packets = joiner.packets(of: .init(bytes, start: .zero, clock: nil))
        #expect(packets.first?.data == Array("a\u{FFFD}".utf8))
        #expect(joiner.takeDiagnostics().map(\.code) == ["invalid-utf8"])
    }

    @Test func cuesThatEndBeforeTheBeginningAreDropped() {
        let clock = MediaClock(start: .zero, firstPTS: 180_000)
        let (lines, codes) = joined(
            ["WEBVTT\n\n00:00.500 --> 00:01.500\nbefore\n\n00:01.000 --> 00:03.000\nacross"],
            clock: clock)
        #expect(lines == ["0 across"])
        #expect(codes == ["before-start"])
    }

    @Test func stylesOfAllSegmentsAreKept() {
        var joiner = WebVTTJoiner()
        for color in ["red", "blue", "red"] {
            let text =
                "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:0\n\nSTYLE\n::cue{color:\(color)}\n\n00:01.000 --> 00:02.000\nx"
            _ = joiner.packets(of: .init(Array(text.utf8), start: .zero, clock: nil))
        }
        let expected = "WEBVTT\n\nSTYLE\n::cue{color:red}\n\nSTYLE\n::cue{color:blue}"
        #expect(String(decoding: joiner.header, as: UTF8.self) == expected)
    }

    @Test func damagedSegmentsDoNotTrap() {
        let text =
            "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:8589934591\n\nid\n00:01.000 --> 00:02.000 line:0\nx\n\nNOTE y\n\n00:03.000 --> 00:04.000\nz\n"
        let bytes = Array(text.utf8)
        var joiner = WebVTTJoiner()
        for damaged in Array(truncations(of: bytes)) + Array(bitFlips(of: bytes, count: 200)) {
            _ = joiner.packets(
                of: .init(damaged, start: .seconds(9), clock: MediaClock(start: .zero, firstPTS: 5))
            )
        }
    }
}

@Suite struct FirstTimeTests {
    @Test(.requiresCorpus("shaka-player/hls-text-no-discontinuity/0.ts"))
    func ofATransportStream() throws {
        let path = try #require(corpusPath("shaka-player/hls-text-no-discontinuity/0.ts"))
        let bytes = try #require(fileBytes(path))
        // `why` of the corpus: the stream starts near 1.4 s.
        let first = try #require(FirstTime.ofSegment(bytes))
        #expect((120_000...135_000).contains(first))
        // Its beginning is enough, and a cut packet in front does no harm.
        #expect(FirstTime.ofSegment(Array(bytes[100..<60_000])) != nil)
    }

    @Test(.requiresCorpus("shaka-player/vtt-init.mp4", "shaka-player/vtt-segment.mp4"))
    func ofFragmentedMP4() throws {
        let path = try #require(corpusPath("shaka-player/vtt-init.mp4"))
        let initialization = try #require(fileBytes(path))
        let other = try #require(corpusPath("shaka-player/vtt-segment.mp4"))
        let segment = try #require(fileBytes(other))
        let first = try #require(FirstTime.ofSegment(segment, initialization: initialization))
        // The cues of the segment begin at 111.8 s; it is ten seconds or so long.
        #expect((100 * 90_000...112 * 90_000).contains(first))
        #expect(FirstTime.ofSegment(initialization + segment) == first)
        #expect(FirstTime.ofSegment(segment) == nil)
    }

    /// An ID3 tag with frames before ADTS.
    static func packedAudio(_ frames: [(String, [UInt8])], version: UInt8 = 4) -> [UInt8] {
        func number(_ value: Int, _ bits: Int) -> [UInt8] {
            (0..<4).reversed().map { UInt8(value >> ($0 * bits) & (1 << bits - 1)) }
        }
        let body = frames.flatMap { name, bytes in
            Array(name.utf8) + number(bytes.count, version == 4 ? 7 : 8) + [0, 0] + bytes
        }
        return Array("ID3".utf8) + [version, 0, 0] + number(body.count, 7) + body
            + [0xFF, 0xF1, 0x50, 0x80]
    }

    @Test func ofPackedAudio() {
        let owner = Array("com.apple.streaming.transportStreamTimestamp\0".utf8)
        let expected: Int64 = 1 << 32 | 5
        // More than 33 bits are cut to them.
        let frame = ("PRIV", owner + [0, 0, 0, 0x03, 0, 0, 0, 5])
        let title = ("TIT2", [UInt8](repeating: 65, count: 200))
        for version in [3, 4] as [UInt8] {
            let audio = Self.packedAudio([title, frame], version: version)
            #expect(FirstTime.ofSegment(audio) == expected)
        }
        let other = Self.packedAudio([title, ("PRIV", Array("x\0".utf8))]).dropLast(4)
        #expect(FirstTime.ofSegment(other + Self.packedAudio([frame])) == expected)
        #expect(FirstTime.ofSegment(Array(other)) == nil)
        let whole = Self.packedAudio([title, frame])
        for damaged in Array(truncations(of: whole, step: 1))
            + Array(bitFlips(of: whole, count: 500))
        {
            _ = FirstTime.ofSegment(damaged)
        }
    }

    @Test func encryptedOrDamagedSegmentsHaveNone() {
        var generator = SeededGenerator(seed: 1)
        #expect(FirstTime.ofSegment(generator.bytes(20_000)) == nil)
        #expect(FirstTime.ofSegment([]) == nil)
        #expect(FirstTime.ofSegment(Self.packets([(256, 0xE0, 1000)], isScrambled: true)) == nil)
    }

    @Test func theSmallestTimeOfAudioAndVideo() {
        // Video packets are in decoding order; private streams count only if there are no others.
        let stream = Self.packets([
            (256, 0xE0, 9000), (257, 0xC0, 7000), (256, 0xE0, 6000), (258, 0xBD, 10),
            (256, 0xE0, 8000),
        ])
        #expect(FirstTime.ofSegment(stream) == 6000)
        #expect(FirstTime.ofSegment(Self.packets([(258, 0xBD, 10), (0x1FFF, 0xBE, 1)])) == 10)
        // Around the wrap the later number is the earlier time.
        let around = Self.packets([(256, 0xE0, 100), (257, 0xC0, (1 << 33) - 500)])
        let expected: Int64 = (1 << 33) - 500
        #expect(FirstTime.ofSegment(around) == expected)
    }

    @Test func damageDoesNotTrap() {
        let stream = Self.packets((0..<8).map { (256 + $0 % 3, 0xE0, Int64($0) * 3000) })
        for damaged in Array(truncations(of: stream, step: 97))
            + Array(bitFlips(of: stream, count: 60))
        {
            _ = FirstTime.ofSegment(damaged)
        }
    }

    /// Transport packets with a PES header each, and some without.
    static func packets(
        _ units: [(pid: Int, id: UInt8, pts: Int64)], isScrambled: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for unit in units {
            var packet: [UInt8] = [0x47, 0x40 | UInt8(unit.pid >> 8), UInt8(unit.pid & 0xFF)]
            packet.append(isScrambled ? 0x90 : 0x10)
            packet += [0, 0, 1, unit.id, 0, 0, 0x80, 0x80, 5]
            packet.append(0x21 | UInt8(unit.pts >> 29 & 0x0E))
            packet.append(UInt8(unit.pts >> 22 & 0xFF))
            packet.append(UInt8(unit.pts >> 14 & 0xFE) | 1)
            packet.append(UInt8(unit.pts >> 7 & 0xFF))
            packet.append(UInt8(unit.pts << 1 & 0xFE) | 1)
            bytes += packet + [UInt8](repeating: 0, count: 188 - packet.count)
            for _ in 0..<3 {
                bytes += [0x47, UInt8(unit.pid >> 8), UInt8(unit.pid & 0xFF), 0x10]
                bytes += [UInt8](repeating: 0, count: 184)
            }
        }
        return bytes
    }
}
