import TestSupport
import Testing
import Undertext
import UndertextCore

@testable import UndertextPlayback

/// A track whose cues are read in pieces.
struct PiecedTrack {
    let cues: [Cue]
    private let timeline: CueTimeline

    init(count: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var start: Int64 = 1000
        let made = (0..<count).map { order in
            start += Int64.random(in: 0...4000, using: &generator)
            let length = Int64.random(in: 1...9000, using: &generator)
            return Cue(
                order: order, start: .milliseconds(start), end: .milliseconds(start + length),
                layer: Int.random(in: 0...1, using: &generator),
                content: .text(StyledText("\(order)")))
        }
        cues = made
        timeline = CueTimeline(made)
    }

    /// The cues that a reader of a window returns, numbered from its own beginning.
    func window(from start: Timestamp, until end: Timestamp = .distantFuture) -> [Cue] {
        cues.filter { $0.end > start && $0.start < end }.enumerated().map { order, cue in
            var cue = cue
            cue.order = order
            return cue
        }
    }

    func shown(at time: Timestamp) -> [String] {
        Self.texts(timeline.cues(at: time))
    }

    static func texts(_ cues: [Cue]) -> [String] { cues.compactMap(\.plainText) }
}

@Suite struct LoadedCueRangesTests {
    let track = PiecedTrack(count: 400, seed: 5)
    let beginning = LoadedCueRanges.beginning

    /// Reads from a place until so much is known, in batches.
    private func read(
        _ stretches: inout LoadedCueRanges, from start: Timestamp, until limit: Timestamp,
        batch: Int = 7
    ) {
        let until = stretches.nextStart(after: start)
        stretches.begin(at: start)
        var place = start
        var rest = track.window(from: start, until: until ?? .distantFuture)[...]
        while place < limit {
            let part = Array(rest.prefix(batch))
            rest = rest.dropFirst(batch)
            place = stretches.add(
                part, at: place, joint: start,
                knownUntil: rest.isEmpty ? until ?? .distantFuture : nil)
            if rest.isEmpty { break }
        }
    }

    private func check(_ stretches: LoadedCueRanges) {
        var wrong: [Int64] = []
        for second in 0..<Int64(150) {
            let time = Timestamp.milliseconds(second * 6007)
            guard stretches.knownEnd(from: time) != nil else { continue }
            if PiecedTrack.texts(stretches.cues(at: time)) != track.shown(at: time) {
                wrong.append(second)
            }
        }
        #expect(wrong.isEmpty)
        let all = stretches.cues
        #expect(Set(all.map(\.plainText)).count == all.count, "a cue is there twice")
        #expect(all == all.sorted { $0.start < $1.start } || stretches.stretches.count > 1)
    }

    @Test func readInOneGo() {
        var stretches = LoadedCueRanges()
        read(&stretches, from: beginning, until: .distantFuture)
        #expect(stretches.isComplete)
        #expect(stretches.cues == track.cues)
        #expect(stretches.epoch == 0, "cues only came at the end")
        check(stretches)
    }

    @Test(arguments: 1...12)
    func piecesInAnyOrder(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var stretches = LoadedCueRanges()
        for _ in 0..<25 {
            let start = Timestamp.milliseconds(Int64.random(in: 0...900_000, using: &generator))
            let begin = stretches.knownEnd(from: start) ?? start
            guard begin < .distantFuture else { continue }
            let length = Duration.seconds(Int64.random(in: 1...60, using: &generator))
            read(&stretches, from: begin, until: begin.advanced(by: length))
            if Int.random(in: 0..<3, using: &generator) == 0,
                let end = stretches.knownEnd(from: begin)
            {
                stretches.retreat(from: end, by: .seconds(10))
            }
            if Int.random(in: 0..<6, using: &generator) == 0 {
                stretches.shrink(to: 10_000, around: start, keeping: .seconds(5))
            }
            check(stretches)
        }
        // Missing parts are read eventually, and the result equals one complete reading.
        for _ in 0..<200 where !stretches.isComplete {
            let first = stretches.stretches.first
            let start =
                first.map { $0.start > beginning ? beginning : $0.end } ?? beginning
            read(&stretches, from: start, until: .distantFuture)
        }
        check(stretches)
        #expect(stretches.isComplete)
        #expect(PiecedTrack.texts(stretches.cues) == PiecedTrack.texts(track.cues))
    }

    @Test func imagesSentAgainAreThereOnce() throws {
        let bitmap = try #require(
            IndexedBitmap(width: 1, height: 1, indices: [0], palette: [.white]))
        func cue(_ start: Int64, _ end: Int64) -> Cue {
            Cue(
                start: .seconds(start), end: .seconds(end),
                content: .images(
                    CueImages(
                        canvas: nil, images: [PlacedBitmap(x: 0, y: 0, bitmap: bitmap)])))
        }
        var stretches = LoadedCueRanges()
        // A reader that begins at 20 s sees only that the image was sent again then.
        stretches.begin(at: .seconds(20))
        _ = stretches.add(
            [cue(20, 30), cue(40, 50)], at: .seconds(20), joint: .seconds(20),
            knownUntil: .distantFuture)
        stretches.begin(at: beginning)
        let end = stretches.add(
            [cue(10, 30)], at: beginning, joint: beginning, knownUntil: .seconds(20))
        #expect(end == .distantFuture)
        #expect(stretches.isComplete)
        #expect(stretches.cues.map(\.start) == [.seconds(10), .seconds(40)])
    }

    @Test func thereAreNeverVeryManyStretches() {
        var stretches = LoadedCueRanges()
        for number in 0..<Int64(500) {
            let start = Timestamp.seconds(1_000_000 - number * 1000)
            stretches.begin(at: start)
            _ = stretches.add(
                [], at: start, joint: start, knownUntil: start.advanced(by: .seconds(1)))
        }
        #expect(stretches.stretches.count == 64)
        #expect(stretches.stretches.first?.start == .seconds(501_000))
        #expect(stretches.stretches.last?.start == .seconds(564_000))
    }

    @Test func memoryIsGivenBackFarAway() {
        var stretches = LoadedCueRanges()
        read(&stretches, from: beginning, until: .seconds(100))
        read(&stretches, from: .seconds(300), until: .seconds(400))
        read(&stretches, from: .seconds(600), until: .seconds(700))
        #expect(stretches.stretches.count == 3)
        let bytes = stretches.bytes
        stretches.shrink(to: bytes - 1, around: .seconds(650), keeping: .seconds(5))
        #expect(stretches.stretches.map(\.start) == [.seconds(300), .seconds(600)])
        stretches.shrink(to: 0, around: .seconds(650), keeping: .seconds(5))
        #expect(stretches.stretches.map(\.start) == [.seconds(645)])
        #expect(stretches.knownEnd(from: .seconds(650)) != nil)
        check(stretches)
    }

    @Test func cuesFromBeforeAGoneStretchAreNewsToo() {
        var stretches = LoadedCueRanges()
        stretches.begin(at: .seconds(60))
        let early = Cue(
            order: 0, start: .seconds(50), end: .seconds(70), content: .text(StyledText("early")))
        let end = stretches.add([early], at: .seconds(60), joint: .seconds(60))
        let (generation, epoch) = (stretches.generation, stretches.epoch)
        #expect(stretches.cues == [early])
        // Nothing that began in it is sure, so all of it goes.
        stretches.retreat(from: end, by: .seconds(10))
        #expect(stretches.cues.isEmpty)
        #expect(stretches.generation != generation)
        #expect(stretches.epoch != epoch)
    }
}
