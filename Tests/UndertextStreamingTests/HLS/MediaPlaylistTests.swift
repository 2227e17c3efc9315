import TestSupport
import Testing
import UndertextCore

@testable import UndertextStreaming

@Suite struct MediaPlaylistTests {
    @Test func everythingIsRead() throws {
        let playlist = try PlaylistSamples.media(PlaylistSamples.media)
        #expect(playlist.version == 7)
        #expect(playlist.targetDuration == .seconds(10))
        #expect(playlist.type == .event)
        #expect(playlist.isEnded)
        #expect(!playlist.isLive)
        #expect(playlist.diagnostics.isEmpty)
        #expect(playlist.segments.map(\.sequence) == [2680, 2681, 2682, 2683])
        #expect(playlist.segments.map(\.discontinuity) == [4, 4, 5, 5])
        #expect(
            playlist.segments.map(\.start.nanoseconds) == [
                0, 9_009_000_000, 19_009_000_000, 22_012_000_000,
            ])
        #expect(playlist.duration == .milliseconds(26_512))
        #expect(playlist.segments[0].title == "first, with a comma")
        #expect(playlist.segments[1].title == nil)
        #expect(
            playlist.segments.map(\.range) == [
                ByteRange(offset: 720, count: 75232), ByteRange(offset: 75952, count: 82112), nil,
                nil,
            ])
        #expect(playlist.segments.map(\.map) == [0, 0, 0, 0])
        #expect(playlist.maps[0].range == ByteRange(offset: 0, count: 720))
        #expect(playlist.segments[0].programDateTime?.nanoseconds == 1_266_562_463_031_000_000)
        #expect(playlist.segments[1].programDateTime == nil)
        #expect(playlist.segments.map(\.isGap) == [false, false, true, false])
        #expect(
            playlist.segments[2].keys == [HLSKey(method: "AES-128", uri: "https://example.com/key")]
        )
        #expect(playlist.segments[3].keys.isEmpty)
    }

    @Test func keysOfSeveralFormatsHoldTogether() throws {
        let playlist = try PlaylistSamples.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="a",KEYFORMAT="one"
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="b",KEYFORMAT="two"
            #EXTINF:1,
            1
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="c",KEYFORMAT="one"
            #EXTINF:1,
            2
            """)
        #expect(playlist.segments[0].keys.map(\.uri) == ["a", "b"])
        #expect(playlist.segments[1].keys.map(\.uri) == ["b", "c"])
        #expect(playlist.isLive)
    }

    @Test func keysOfASegmentAreBounded() throws {
        let keys = (0..<50).map { "#EXT-X-KEY:METHOD=AES-128,KEYFORMAT=\"\($0)\"\n" }.joined()
        let media = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n\(keys)#EXTINF:1,\na\n")
        #expect(media.segments.first?.keys.count == 16)
    }

    @Test func aLiveWindowMovesOn() throws {
        func window(_ first: Int) throws -> MediaPlaylist {
            try PlaylistSamples.media(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
                    + (first..<first + 3).map { "#EXTINF:2,\n\($0).vtt\n" }.joined())
        }
        let last = try #require(try window(10).segments.last)
        #expect(
            try window(12).segments(from: last.sequence + 1).map(\.uri) == ["13.vtt", "14.vtt"])
        #expect(try window(10).segments(from: last.sequence + 1).isEmpty)
        #expect(try window(20).segments(from: last.sequence + 1).map(\.sequence) == [20, 21, 22])
    }

    @Test(
        arguments: [
            ("#EXTINF:x,\na", "bad-duration", 1), ("a", "segment-without-duration", 1),
            ("#EXTINF:-1,\na", "bad-duration", 1), ("#EXTINF:1e3,\na", "bad-duration", 1),
            ("#EXT-X-BYTERANGE:5\n#EXTINF:1,\na", "bad-byte-range", 1),
            ("#EXT-X-BYTERANGE:18446744073709551615@1\n#EXTINF:1,\na", "bad-byte-range", 1),
            ("#EXT-X-BYTERANGE:0@1\n#EXTINF:1,\na", "bad-byte-range", 1),
            ("#EXT-X-MAP:A=1", "bad-map", 0), ("#EXT-X-KEY:A=1", "bad-key", 0),
            ("#EXT-X-MEDIA-SEQUENCE:-1", "bad-number", 0), ("#EXTINF:1,", "segment-without-uri", 0),
            ("#EXT-X-PROGRAM-DATE-TIME:now", "bad-date", 0),
            ("#EXT-X-SKIP:SKIPPED-SEGMENTS=3", "delta-update", 0),
        ])
    func errorsAreReported(_ text: String, _ code: String, _ segments: Int) throws {
        let playlist = try PlaylistSamples.media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + text)
        #expect(playlist.diagnostics.map(\.code).contains(code))
        #expect(playlist.segments.count == segments)
    }

    @Test func aRangeWithoutOffsetNeedsTheSameResource() throws {
        let playlist = try PlaylistSamples.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXT-X-BYTERANGE:10@5
            #EXTINF:1,
            a
            #EXT-X-BYTERANGE:10
            #EXTINF:1,
            b
            #EXT-X-BYTERANGE:10
            #EXTINF:1,
            a
            """)
        #expect(playlist.segments.map(\.uri) == ["a", "b", "a"])
        #expect(playlist.segments.map(\.isGap) == [false, true, false])
        #expect(playlist.segments.map(\.start) == [.zero, .seconds(1), .seconds(2)])
    }

    @Test func manySegmentsAreBounded() throws {
        var limits = StreamingLimits()
        limits.segments = 1000
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + String(repeating: "#EXTINF:1,\na\n", count: 1500)
        let playlist = try MediaPlaylist(PlaylistText(Array(text.utf8)), limits: limits)
        #expect(playlist.segments.count == 1000)
        #expect(playlist.diagnostics.map(\.code) == ["too-many-segments"])
    }

    @Test func timesThatDoNotFitSaturate() throws {
        let text =
            "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:9223372036854775805\n#EXT-X-TARGETDURATION:9223372036854775807\n"
            + String(repeating: "#EXT-X-DISCONTINUITY\n#EXTINF:9000000000,\na\n", count: 3)
        let playlist = try PlaylistSamples.media(text)
        #expect(playlist.segments.count == 3)
        #expect(playlist.segments.last?.end == .distantFuture)
    }

    @Test func kindsAreDistinguished() throws {
        #expect(throws: UndertextError.self) { try PlaylistSamples.media(PlaylistSamples.master) }
        #expect(throws: UndertextError.self) { try PlaylistSamples.master(PlaylistSamples.media) }
        #expect(throws: UndertextError.self) { try PlaylistSamples.master("#EXTM3U\n") }
        guard case .media = try HLSPlaylist(Array(PlaylistSamples.media.utf8)) else {
            Issue.record("a media playlist is one")
            return
        }
        guard case .master = try HLSPlaylist(Array(PlaylistSamples.master.utf8)) else {
            Issue.record("a master playlist is one")
            return
        }
        let both = PlaylistSamples.master + PlaylistSamples.media
        #expect(throws: UndertextError.self) { try HLSPlaylist(Array(both.utf8)) }
    }
}

