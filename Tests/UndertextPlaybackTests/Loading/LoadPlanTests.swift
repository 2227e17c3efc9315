import Testing
import Undertext
import UndertextCore

@testable import UndertextPlayback

@Suite struct LoadPlanTests {
    /// Stretches of a track, in seconds; `nil` = to the end.
    private func stretches(_ parts: [(Int64?, Int64?)]) -> LoadedCueRanges {
        var result = LoadedCueRanges()
        for (start, end) in parts {
            let from = start.map { Timestamp.seconds($0) } ?? LoadedCueRanges.beginning
            result.begin(at: from)
            _ = result.add(
                [], at: from, joint: from,
                knownUntil: end.map { Timestamp.seconds($0) } ?? .distantFuture)
        }
        return result
    }

    private func step(
        at playhead: Int64, place: Int64? = nil, ahead: Int64? = 100, isFull: Bool = false,
        _ parts: [(Int64?, Int64?)]
    ) -> LoadPlan.Step {
        var plan = LoadPlan(
            playhead: .seconds(playhead), place: place.map { Timestamp.seconds($0) },
            ahead: ahead.map { .seconds($0) }, isReadWhole: false)
        plan.isFull = isFull
        return plan.next(stretches(parts))
    }

    @Test func nothingIsKnown() {
        #expect(step(at: 0, []) == .read(from: nil, until: nil))
        #expect(step(at: 9, []) == .read(from: nil, until: nil))
        #expect(step(at: 500, []) == .read(from: .seconds(500), until: nil))
        // Only up to the known range after it.
        #expect(step(at: 500, [(600, 700)]) == .read(from: .seconds(500), until: .seconds(600)))
        #expect(step(at: 5, [(600, 700)]) == .read(from: .seconds(5), until: .seconds(600)))
    }

    @Test func readingContinues() {
        #expect(step(at: 500, place: 550, [(500, 550)]) == .goOn)
        #expect(step(at: 500, [(500, 550)]) == .read(from: .seconds(550), until: nil))
        // A reader that is nearly there catches up.
        #expect(step(at: 560, place: 550, [(500, 550)]) == .goOn)
        #expect(step(at: 590, place: 550, [(500, 550)]) == .read(from: .seconds(590), until: nil))
        // A seek backwards leaves it.
        #expect(
            step(at: 100, place: 550, [(500, 550)])
                == .read(from: .seconds(100), until: .seconds(500)))
    }

    /// A reader that started at the beginning will soon reach a player that is near it.
    @Test func aReaderFromTheBeginningIsWaitedFor() {
        var plan = LoadPlan(
            playhead: .seconds(9), place: LoadedCueRanges.beginning, isReadWhole: false)
        #expect(plan.isNear)
        plan.playhead = .seconds(11)
        #expect(!plan.isNear)
    }

    @Test func enoughIsEnough() {
        #expect(step(at: 500, place: 601, [(500, 601)]) == .rest)
        #expect(step(at: 500, place: 600, [(500, 600)]) == .goOn)
        #expect(step(at: 500, place: 510, isFull: true, [(500, 510)]) == .rest)
        #expect(step(at: 500, place: 503, isFull: true, [(500, 503)]) == .goOn)
        #expect(step(at: 500, [(400, nil)]) == .rest)
    }

    @Test func allOfCheapTracksIsRead() {
        #expect(step(at: 500, place: 5000, ahead: nil, [(500, 5000)]) == .goOn)
        #expect(
            step(at: 500, ahead: nil, [(500, nil)]) == .read(from: nil, until: .seconds(500)))
        #expect(
            step(at: 500, ahead: nil, [(nil, 100), (500, nil)])
                == .read(from: .seconds(100), until: .seconds(500)))
        #expect(step(at: 500, ahead: nil, [(nil, nil)]) == .rest)
        #expect(step(at: 500, ahead: nil, isFull: true, [(500, nil)]) == .rest)
    }

    @Test func unrepeatableInputsAreReadOnce() {
        var plan = LoadPlan(playhead: .seconds(500), ahead: .seconds(1), isReadWhole: true)
        #expect(plan.next(LoadedCueRanges()) == .read(from: nil, until: nil))
        plan.place = .seconds(3)
        #expect(plan.next(stretches([(nil, 3)])) == .goOn)
        plan.place = nil
        #expect(plan.next(stretches([(nil, nil)])) == .rest)
    }
}
