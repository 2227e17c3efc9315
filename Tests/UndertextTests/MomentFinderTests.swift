import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// Drawing one moment holds what is on screen then, not a track.
@Suite struct MomentFinderTests {
    private func image(_ start: Int64, _ end: Int64, side: Int = 4) throws -> Cue {
        let bitmap = try #require(
            IndexedBitmap(
                width: side, height: side, indices: [UInt8](repeating: 0, count: side * side),
                palette: [.white]))
        return Cue(
            order: Int(start), start: .seconds(start), end: .seconds(end),
            content: .images(
                CueImages(canvas: nil, images: [PlacedBitmap(x: 0, y: 0, bitmap: bitmap)])))
    }

    private func text(_ start: Int64, _ end: Int64) -> Cue {
        Cue(
            order: Int(start), start: .seconds(start), end: .seconds(end),
            content: .text(StyledText("a")))
    }

    @Test func endsWithTheFirstCueAfterTheMoment() throws {
        var finder = MomentFinder(patience: .zero, limits: Limits(), diagnostics: DiagnosticSink())
        var taken = 0
        for second in 0..<1000 as Range<Int64> where !finder.isDone {
            taken += 1
            try finder.add(image(second, second + 1)) { $0.start >= .seconds(5) }
            #expect(finder.cues.count <= 2)
        }
        try finder.finish { _ in true }
        #expect(taken == 7)
        #expect(finder.time == .milliseconds(5500))
        #expect(finder.cues.map(\.start) == [.seconds(5)])
    }

    /// Others that are on screen in the middle of it belong to the moment.
    @Test func keepsWhatIsOnScreenWithIt() throws {
        var finder = MomentFinder(patience: .zero, limits: Limits(), diagnostics: DiagnosticSink())
        for cue in [
            try image(0, 100), try image(2, 10), try image(3, 5), try image(5, 9),
            try image(7, 8), try image(20, 21),
        ] {
            try finder.add(cue) { $0.start == .seconds(2) }
        }
        #expect(finder.isDone)
        #expect(finder.time == .seconds(6))
        #expect(finder.cues.map(\.start) == [.seconds(0), .seconds(2), .seconds(5)])
    }

    @Test func textMayComeLate() throws {
        var finder = MomentFinder(
            patience: .seconds(10), limits: Limits(), diagnostics: DiagnosticSink())
        for cue in [text(5, 6), text(3, 4), text(20, 22)] {
            try finder.add(cue) { _ in true }
        }
        #expect(finder.time == .milliseconds(3500) && finder.isDone)
        var unordered = MomentFinder(patience: nil, limits: Limits(), diagnostics: DiagnosticSink())
        for cue in [text(500, 600), text(100, 102), text(3, 4)] {
            try unordered.add(cue) { _ in true }
        }
        #expect(unordered.time == nil && unordered.cues.isEmpty)
        try unordered.finish { $0.start > .seconds(50) }
        #expect(unordered.time == .seconds(101))
    }

    /// A hundred cues that show nothing are enough; none of them is held.
    @Test func givesUp() throws {
        var finder = MomentFinder(patience: .zero, limits: Limits(), diagnostics: DiagnosticSink())
        var looked = 0
        for second in 0..<500 as Range<Int64> where !finder.isDone {
            try finder.add(image(second, second + 1)) { _ in
                looked += 1
                return false
            }
            #expect(finder.cues.count <= 2)
        }
        #expect(looked == 100 && finder.time == nil && finder.isDone)
    }

    @Test func heldContentHasALimit() throws {
        var limits = Limits()
        limits.canvas = 10
        let left = DiagnosticSink()
        var screen = ScreenCues(limits: limits, diagnostics: left)
        for second in 0..<50 as Range<Int64> { screen.add(try image(second, 100, side: 5)) }
        #expect(screen.cues.count == 8)
        #expect(left.take().map(\.code) == ["limit-exceeded"])
        #expect(left.take().isEmpty)
    }

    /// Of a file only the beginning is read.
    @Test func readsNoFurther() throws {
        let file = try Media(fixture("containers/movie.mkv"))
        let track = try #require(file.subtitleTracks.first { $0.codec == .pgs })
        let all = try track.document().cues
        var drawn: [Timestamp] = []
        let shows = { (_: SubtitleHeader, cue: Cue) throws(UndertextError) in
            drawn.append(cue.start)
            return true
        }
        let found = try track.firstMoment(diagnostics: { _ in }, shows: shows)
        #expect(drawn == [all.first?.start].compactMap { $0 })
        let time = try #require(found.time)
        #expect(
            found.document.cues.map(\.content)
                == all.filter { $0.start <= time && $0.end > time }.map(\.content))
        let same = try track.document(at: time) { _ in }
        #expect(same.cues.map(\.content) == found.document.cues.map(\.content))
    }
}
