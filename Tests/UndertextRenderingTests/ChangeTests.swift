import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// Drawing and avoiding repeated drawing.
@Suite struct ChangeTests {
    private func cue(_ text: String, _ start: Int64, _ end: Int64, _ order: Int) -> Cue {
        Cue(
            order: order, start: .milliseconds(start), end: .milliseconds(end),
            content: .text(StyledText(text)))
    }

    @Test func nothingIsDrawnTwice() throws {
        let renderer = try renderer([cue("one", 1000, 2000, 0), cue("two", 3000, 4000, 1)])
        let before = try renderer.overlay(at: .zero)
        #expect(before.isEmpty && before.changeID == 1 && renderer.drawCount == 1)
        #expect(try renderer.overlay(at: .milliseconds(999)).changeID == 1)
        let first = try renderer.overlay(at: .milliseconds(1000))
        #expect(!first.isEmpty && first.changeID == 2 && renderer.drawCount == 2)
        #expect(first.dirty.count == 1)
        for time in stride(from: Int64(1000), to: 2000, by: 40) {
            let again = try renderer.overlay(at: .milliseconds(time))
            #expect(again.changeID == 2 && again.dirty.isEmpty)
            #expect(again.pixels == first.pixels)
        }
        #expect(renderer.drawCount == 2)
        let gap = try renderer.overlay(at: .milliseconds(2000))
        #expect(gap.isEmpty && gap.changeID == 3 && gap.pixels.allSatisfy { $0 == 0 })
        #expect(gap.dirty == [first.bounds])
        #expect(try renderer.overlay(at: .milliseconds(2500)).changeID == 3)
        // A seek back shows the same again.
        #expect(try renderer.overlay(at: .milliseconds(1500)).pixels == first.pixels)
    }

