import TestSupport
import Testing
import UndertextCore

@testable import UndertextChecks

/// Shot changes are found among small gray images, and cues are compared with them.
@Suite struct ShotChangeTests {
    /// Frames of 40 ms; shots of noise that moves a little.
    private func changes(
        _ shots: [Int], flashAt flash: Int? = nil, motion: Int = 2, sparse: Bool = false
    ) -> [Int] {
        var generator = SeededGenerator(seed: 1)
        var detector = ShotChangeDetector(isSparse: sparse)
        var frame = 0
        for length in shots {
            let base = (0..<64 * 36).map { _ in Int.random(in: 20...230, using: &generator) }
            for _ in 0..<length {
                var luma = base.map {
                    UInt8(
                        clamping: $0 + Int.random(in: -motion...motion, using: &generator))
                }
                if frame == flash { luma = luma.map { _ in 255 } }
                detector.add(luma, at: .milliseconds(Int64(frame) * 40))
                frame += 1
            }
        }
        detector.finish()
        return detector.changes.map { Int($0.roundedMilliseconds / 40) }
    }

    @Test func eachShotIsFound() {
        #expect(changes([30, 12, 50, 7, 25]) == [30, 42, 92, 99])
        #expect(changes([30, 30], motion: 12) == [30])
        #expect(changes([100]).isEmpty)
        #expect(changes([1]).isEmpty)
        #expect(changes([5, 2]) == [5])
        // Of key frames each that differs is a change.
        #expect(changes([2, 1, 1, 3], sparse: true) == [2, 3, 4])
    }

    @Test func aFlashIsNoShot() { #expect(changes([40, 40], flashAt: 20) == [40]) }

    @Test func aFadeIsNoShot() {
        var detector = ShotChangeDetector()
        for frame in 0..<60 {
            detector.add(
                [UInt8](repeating: UInt8(frame * 4), count: 100),
                at: .milliseconds(Int64(frame) * 40))
        }
        detector.finish()
        #expect(detector.changes.isEmpty)
    }

    @Test func framesWithoutSenseAreIgnored() {
        var detector = ShotChangeDetector()
        detector.add([], at: .zero)
        detector.add([], at: Timestamp(nanoseconds: .max))
        detector.add([1, 2], at: Timestamp(nanoseconds: .min))
        detector.finish()
        #expect(detector.changes.isEmpty)
        var empty = ShotChangeDetector()
        empty.finish()
        #expect(empty.changes.isEmpty)
    }

    private func findings(
        _ times: [(Int64, Int64)], changes: [Int64]?
    ) throws -> [(rule: CheckRule, cue: Int?)] {
        var track = TrackCheck.Track()
        track.language = LanguageTag("en")
        track.shotChanges = changes?.map { .milliseconds($0) }
        var check = TrackCheck(try CheckProfile.builtIn("netflix"), of: track)
        let cues = times.enumerated().map { index, time in
            CheckedCue(
                Cue(
                    order: index, start: .milliseconds(time.0), end: .milliseconds(time.1),
                    content: .text(StyledText("A sentence."))))
        }
        return check.check(cues).findings.map { ($0.rule, $0.cue) }.filter {
            [.shotChangeStart, .shotChangeEnd].contains($0.rule)
        }
    }

    @Test func startsAndEndsNearAChangeAreFound() throws {
        // 24 frames a second: two frames are 83 ms, and half a second is twelve.
        #expect(try findings([(1000, 2917)], changes: [1000, 3000]).isEmpty)
        #expect(try findings([(1010, 2925)], changes: [1000, 3000]).isEmpty)
        #expect(try findings([(1500, 2500)], changes: [1000, 3000]).isEmpty)
        let start = try findings([(1200, 2500)], changes: [1000, 3000])
        #expect(start.map(\.rule) == [.shotChangeStart] && start.map(\.cue) == [1])
        #expect(try findings([(800, 2500)], changes: [1000]).map(\.rule) == [.shotChangeStart])
        for end in [2600, 2800, 2990, 3000, 3100, 3400] as [Int64] {
            #expect(
                try findings([(1000, end)], changes: [1000, 3000]).map(\.rule) == [.shotChangeEnd],
                "\(end)")
        }
        #expect(try findings([(1200, 2990)], changes: nil).isEmpty)
        #expect(try findings([(1200, 2990)], changes: []).isEmpty)
    }
}