@Suite struct PlaylistVariablesTests {
    private static let start = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"

    @Test func variablesAreReplaced() throws {
        let playlist = try PlaylistSamples.media(
            Self.start + """
                #EXT-X-DEFINE:NAME="host",VALUE="https://cdn.example.com"
                #EXT-X-DEFINE:IMPORT="token"
                #EXT-X-DEFINE:QUERYPARAM="id"
                #EXT-X-DEFINE:NAME="all",VALUE="{$token}-{$id}"
                #EXT-X-MAP:URI="{$host}/init-{$all}.mp4"
                #EXTINF:1,{$host}
                {$host}/{$id}.vtt?{$ {$x y} $
                """, url: "http://a/b?x=1&id=a%20b+c&y", imports: ["token": "T", "other": "O"])
        #expect(playlist.segments[0].uri == "https://cdn.example.com/a b c.vtt?{$ {$x y} $")
        #expect(playlist.maps[0].uri == "https://cdn.example.com/init-T-a b c.mp4")
        let master = try PlaylistSamples.master(
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"{$a}\"\n{$a}\n"
        )
        #expect(master.variables == ["a": "b"])
        #expect(master.variants[0].uri == "b")
        #expect(master.variants[0].group(.subtitles) == "b")
    }

    @Test(
        arguments: [
            "#EXT-X-DEFINE:NAME=\"a\"", "#EXT-X-DEFINE:VALUE=\"a\"",
            "#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"c\"", "#EXT-X-DEFINE:NAME=\"\",VALUE=\"c\"",
            "#EXT-X-DEFINE:NAME=\"a\",IMPORT=\"a\",VALUE=\"b\"",
            "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"",
            "#EXT-X-DEFINE:IMPORT=\"missing\"", "#EXT-X-DEFINE:QUERYPARAM=\"missing\"",
            "#EXT-X-DEFINE:QUERYPARAM=\"empty\"", "#EXTINF:1,\n{$unknown}",
            "#EXT-X-MAP:URI=\"{$unknown}\"",
            "#EXTINF:1,\n{$late}\n#EXT-X-DEFINE:NAME=\"late\",VALUE=\"1\"",
        ])
    func errorsMakeThePlaylistUnreadable(_ text: String) {
        let error = #expect(throws: UndertextError.self) {
            try PlaylistSamples.media(
                Self.start + text, url: "http://a/b?empty=&x", imports: ["x": "y"])
        }
        #expect(error?.code == .malformed)
    }

    @Test func aMasterImportsNothing() {
        #expect(throws: UndertextError.self) {
            try PlaylistSamples.master(
                "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"x\"\n" + PlaylistSamples.master)
        }
    }

    @Test func valuesDoNotGrowWithoutBound() {
        var text = Self.start + "#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n"
        for level in 1...40 {
            let inner = "{$v\(level - 1)}"
            text += "#EXT-X-DEFINE:NAME=\"v\(level)\",VALUE=\"\(inner)\(inner)\(inner)\"\n"
        }
        let error = #expect(throws: UndertextError.self) { try PlaylistSamples.media(text) }
        #expect(error?.code == .limit)
    }

    @Test func manyShortLinesDoNotMakeALongPlaylist() throws {
        var limits = StreamingLimits()
        limits.playlistSize = 2000
        let variable = "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(String(repeating: "x", count: 100))\"\n"
        func media(_ count: Int) throws -> MediaPlaylist {
            let lines = String(repeating: "#EXTINF:1,\n{$a}\n", count: count)
            return try MediaPlaylist(
                PlaylistText(Array((Self.start + variable + lines).utf8)), url: "", limits: limits)
        }
        #expect(try media(20).segments.count == 20)
        #expect(#expect(throws: UndertextError.self) { try media(21) }?.code == .limit)
        let variants = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\n{$a}\n", count: 21)
        let error = #expect(throws: UndertextError.self) {
            try MasterPlaylist(
                PlaylistText(Array(("#EXTM3U\n" + variable + variants).utf8)), limits: limits)
        }
        #expect(error?.code == .limit)
    }

    @Test func numbersOfSegmentsDoNotWrap() throws {
        let playlist = try PlaylistSamples.media(
            Self.start + "#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:9223372036854775806\n"
                + "#EXTINF:1,\na\n#EXTINF:1,\nb\n#EXTINF:1,\nc\n")
        #expect(playlist.segments.map(\.sequence) == [.max - 1, .max])
        #expect(playlist.diagnostics.map(\.code) == ["bad-sequence"])
    }

    @Test func aDamagedLengthIsNoTarget() throws {
        let media = try PlaylistSamples.media(
            Self.start + "#EXTINF:9000000000,\na\n#EXT-X-ENDLIST\n")
        let lines = String(decoding: SubtitlePlaylist(beside: media).text.bytes, as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.contains("#EXT-X-TARGETDURATION:86400"))
    }

    /// RFC 8216, section 4.3.3.1: no length is more than the target when it is rounded.
    @Test func lengthsAreReplaced() throws {
        let media = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:4,\na\n"
                + "#EXTINF:0.000000,b, c\nb\n#EXT-X-ENDLIST\n")
        let text = media.text(lengths: [.milliseconds(6500), .nanoseconds(1_000_000_001)])
        #expect(
            String(decoding: text.bytes, as: UTF8.self)
                == "#EXTM3U\n#EXT-X-TARGETDURATION:7\n#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:6.5,\na\n"
                + "#EXTINF:1.000000001,b, c\nb\n#EXT-X-ENDLIST\n")
    }

    @Test func listsOfSongsAreDistinguished() throws {
        #expect(try PlaylistSamples.media("#EXTM3U\n#EXTINF:3,song\nsong.mp3\n").isPlainList)
        #expect(try !PlaylistSamples.media("#EXTM3U\n#EXTINF:3,\na\n#EXT-X-ENDLIST\n").isPlainList)
    }
}