    /// A player may keep overlays; those that it has released give their memory to later ones.
    @Test func overlaysThatAreKeptDoNotChange() throws {
        let cues = (0..<12).map { cue("number \($0)", Int64($0) * 100, Int64($0) * 100 + 50, $0) }
        let all = try renderer(cues)
        let times = (0..<24).map { Timestamp.milliseconds(Int64($0) * 50 + 10) }
        var kept: [Overlay] = []
        var expected: [[UInt8]] = []
        for (number, time) in times.enumerated() {
            let alone = try renderer(cues).overlay(at: time)
            let overlay = try all.overlay(at: time)
            #expect(overlay.pixels == alone.pixels && overlay.bounds == alone.bounds)
            #expect(overlay.isEmpty == (number % 2 == 1))
            // Of those in the middle only the last one is kept, as in a player.
            if (8..<16).contains(number), !kept.isEmpty {
                kept.removeLast()
                expected.removeLast()
            }
            kept.append(overlay)
            // A copy that shares nothing.
            expected.append(overlay.pixels.map { $0 })
        }
        for (overlay, pixels) in zip(kept, expected) { #expect(overlay.pixels == pixels) }
    }

    @Test func equalCuesInARow() throws {
        let renderer = try renderer([cue("one", 1000, 2000, 0), cue("one", 2000, 3000, 1)])
        let first = try renderer.overlay(at: .milliseconds(1500))
        let second = try renderer.overlay(at: .milliseconds(2500))
        #expect(second.changeID == first.changeID)
        #expect(renderer.drawCount == 1)
    }

    /// A track that was read on after a seek numbers its cues from the beginning.
    @Test func otherCuesTakeThePlaceOfTheOld() throws {
        let renderer = try renderer([cue("one", 1000, 3000, 0), cue("two", 2000, 4000, 1)])
        let before = try renderer.overlay(at: .milliseconds(2500))
        try renderer.replace([
            cue("zero", 0, 500, 0), cue("one", 1000, 3000, 1), cue("two", 2000, 4000, 2),
        ])
        let after = try renderer.overlay(at: .milliseconds(2500))
        #expect(after.pixels == before.pixels && after.bounds == before.bounds)
        #expect(after.changeID == before.changeID)
        // A cue that only one of two contents has replaced is not there twice.
        try renderer.replace([cue("one", 1000, 3000, 1), cue("two", 2000, 4000, 7)])
        #expect(try renderer.overlay(at: .milliseconds(2500)).pixels == before.pixels)
        try renderer.replace([])
        let none = try renderer.overlay(at: .milliseconds(2500))
        #expect(none.isEmpty && none.dirty == [before.bounds])
        #expect(throws: UndertextError.self) { try renderer.replace([], in: .second) }
    }

    /// Content drawn in the old style disappears, even if nothing is shown any more.
    @Test func aStyleThatIsSetWithinACueCountsInTheGap() throws {
        let renderer = try renderer([cue("one", 1000, 2000, 0), cue("two", 3000, 4000, 1)])
        let shown = try renderer.overlay(at: .milliseconds(1500))
        try renderer.setStyle(SubtitleStyle(settings: "foreground=yellow"))
        let gap = try renderer.overlay(at: .milliseconds(2500))
        #expect(gap.isEmpty && gap.pixels.allSatisfy { $0 == 0 })
        #expect(gap.dirty == [shown.bounds] && gap.changeID == shown.changeID + 1)
        // Without content, another style changes nothing.
        try renderer.setStyle(SubtitleStyle(settings: "foreground=red"))
        #expect(try renderer.overlay(at: .milliseconds(2600)).changeID == gap.changeID)
    }

    @Test func nextChanges() throws {
        let renderer = try renderer([cue("one", 1000, 2000, 0), cue("two", 1500, 4000, 1)])
        var time = Timestamp.zero
        var changes: [Int64] = []
        while let next = renderer.nextChange(after: time) {
            let before = try renderer.overlay(at: .milliseconds(next.roundedMilliseconds - 1))
            let after = try renderer.overlay(at: next)
            #expect(before.changeID != after.changeID)
            changes.append(next.roundedMilliseconds)
            time = next
        }
        #expect(changes == [1000, 1500, 2000, 4000])
    }

    @Test func timesBetweenMilliseconds() throws {
        let cue = Cue(
            start: Timestamp(nanoseconds: 1_000_400_000),
            end: Timestamp(nanoseconds: 2_000_400_000), content: .text(StyledText("one")))
        let renderer = try renderer([cue])
        #expect(try renderer.overlay(at: Timestamp(nanoseconds: 1_000_900_000)).isEmpty)
        #expect(try !renderer.overlay(at: .milliseconds(1001)).isEmpty)
        #expect(try !renderer.overlay(at: .milliseconds(2000)).isEmpty)
        #expect(try renderer.overlay(at: .milliseconds(2001)).isEmpty)
        #expect(renderer.nextChange(after: .zero) == .milliseconds(1001))
        #expect(renderer.nextChange(after: .milliseconds(1001)) == .milliseconds(2001))
    }

    @Test func cuesWhileReading() throws {
        let renderer = try renderer([])
        #expect(try renderer.overlay(at: .milliseconds(1500)).isEmpty)
        try renderer.append([cue("one", 1000, 2000, 0)])
        let shown = try renderer.overlay(at: .milliseconds(1500))
        #expect(!shown.isEmpty)
        try renderer.append([cue("one", 1000, 2000, 0), cue("two", 2000, 3000, 1)])
        #expect(try renderer.overlay(at: .milliseconds(1500)).changeID == shown.changeID)
        #expect(try !renderer.overlay(at: .milliseconds(2500)).isEmpty)
        #expect(throws: UndertextError.self) {
            try renderer.append([cue("three", 1, 2, 3)], to: .second)
        }
    }

    @Test func stylesChange() throws {
        let renderer = try renderer([cue("one", 1000, 2000, 0)])
        let usual = try renderer.overlay(at: .milliseconds(1500))
        var style = SubtitleStyle()
        style.position = .top
        try renderer.setStyle(style)
        let moved = try renderer.overlay(at: .milliseconds(1500))
        #expect(moved.changeID == usual.changeID + 1)
        #expect(moved.ink.y < 30)
        #expect(moved.dirty.count == 2)
        try renderer.setStyle(style)
        #expect(try renderer.overlay(at: .milliseconds(1500)).changeID == moved.changeID)
    }

    @Test func onlyOneOfTwoChanges() throws {
        let renderer = try OverlayRenderer(
            OverlayContent(cues: [cue("one", 0, 9000, 0)]),
            second: OverlayContent(cues: [cue("two", 1000, 2000, 0)]), geometry: small)
        let one = try renderer.overlay(at: .zero)
        let both = try renderer.overlay(at: .milliseconds(1000))
        #expect(both.dirty.count == 1)
        #expect(both.dirty[0].intersection(one.bounds).isEmpty)
        #expect(both.ink.height > 300)
    }

    @Test(arguments: [0, 8193]) func sizesHaveLimits(_ side: Int) {
        #expect(throws: UndertextError.self) {
            try OverlayRenderer(
                OverlayContent(),
                geometry: OverlayGeometry(
                    video: PixelSize(width: 640, height: 360),
                    output: PixelSize(width: side, height: 10)))
        }
    }
}
