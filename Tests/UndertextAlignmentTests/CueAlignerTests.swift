import TestSupport
import Testing
import UndertextCore

@testable import UndertextAlignment

/// Changed copies of invented films get their times back.
@Suite("Alignment of cues")
struct CueAlignerTests {
    /// A small range, so that builds without optimization search it in a moment.
    private static let near: AlignmentOptions = {
        var options = AlignmentOptions()
        options.largestOffset = .seconds(125)
        return options
    }()

    private func align(
        _ copy: [InventedFilm.Copy], _ film: InventedFilm, _ options: AlignmentOptions = near
    ) throws -> Alignment {
        try #require(CueAligner(copy.map(\.time), to: film.times, options: options).align())
    }

    @Test("an offset is found to the millisecond", arguments: [-119_750, 40] as [Int64])
    func offset(milliseconds: Int64) throws {
        var film = InventedFilm(cues: 100, seed: 1)
        let copy = film.copy(Retiming(shift: .milliseconds(milliseconds)))
        let found = try align(copy, film)
        #expect(found.speed == TimeBase(1, 1))
        #expect(found.segments.map(\.offset) == [.milliseconds(milliseconds)])
        #expect(found.confidence > 0.99)
        #expect(found.matched == found.cues && found.cues == copy.count)
        #expect(found.displaced == 0 && found.uncovered == 0)
    }

    @Test("changes of frame rates are found exactly", arguments: FrameRateChange.usual.prefix(3))
    func usualSpeeds(change: FrameRateChange) throws {
        var film = InventedFilm(cues: 140, seed: 2)
        let wanted = Retiming(speed: change.speed, shift: .milliseconds(7_300))
        let copy = film.copy(wanted)
        let found = try align(copy, film)
        #expect(found.speed == change.speed)
        #expect(copy.share(within: 20, by: found.retiming) == 1)
        #expect(found.confidence > 0.99)
    }

    @Test("any other speed is found, too", arguments: [TimeBase(1013, 1000)])
    func freeSpeeds(speed: TimeBase) throws {
        var film = InventedFilm(cues: 140, seed: 3)
        let copy = film.copy(Retiming(speed: speed, shift: .milliseconds(-4_000)))
        let found = try align(copy, film)
        #expect(copy.share(within: 100, by: found.retiming) > 0.98)
        #expect(found.confidence > 0.9)
    }

    @Test("breaks are found between the right cues")
    func breaks() throws {
        var film = InventedFilm(cues: 300, seed: 4)
        // The copy has advertisements that the film has not, then lacks a scene.
        let (first, second) = (film.times[90].lowerBound, film.times[200].lowerBound)
        let shifts: [Duration] = [.seconds(3), .seconds(-57), .seconds(-39)]
        film.times.removeAll { time in
            time.lowerBound >= second && time.lowerBound < second.advanced(by: .seconds(18))
        }
        let wanted = Retiming(
            shift: shifts[0],
            breaks: [
                .init(
                    from: first.advanced(by: .zero - shifts[1]).advanced(by: .milliseconds(-1)),
                    shift: shifts[1]),
                .init(
                    from: second.advanced(by: .zero - shifts[1]).advanced(by: .milliseconds(-1)),
                    shift: shifts[2]),
            ])
        let copy = film.copy(wanted)
        let found = try align(copy, film)
        #expect(found.segments.map(\.offset) == shifts)
        #expect(copy.share(within: 10, by: found.retiming) == 1)
        #expect(found.segments.map(\.cues).reduce(0, +) == copy.count)
        #expect(zip(found.segments, found.segments.dropFirst()).allSatisfy { $0.to == $1.from })
        var options = Self.near
        options.allowsBreaks = false
        #expect(try align(copy, film, options).segments.count == 1)
    }

    @Test("missing and split cues and noise do no harm")
    func damage() throws {
        var film = InventedFilm(cues: 300, seed: 5)
        let speed = try Retiming.speed(parsing: "25:23.976")
        let copy = film.copy(
            Retiming(speed: speed, shift: .seconds(-31)), missing: 25, split: 25, noise: 300)
        let found = try align(copy, film)
        #expect(found.speed == speed)
        #expect(copy.share(within: 100, by: found.retiming) > 0.98)
        #expect(found.confidence > 0.95)
    }

    /// Of a reference with forced cues only, its cues are searched in the subtitle.
    @Test("a reference may have few cues")
    func sparseReference() throws {
        var film = InventedFilm(cues: 300, seed: 6)
        let copy = film.copy(Retiming(shift: .milliseconds(12_345)))
        film.times = film.times.enumerated().filter { $0.offset % 9 == 4 }.map(\.element)
        let found = try align(copy, film)
        #expect(copy.share(within: 20, by: found.retiming) == 1)
        #expect(found.confidence > 0.9)
        #expect(found.uncovered > 0)
    }

