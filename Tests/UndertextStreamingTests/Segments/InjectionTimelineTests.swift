import TestSupport
import Testing
import UndertextCore

@testable import UndertextStreaming

@Suite struct InjectionTimelineTests {
    /// A window of a live playlist whose segments have ten seconds.
    private static func window(
        _ first: Int, count: Int = 3, breaks: Int = 0, dates: Int? = nil, ended: Bool = false,
        names: String = "", length: String = "10.0"
    ) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(breaks)\n"
        for number in first..<first + count {
            if let dates {
                let minute = dates + number / 6
                text += "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:\(minute / 10)\(minute % 10):"
                text += "\(number % 6)0.5Z\n"
            }
            text += "#EXTINF:\(length),\n\(names)\(number).ts\n"
        }
        return try PlaylistSamples.media(text + (ended ? "#EXT-X-ENDLIST\n" : ""))
    }

    private static func starts(_ timeline: InjectionTimeline) -> [Int64] {
        timeline.media.segments.map { $0.start.roundedMilliseconds / 1000 }
    }

    @Test func segmentsKeepTheirPlaces() throws {
        var timeline = InjectionTimeline(try Self.window(100))
        #expect(Self.starts(timeline) == [0, 10, 20])
        timeline.update(try Self.window(102))
        #expect(Self.starts(timeline) == [20, 30, 40])
        // The next one follows without a common one.
        timeline.update(try Self.window(105))
        #expect(Self.starts(timeline) == [50, 60, 70])
        // An older version, as another server may have.
        timeline.update(try Self.window(104))
        #expect(Self.starts(timeline) == [40, 50, 60])
        // One that shows nothing.
        timeline.update(try Self.window(106, count: 0))
        #expect(Self.starts(timeline) == [40, 50, 60])
        #expect(timeline.takeDiagnostics().isEmpty)
        // A segment that left the window is available for a while.
        #expect(timeline.segment(numbered: 103)?.start == .seconds(30))
        #expect(timeline.segment(numbered: 106)?.start == .seconds(60))
        #expect(timeline.segment(numbered: 99) == nil)
        #expect(timeline.segment(numbered: 107) == nil)
    }

    @Test func unseenSegmentsAreEstimated() throws {
        var timeline = InjectionTimeline(try Self.window(0))
        timeline.update(try Self.window(10))
        #expect(Self.starts(timeline) == [100, 110, 120])
        #expect(timeline.takeDiagnostics().map(\.code) == ["window-jumped"])
        // By dates it is known.
        var dated = InjectionTimeline(try Self.window(0, dates: 0))
        dated.update(try Self.window(12, dates: 1))
        #expect(Self.starts(dated) == [180, 190, 200])
        #expect(dated.takeDiagnostics().isEmpty)
    }

    @Test(arguments: [126_000, (1 << 33) - 90_000] as [Int64])
    func theClockDeterminesTheLengthOfAGap(_ first: Int64) throws {
        func jumped(_ pts: Int64, breaks: Int = 0) throws -> InjectionTimeline {
            var timeline = InjectionTimeline(try Self.window(0))
            timeline.setClock(first, of: timeline.media.segments[0])
            timeline.update(try Self.window(20, breaks: breaks))
            let segment = try #require(timeline.segmentsWithoutClock.first)
            #expect(segment.sequence == 20)
            timeline.setClock(pts, of: segment)
            return timeline
        }
        // Segments that are shorter than they may be.
        var timeline = try jumped(first + 100 * 90_000)
        #expect(Self.starts(timeline) == [100, 110, 120])
        #expect(timeline.clock(of: timeline.media.segments[0])?.start == .seconds(100))
        #expect(timeline.takeDiagnostics().isEmpty)
        // A different clock: neither far away, nor after a discontinuity that was counted.
        var other = try jumped(first + 5000 * 90_000)
        #expect(Self.starts(other) == [200, 210, 220])
        #expect(other.takeDiagnostics().map(\.code) == ["window-jumped"])
        var broken = try jumped(first + 100 * 90_000, breaks: 1)
        #expect(Self.starts(broken) == [200, 210, 220])
        #expect(broken.takeDiagnostics().map(\.code) == ["window-jumped"])
    }

    @Test func aClockThatIsReadLateMovesLaterSegments() throws {
        var timeline = InjectionTimeline(try Self.window(0))
        timeline.setClock(0, of: timeline.media.segments[0])
        timeline.update(try Self.window(20))
        #expect(timeline.takeDiagnostics().map(\.code) == ["window-jumped"])
        timeline.update(try Self.window(22))
        timeline.setClock(120 * 90_000, of: timeline.media.segments[0])
        #expect(Self.starts(timeline) == [120, 130, 140])
        #expect(timeline.segment(numbered: 20)?.start == .seconds(100))
        #expect(timeline.segment(numbered: 2)?.start == .seconds(20))
        #expect(timeline.takeDiagnostics().isEmpty)
    }

    @Test func numbersThatRestart() throws {
        var timeline = InjectionTimeline(try Self.window(100))
        timeline.setClock(126_000, of: timeline.media.segments[0])
        timeline.update(try Self.window(0))
        #expect(Self.starts(timeline) == [30, 40, 50])
        #expect(timeline.takeDiagnostics().map(\.code) == ["sequence-restarted"])
        #expect(timeline.segmentsWithoutClock.map(\.sequence) == [0])
    }

    /// Another encoder with the same numbers as the previous one.
    @Test func numbersThatRestartWithinTheWindow() throws {
        func update(_ first: MediaPlaylist, _ later: MediaPlaylist) -> InjectionTimeline {
            var timeline = InjectionTimeline(first)
            timeline.setClock(126_000, of: timeline.media.segments[0])
            timeline.update(later)
            return timeline
        }
        let old = try Self.window(2)
        for later in [
            try Self.window(0, names: "b"), try Self.window(0, length: "9.5"),
            try Self.window(3, names: "b/"),
        ] {
            var timeline = update(old, later)
            #expect(Self.starts(timeline).first == 30)
            #expect(timeline.generation == 1)
            #expect(timeline.takeDiagnostics().map(\.code) == ["sequence-restarted"])
            #expect(timeline.segmentsWithoutClock.count == 1)
        }
        // A query and a rounded length change nothing.
        let same = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:4\n"
                + "#EXTINF:10.02,\n4.ts?token=x\n#EXTINF:10,\n5.ts?token=x\n")
        var timeline = update(old, same)
        #expect(Self.starts(timeline) == [20, 30])
        #expect(timeline.generation == 0)
        #expect(timeline.takeDiagnostics().isEmpty)
        // Dates decide: names may hold what changes, and the same names be used again.
        let dated = try Self.window(2, dates: 0)
        timeline = update(dated, try Self.window(3, dates: 0, names: "b"))
        #expect(Self.starts(timeline) == [10, 20, 30])
        #expect(timeline.generation == 0)
        timeline = update(dated, try Self.window(0, dates: 2))
        #expect(Self.starts(timeline) == [100, 110, 120])
        #expect(timeline.generation == 1)
    }

    @Test func aTargetDurationFarAboveTheSegmentsIsNone() throws {
        func target(_ text: String) throws -> Duration? {
            try PlaylistSamples.media("#EXTM3U\n" + text).plausibleTargetDuration
        }
        #expect(
            try target("#EXT-X-TARGETDURATION:4294967296\n#EXTINF:4,\na\n#EXTINF:5,\nb\n")
                == .seconds(5))
        #expect(try target("#EXT-X-TARGETDURATION:10\n#EXTINF:4,\na\n") == .seconds(10))
        #expect(try target("#EXT-X-TARGETDURATION:10\n") == .seconds(10))
        #expect(try target("#EXTINF:4,\na\n") == nil)
    }

    @Test func aDateIsZero() throws {
        let date = try #require(ISO8601.date("2026-01-01T00:00:15.5Z"))
        var timeline = InjectionTimeline(try Self.window(0, dates: 0), zeroDate: date)
        #expect(timeline.media.segments.map(\.start) == [-15, -5, 5].map { .seconds($0) })
        timeline.update(try Self.window(2, dates: 0))
        #expect(timeline.media.segments.first?.start == .seconds(5))
        var without = InjectionTimeline(try Self.window(0), zeroDate: date)
        #expect(without.takeDiagnostics().map(\.code) == ["no-date"])
        #expect(Self.starts(without) == [0, 10, 20])
        // The clock of a segment before zero is reported for zero.
        timeline = InjectionTimeline(try Self.window(0, dates: 0), zeroDate: date)
        timeline.setClock(900_000, of: timeline.media.segments[0])
        let map = try #require(timeline.clock(of: timeline.media.segments[1])).map
        #expect(map == TimestampMap(local: .zero, mpegTS: 900_000 + 15 * 90_000))
    }

    @Test func clocksAreThoseOfStretches() throws {
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:5
            #EXT-X-DISCONTINUITY-SEQUENCE:2
            #EXTINF:4,
            a.ts
            #EXTINF:4,
            b.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-GAP
            #EXTINF:4,
            c.ts
            #EXTINF:4,
            d.ts
            """
        var timeline = InjectionTimeline(try PlaylistSamples.media(text))
        #expect(timeline.segmentsWithoutClock.map(\.uri) == ["a.ts", "d.ts"])
        for segment in timeline.segmentsWithoutClock { timeline.setClock(90_000, of: segment) }
        #expect(timeline.segmentsWithoutClock.isEmpty)
        #expect(timeline.clock(of: timeline.media.segments[1])?.start == .zero)
        #expect(timeline.clock(of: timeline.media.segments[2])?.start == .seconds(12))
    }

    /// A playlist that does not state the number of discontinuities that left its window.
    @Test func breaksThatAreNotCounted() throws {
        func window(_ first: Int, _ breaks: Set<Int>) throws -> MediaPlaylist {
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            for number in first..<first + 3 {
                if breaks.contains(number) { text += "#EXT-X-DISCONTINUITY\n" }
                text += "#EXTINF:4,\n\(number).ts\n"
            }
            return try PlaylistSamples.media(text)
        }
        var timeline = InjectionTimeline(try window(0, [2]))
        timeline.setClock(1000, of: timeline.media.segments[0])
        timeline.setClock(2000, of: timeline.media.segments[2])
        // The break has left, and another one comes.
        timeline.update(try window(2, [4]))
        #expect(timeline.media.segments.map(\.discontinuity) == [0, 0, 1])
        #expect(timeline.clock(of: timeline.media.segments[0])?.firstPTS == 2000)
        #expect(timeline.segmentsWithoutClock.map(\.sequence) == [4])
        timeline.setClock(3000, of: timeline.media.segments[2])
        let gone = try #require(timeline.segment(numbered: 1))
        #expect(timeline.clock(of: gone)?.firstPTS == 1000)
        timeline.update(try window(4, []))
        #expect(timeline.segmentsWithoutClock.isEmpty)
        #expect(timeline.clock(of: timeline.media.segments[2])?.firstPTS == 3000)
    }

    @Test func datesAreWritten() throws {
        for text in [
            "2026-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z", "1969-12-31T23:59:59.500Z",
            "2000-03-01T12:34:56.007Z", "1970-01-01T00:00:00.000Z", "2100-02-28T01:02:03.004Z",
        ] {
            #expect(ISO8601.text(try #require(ISO8601.date(text))) == text)
        }
        _ = ISO8601.text(Timestamp(nanoseconds: .min))
        _ = ISO8601.text(Timestamp(nanoseconds: .max))
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let time = Timestamp.milliseconds(
                .random(in: -9_000_000_000_000..<9_000_000_000_000, using: &generator))
            #expect(ISO8601.date(ISO8601.text(time)) == time)
        }
    }
}
