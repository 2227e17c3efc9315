import TestSupport
import Testing
import UndertextCore

@testable import UndertextAlignment

/// Cues are compared with ranges of speech.
@Suite("Alignment with speech")
struct SpeechAlignmentTests {
    /// Speech divides cues, has gaps, and is found where no cue is.
    private func speech(of film: InventedFilm, seed: UInt64) -> [Range<Timestamp>] {
        var generator = SeededGenerator(seed: seed)
        var found: [Range<Timestamp>] = []
        for time in film.times where Int.random(in: 0..<10, using: &generator) > 0 {
            let length = Int64(
                clamping: time.lowerBound.duration(to: time.upperBound).nanoseconds128)
            let start = Int64.random(in: -60...120, using: &generator) * 1_000_000
            let part = length / 100 * Int64.random(in: 35...55, using: &generator)
            let begin = time.lowerBound.advanced(by: .nanoseconds(start))
            found.append(begin..<begin.advanced(by: .nanoseconds(part)))
            let next = begin.advanced(by: .nanoseconds(part + 160_000_000))
            found.append(next..<next.advanced(by: .nanoseconds(length / 3)))
        }
        let end = film.times.last.map { $0.upperBound.nanoseconds / 1_000_000 } ?? 0
        for _ in 0..<film.times.count / 2 {
            let start = Int64.random(in: 0...end, using: &generator)
            found.append(.milliseconds(start)..<(.milliseconds(start + 400)))
        }
        return found
    }

    private static let speech: AlignmentOptions = {
        var options = AlignmentOptions()
        options.largestOffset = .seconds(125)
        options.reference = .speech
        return options
    }()

    @Test("speech is a reference", arguments: [1, 2] as [UInt64])
    func speechAsReference(seed: UInt64) throws {
        var film = InventedFilm(cues: 160, seed: seed)
        let reference = speech(of: film, seed: seed)
        let copy = film.copy(Retiming(shift: .seconds(-47)), noise: 80)
        let found = try #require(
            CueAligner(copy.map(\.time), to: reference, options: Self.speech).align())
        #expect(found.confidence > 0.95)
        #expect(copy.share(within: 500, by: found.retiming) == 1)
        #expect(found.chance > 0.1 && found.chance < 0.9)
    }

    /// Ranges that are everywhere match all cues at every offset.
    @Test(
        "speech of another film and speech everywhere are no reference",
        arguments: [3, 4] as [UInt64])
    func unrelatedSpeech(seed: UInt64) throws {
        let film = InventedFilm(cues: 160, seed: seed)
        let other = speech(of: InventedFilm(cues: 200, seed: seed + 50), seed: seed)
        let found = try #require(CueAligner(film.times, to: other, options: Self.speech).align())
        #expect(found.confidence < 0.5)
        var generator = SeededGenerator(seed: seed)
        var time: Int64 = 0
        var dense: [Range<Timestamp>] = []
        while time < 900_000 {
            let length = Int64.random(in: 200...700, using: &generator)
            dense.append(.milliseconds(time)..<(.milliseconds(time + length)))
            time += length + Int64.random(in: 100...300, using: &generator)
        }
        let everywhere = try #require(
            CueAligner(film.times, to: dense, options: Self.speech).align())
        #expect(everywhere.confidence < 0.5)
        #expect(everywhere.chance > 0.7)
    }
}
