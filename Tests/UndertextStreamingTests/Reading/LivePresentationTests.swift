import TestSupport
import Testing
import UndertextCore
import UndertextIO

@testable import UndertextStreaming

/// Live presentations: playlists that change while they are followed, on a clock that does not wait.
@Suite struct LivePresentationTests {
    private static let base = "https://example.org/live/"

    /// A window of segments of two seconds.
    private static func window(_ range: Range<Int>, ended: Bool = false) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(range.lowerBound)\n"
            + range.map { "#EXTINF:2,\n\($0).vtt\n" }.joined() + (ended ? "#EXT-X-ENDLIST\n" : "")
    }

    /// A cue of a second in each segment; times count from the beginning of the stream.
    private static func segment(_ number: Int) -> String {
        func clock(_ seconds: Int) -> String {
            "00:00:\(String(seconds + 100).dropFirst()).000"
        }
        return "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n"
            + "\(clock(number * 2)) --> \(clock(number * 2 + 1))\n\(number)\n"
    }

    /// The result of a run: the texts, and the codes of diagnostics.
    private func follow(
        for duration: Duration?, stop: LiveReadingToken = LiveReadingToken(),
        _ playlist: @escaping @Sendable (_ load: Int) -> String?
    ) throws -> (texts: [String], codes: [String], waits: [Duration]) {
        let client = ScriptedFetcher { request, count in
            func answer(_ text: String) -> Result<HTTPResponse, UndertextError> {
                .success(HTTPResponse(status: 200, body: Array(text.utf8), url: request.url))
            }
            if request.url.hasSuffix("m3u8") {
                return playlist(count).map(answer) ?? .success(HTTPResponse(status: 404))
            }
            let name = request.url.dropLast(4).split(separator: "/").last ?? ""
            return Int(name).map { answer(Self.segment($0)) } ?? .success(HTTPResponse(status: 404))
        }
        let clock = NotedClock()
        var options = StreamFetchOptions()
        options.clock = clock.clock
        let presentation = try Presentation(
            StreamFetcher(client, named: Self.base + "list.m3u8", options: options))
        #expect(presentation.isLive)
        let reader = presentation.reader(for: [0], following: duration, stop: stop)
        var texts: [String] = []
        while let packet = try reader.nextPacket() {
            texts.append(String(decoding: packet.data, as: UTF8.self))
        }
        return (texts, reader.takeDiagnostics().map(\.code), clock.waits)
    }

    @Test func onlyWhatIsThereIsReadUnlessAsked() throws {
        let (texts, codes, waits) = try follow(for: nil) { _ in Self.window(3..<6) }
        #expect(texts == ["3", "4", "5"])
        #expect(codes.isEmpty)
        #expect(waits.isEmpty)
    }

    @Test func eachSegmentIsJoinedOnceUpToTheEnd() throws {
        let (texts, codes, waits) = try follow(for: .seconds(100)) { load in
            switch load {
            case 0: Self.window(3..<6)
            case 1: Self.window(4..<7)
            case 2: Self.window(4..<7)
            default: Self.window(5..<9, ended: true)
            }
        }
        #expect(texts == ["3", "4", "5", "6", "7", "8"])
        #expect(codes.isEmpty)
        // At once, then the target duration, then half of it where nothing had changed.
        #expect(waits.filter { $0 > .zero } == [.seconds(2), .seconds(1)])
    }

    @Test func followingEndsWithItsTime() throws {
        let (texts, codes, waits) = try follow(for: .seconds(10)) { load in
            Self.window(load..<load + 3)
        }
        #expect(waits.reduce(.zero, +) <= .seconds(10))
        #expect(texts.first == "0")
        #expect((5...9).contains(texts.count))
        #expect(codes.isEmpty)
    }

    /// Following stops on request: everything read so far is kept, and nothing more is awaited.
    @Test func followingEndsWhenItIsAskedTo() throws {
        let stop = LiveReadingToken()
        #expect(!stop.ask())
        let (texts, codes, waits) = try follow(for: .seconds(1000), stop: stop) { load in
            if load == 2 {
                #expect(stop.ask())
                #expect(!stop.ask())
            }
            return Self.window(load * 3..<load * 3 + 3)
        }
        #expect(stop.isAsked)
        #expect(texts == ["0", "1", "2", "3", "4", "5"])
        #expect(codes == ["time-over"])
        #expect(waits.filter { $0 > .zero } == [.seconds(2)])
    }

    /// Pending requests are not awaited when following stops.
    @Test(arguments: ["3.vtt", "m3u8"]) func followingDoesNotWaitForItsEnd(_ late: String) throws {
        let stop = LiveReadingToken()
        let client = ScriptedFetcher { request, count in
            if request.url.hasSuffix(late), late != "m3u8" || count > 0 {
                #expect(request.timeout == .seconds(10))
                #expect(stop.ask())
                return .failure(UndertextError(.cancelled, "stopped"))
            }
            let number = request.url.dropLast(4).split(separator: "/").last.flatMap { Int($0) }
            let text = number.map(Self.segment) ?? Self.window(count * 3..<count * 3 + 3)
            return .success(HTTPResponse(status: 200, body: Array(text.utf8), url: request.url))
        }
        var options = StreamFetchOptions()
        options.clock = NotedClock().clock
        options.parallel = 1
        let fetcher = StreamFetcher(client, named: Self.base + "list.m3u8", options: options)
        let reader = try Presentation(fetcher).reader(
            for: [0], following: .seconds(1000), stop: stop)
        var texts: [String] = []
        while let packet = try reader.nextPacket() {
            texts.append(String(decoding: packet.data, as: UTF8.self))
        }
        #expect(texts == ["0", "1", "2"])
        #expect(reader.takeDiagnostics().map(\.code) == ["time-over"])
        #expect(!fetcher.job.isCancelled)
    }

    @Test func playlistsOfSeveralStreamsAreLoadedAtOnce() throws {
        let asked = Monitor(0)
        let client = ScriptedFetcher { request, count in
            var text = Self.window(count..<count + 2, ended: count > 0)
            if request.url.hasSuffix("master.m3u8") { text = SamplePresentation.master(4) }
            if request.url.hasSuffix("vtt") { text = Self.segment(1) }
            if request.url.hasSuffix("m3u8"), count > 0 {
                asked.with { $0 += 1 }
                asked.wakeAll(.consumers)
                // No request is answered before four have arrived: three for subtitles, and the media or the
                // fourth.
                _ = asked.wait(.consumers, timeout: .seconds(120)) { $0 > 3 ? true : nil }
                #expect(asked.with { $0 } > 3)
            }
            return .success(HTTPResponse(status: 200, body: Array(text.utf8), url: request.url))
        }
        var options = StreamFetchOptions()
        options.clock = NotedClock().clock
        let fetcher = StreamFetcher(client, named: Self.base + "master.m3u8", options: options)
        let reader = try Presentation(fetcher).reader(for: [1, 2, 3, 4], following: .seconds(100))
        while try reader.nextPacket() != nil {}
        #expect(asked.with { $0 } == 5)
    }

    @Test func unfollowedInputsNeedNoStop() throws {
        let stop = LiveReadingToken()
        let (texts, _, _) = try follow(for: nil, stop: stop) { _ in
            #expect(!stop.ask())
            return Self.window(0..<2)
        }
        #expect(texts == ["0", "1"])
        #expect(!stop.ask())
        #expect(!stop.isAsked)
    }

    /// Many an encoder calls its first segments as it did before.
    @Test func numbersThatRunFarBackAreANewBeginning() throws {
        let (texts, codes, _) = try follow(for: .seconds(60)) { load in
            switch load {
            case 0: Self.window(0..<8)
            // An older version, as another server may have.
            case 1: Self.window(0..<6)
            case 2: Self.window(0..<2)
            default: Self.window(0..<3, ended: true)
            }
        }
        #expect(texts == (0..<8).map(String.init) + ["0", "1", "2"])
        #expect(codes == ["sequence-restarted"])
    }

    @Test func windowsThatMoveOnLoseSegments() throws {
        let (texts, codes, _) = try follow(for: .seconds(60)) { load in
            load == 0 ? Self.window(0..<3) : Self.window(10..<13, ended: true)
        }
        #expect(texts == ["0", "1", "2", "10", "11", "12"])
        #expect(codes == ["lost-segments"])
    }

    @Test func aPlaylistThatIsGoneEndsTheFollowing() throws {
        let (texts, codes, _) = try follow(for: .seconds(1000)) { load in
            load == 0 ? Self.window(0..<2) : nil
        }
        #expect(texts == ["0", "1"])
        #expect(codes == ["lost-playlist", "lost-playlist", "lost-playlist"])
    }

    @Test func aPlaylistThatNeverChangesEndsWithTheTime() throws {
        let (texts, codes, waits) = try follow(for: .seconds(30)) { _ in Self.window(0..<2) }
        #expect(texts == ["0", "1"])
        #expect(codes.isEmpty)
        #expect(waits.count <= 31)
    }

    @Test func startsOfSegmentsContinue() {
        func media(_ text: String) throws -> MediaPlaylist {
            try MediaPlaylist(PlaylistText(Array(text.utf8)))
        }
        guard let first = try? media(Self.window(7..<9)),
            let second = try? media(Self.window(8..<11)),
            let third = try? media(Self.window(14..<15))
        else {
            Issue.record("playlists cannot be read")
            return
        }
        let followed = FollowedPlaylist(first)
        let growth = followed.update(second)
        #expect(growth.segments.map(\.start) == [.seconds(4), .seconds(6)])
        #expect(growth.lost == 0)
        let late = followed.update(third)
        #expect(late.segments.map(\.start) == [.seconds(14)])
        #expect(late.lost == 3)
        #expect(!late.hasRestarted)
        // Another server, which is one version behind.
        #expect(followed.update(third).segments.isEmpty)
        // A restarted encoder: another part, after the last one.
        let anew = followed.update(first)
        #expect(anew.hasRestarted)
        #expect(anew.segments.map(\.start) == [.seconds(16), .seconds(18)])
        #expect(anew.segments.map(\.discontinuity) == [1, 1])
        #expect(followed.update(second).segments.map(\.discontinuity) == [1, 1])
    }

    @Test func breaksThatAreNotCounted() throws {
        func media(_ text: String) throws -> FollowedPlaylist {
            FollowedPlaylist(try PlaylistSamples.media("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + text))
        }
        let followed = try media(
            "#EXT-X-MEDIA-SEQUENCE:4\n#EXTINF:1,\na\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nb\n")
        let later = try media(
            "#EXT-X-MEDIA-SEQUENCE:5\n#EXTINF:1,\nb\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nc\n"
        ).media
        // The break before the window is still one.
        #expect(followed.update(later).segments.map(\.discontinuity) == [2])
        #expect(followed.segments.map(\.discontinuity) == [1, 2])
    }

    @Test func aRestartedEncoderIsFollowed() throws {
        let (texts, codes, _) = try follow(for: .seconds(100)) { load in
            switch load {
            case 0: Self.window(50..<53)
            case 1: Self.window(51..<54)
            case 2: Self.window(0..<2)
            default: Self.window(1..<4, ended: true)
            }
        }
        #expect(texts == ["50", "51", "52", "53", "0", "1", "2", "3"])
        #expect(codes == ["sequence-restarted"])
    }

    /// A part begins at the end of the previous segments, regardless of the target duration.
    @Test func timesContinueAcrossADiscontinuity() throws {
        let stretch = 9
        @Sendable func window(_ first: Int, _ suffix: String) -> String {
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(first > stretch ? 1 : 0)\n"
            for number in first..<first + 4 {
                if number == stretch { text += "#EXT-X-DISCONTINUITY\n" }
                text += "#EXTINF:1,\n\(number)\(suffix)\n"
            }
            return text + (first >= 10 ? "#EXT-X-ENDLIST\n" : "")
        }
        let client = ScriptedFetcher { request, count in
            let name = request.url.split(separator: "/").last ?? ""
            let number = Int(name.prefix { $0.isNumber }) ?? 0
            let time = number < stretch ? number : number - stretch
            let body: [UInt8]
            switch name {
            case "m.m3u8":
                body = Array(
                    """
                    #EXTM3U
                    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="E",LANGUAGE="en",URI="s.m3u8"
                    #EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="s"
                    v.m3u8
                    """.utf8)
            case "v.m3u8": body = Array(window(count, ".ts").utf8)
            case "s.m3u8": body = Array(window(count, ".vtt").utf8)
            case _ where name.hasSuffix(".ts"):
                body = FirstTimeTests.packets([(256, 0xE0, 126_000 + Int64(time) * 90_000)])
            default:
                body = Array(
                    "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:126000\n\n00:0\(time).100 --> 00:0\(time).900\n\(number)\n"
                        .utf8)
            }
            return .success(HTTPResponse(status: 200, body: body, url: request.url))
        }
        var options = StreamFetchOptions()
        options.clock = NotedClock().clock
        let presentation = try Presentation(
            StreamFetcher(client, named: Self.base + "m.m3u8", options: options))
        let reader = presentation.reader(for: [1], following: .seconds(1000))
        var starts: [Int64?] = []
        while let packet = try reader.nextPacket() {
            starts.append(packet.start?.roundedMilliseconds)
        }
        #expect(starts == (0..<14).map { $0 * 1000 + 100 })
        #expect(reader.takeDiagnostics().isEmpty)
    }
}