    @Test(
        "films that do not belong together have a low confidence",
        arguments: [11, 12] as [UInt64])
    func unrelated(seed: UInt64) throws {
        let (one, other) = (
            InventedFilm(cues: 120, seed: seed), InventedFilm(cues: 150, seed: seed + 100)
        )
        let found = CueAligner(one.times, to: other.times, options: Self.near).align()
        #expect(try #require(found).confidence < 0.5)
    }

    @Test("a fixed speed is kept, and offsets beyond the largest one are not searched")
    func limits() throws {
        var film = InventedFilm(cues: 120, seed: 7)
        let copy = film.copy(Retiming(shift: .seconds(60)))
        var options = Self.near
        options.speeds = .fixed(TimeBase(25, 24))
        #expect(try align(copy, film, options).speed == TimeBase(25, 24))
        options.speeds = .fixed(TimeBase(30, 1))
        #expect(try align(copy, film, options).speed == TimeBase(30, 1))
        options.speeds = .fixed(TimeBase(1, 1))
        options.largestOffset = .seconds(30)
        #expect(try align(copy, film, options).confidence < 0.5)
        options.largestOffset = .seconds(61)
        #expect(try align(copy, film, options).confidence > 0.99)
    }

    // MARK: Hostile input

    @Test("too few cues are not compared")
    func fewCues() {
        let film = InventedFilm(cues: 50, seed: 8)
        #expect(CueAligner([], to: film.times).align() == nil)
        #expect(CueAligner(film.times, to: []).align() == nil)
        #expect(CueAligner(Array(film.times.prefix(2)), to: film.times).align() == nil)
        // All at one time are one.
        #expect(
            CueAligner(Array(repeating: film.times[0], count: 5000), to: film.times).align() == nil)
    }

    @Test("extreme times neither trap nor take long")
    func extremeTimes() throws {
        let film = InventedFilm(cues: 60, seed: 9)
        let (least, largest) = (Timestamp(nanoseconds: .min), Timestamp(nanoseconds: .max))
        let hours = (0..<40).map { Timestamp.seconds($0 * 90_000)..<Timestamp.seconds($0 * 90_000) }
        let hostile: [[Range<Timestamp>]] = [
            [least..<largest] + film.times + [largest..<largest],
            // No length, and a day between them.
            hours,
            // Every cue to the end of everything.
            film.times.map { $0.lowerBound..<largest },
            film.times.reversed(),
            // Ends that jump back and forth.
            (0..<300).map { index in
                let start = Timestamp.milliseconds(Int64(index) * 30)
                return start..<start.advanced(by: index % 2 == 0 ? .seconds(80) : .milliseconds(1))
            },
        ]
        for subtitle in hostile {
            for reference in [hostile[1], hostile[4], film.times] {
                let found = CueAligner(subtitle, to: reference, options: Self.near).align()
                guard let found else { continue }
                #expect((0...1).contains(found.confidence))
                #expect(!found.segments.isEmpty)
            }
        }
        let found = try #require(CueAligner(hostile[0], to: film.times).align())
        #expect(found.segments.map(\.offset) == [.zero] && found.confidence > 0.99)
    }

    @Test("random times neither trap nor are believed")
    func randomTimes() {
        var generator = SeededGenerator(seed: 10)
        for _ in 0..<4 {
            let lists = (0..<2).map { _ in
                (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
                    let start = Timestamp(
                        nanoseconds: Int64.random(in: .min ... .max, using: &generator)
                            >> Int64.random(in: 0..<40, using: &generator))
                    return
                        start..<start.advanced(
                            by: .milliseconds(Int64.random(in: 0...100_000, using: &generator)))
                }
            }
            let found = CueAligner(lists[0], to: lists[1], options: Self.near).align()
            #expect((found?.confidence ?? 0) < 0.8)
        }
    }
}

@Suite("Exponential function and logarithm")
struct ExponentialTests {
    @Test func values() {
        for (value, result) in [
            (0, 1), (1, 2.718281828459045), (-3.5, 0.0301973834223185), (20, 485165195.40979),
        ] {
            #expect(abs(exp(value) / result - 1) < 1e-11)
            #expect(abs(log(result) - value) < 1e-8)
        }
        #expect(exp(-1e9) == 0 && exp(1e9) == .infinity && log(0) == -.infinity)
    }
}
