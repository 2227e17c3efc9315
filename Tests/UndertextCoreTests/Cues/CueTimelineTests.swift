import TestSupport
import Testing
import UndertextCore

private func cue(_ start: Int64, _ end: Int64, order: Int = 0, layer: Int = 0) -> Cue {
    Cue(
        order: order, start: .seconds(start), end: .seconds(end), layer: layer,
        content: .text(StyledText("\(start) to \(end), \(order)")))
}

@Test func halfOpenIntervals() {
    var timeline = CueTimeline()
    timeline.insert(cue(1, 3))
    #expect(timeline.cues(at: .milliseconds(999)).isEmpty)
    #expect(timeline.cues(at: .seconds(1)).count == 1)
    #expect(timeline.cues(at: .milliseconds(2999)).count == 1)
    #expect(timeline.cues(at: .seconds(3)).isEmpty)
    #expect(timeline.nextChange(after: .zero) == .seconds(1))
    #expect(timeline.nextChange(after: .seconds(1)) == .seconds(3))
    #expect(timeline.nextChange(after: .seconds(3)) == nil)
    #expect(timeline.previousChange(before: .seconds(9)) == .seconds(3))
    #expect(timeline.previousChange(before: .seconds(3)) == .seconds(1))
    #expect(timeline.previousChange(before: .seconds(1)) == nil)
}

@Test func drawingOrderIsLayerThenStartThenOrder() {
    let cues = [
        cue(0, 9, order: 0, layer: 1), cue(1, 9, order: 2), cue(1, 9, order: 1),
        cue(2, 9, order: 3, layer: -1),
    ]
    #expect(CueTimeline(cues).cues(at: .seconds(5)).map(\.order) == [3, 1, 2, 0])
}

@Test func generationChangesOnlyWithTheContent() {
    var timeline = CueTimeline()
    #expect(timeline.generation == 0)
    timeline.insert(cue(3, 3))
    timeline.insert(contentsOf: [cue(4, 2)])
    timeline.discard(before: .seconds(100))
    #expect(timeline.generation == 0)
    timeline.insert(cue(1, 2))
    let first = timeline.generation
    #expect(first != 0)
    timeline.insert(cue(1, 2))
    timeline.insert(contentsOf: [cue(1, 2)])
    timeline.discard(before: .milliseconds(1999))
    #expect(timeline.generation == first)
    #expect(timeline.count == 1)
    timeline.discard(before: .seconds(2))
    #expect(timeline.generation != first)
    #expect(timeline.isEmpty)
}

@Test func equalCuesAreStoredOnce() {
    let cues = [cue(1, 2), cue(1, 3), cue(1, 2), cue(1, 2), cue(1, 3), cue(0, 5)]
    #expect(CueTimeline(cues).count == 3)
    var timeline = CueTimeline()
    for cue in cues { timeline.insert(cue) }
    #expect(timeline.count == 3)
    #expect(timeline == CueTimeline(cues))
}

@Test(arguments: 1...12)
func answersEqualThoseOfASearch(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var timeline = CueTimeline()
    var model: [Cue] = []
    for step in 0..<120 {
        let start = Int64.random(in: 0..<40, using: &generator)
        let length = Int64.random(in: 0..<(step % 10 == 0 ? 30 : 4), using: &generator)
        let new = cue(
            start, start + length, order: step, layer: Int.random(in: 0...2, using: &generator))
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
            let time = Timestamp.seconds(Int64.random(in: 0..<20, using: &generator))
            timeline.discard(before: time)
            model.removeAll { $0.end <= time }
        case 1...4:
            let other = cue(start / 2, start / 2 + 1, order: step + 1000)
            timeline.insert(contentsOf: [new, other])
            model += [new, other].filter { $0.end > $0.start }
        default:
            timeline.insert(new)
            if new.end > new.start { model.append(new) }
        }
        if step % 6 == 0 { check(timeline, against: model) }
    }
}

private func check(_ timeline: CueTimeline, against model: [Cue]) {
    #expect(timeline.count == model.count)
    let changes = model.flatMap { [$0.start, $0.end] }
    var wrong: [Timestamp] = []
    for half in 0..<160 {
        let time = Timestamp.milliseconds(Int64(half) * 500 - 1000)
        let expected = model.filter { $0.start <= time && time < $0.end }
            .sorted { ($0.layer, $0.start, $0.order) < ($1.layer, $1.start, $1.order) }
        let agrees =
            timeline.cues(at: time).map(\.order) == expected.map(\.order)
            && timeline.nextChange(after: time) == changes.filter { $0 > time }.min()
            && timeline.previousChange(before: time) == changes.filter { $0 < time }.max()
        if !agrees { wrong.append(time) }
    }
    #expect(wrong.isEmpty)
}

@Test func manyCuesInAnyOrder() {
    let count: Int64 = 20_000
    var timeline = CueTimeline()
    for index in 0..<count { timeline.insert(cue(index, index + 2, order: Int(index))) }
    #expect(timeline.cues(at: .seconds(777)).map(\.order) == [776, 777])
    let shuffled = (0..<count).reversed().map { cue($0, $0 + 2, order: Int($0)) }
    #expect(CueTimeline(shuffled) == timeline)
    timeline.discard(before: .seconds(count))
    #expect(timeline.count == 1)
    timeline.removeAll()
    #expect(timeline.isEmpty)
}

/// A hundred thousand cues, of which some overlap many others: as a search through all of them.
@Test(arguments: [UInt64(1), 2])
func hundredThousandCues(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = 100_000
    var cues: [Cue] = []
    var spans: [(start: Int64, end: Int64)] = []
    for order in 0..<count {
        let start = Int64.random(in: 0..<3_000_000, using: &generator)
        let isLong = Int.random(in: 0..<1000, using: &generator) == 0
        let length = Int64.random(in: 1..<(isLong ? 600_000 : 300), using: &generator)
        spans.append((start, start + length))
        cues.append(
            Cue(
                order: order, start: .milliseconds(start), end: .milliseconds(start + length),
                content: .text(StyledText("x"))))
    }
    let timeline = CueTimeline(cues)
    #expect(timeline.count == count)
    var wrong = 0
    for _ in 0..<40 {
        // At the ends of cues as well as anywhere.
        let span = spans[Int.random(in: 0..<count, using: &generator)]
        let offset = Int64.random(in: -1...1, using: &generator)
        let time = [span.start, span.end].randomElement(using: &generator).map { $0 + offset } ?? 0
        var expected: [Int] = []
        var next = Int64.max
        for (order, span) in spans.enumerated() {
            if span.start <= time, time < span.end { expected.append(order) }
            if span.start > time { next = min(next, span.start) }
            if span.end > time { next = min(next, span.end) }
        }
        let found = timeline.cues(at: .milliseconds(time)).map(\.order)
        let change = timeline.nextChange(after: .milliseconds(time))
        if found.sorted() != expected || change != (next == .max ? nil : .milliseconds(next)) {
            wrong += 1
        }
    }
    #expect(wrong == 0)
}
