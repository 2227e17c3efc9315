import TestSupport
import Testing
import UndertextCore

@testable import UndertextChecks

/// What the fixer changes, and that a second run changes nothing.
@Suite struct FixerTests {
    private static let rules = #"""
        {"rule": "order"}, {"rule": "empty-cue"}, {"rule": "overlap"}, {"rule": "unbalanced-tags"},
        {"rule": "min-gap", "limit": 0.1}, {"rule": "min-duration", "limit": 1}
        """#

    private func fixed(_ cues: [CheckedCue], rules: String = rules) throws -> CueFixer.Result {
        var fixer = CueFixer(try RuleTests.profile(rules), of: .init())
        return fixer.fixed(cues)
    }

    private func ends(_ result: CueFixer.Result) -> [Int64] {
        result.cues.map(\.end.roundedMilliseconds)
    }

    @Test func cuesAreSortedAndEmptyOnesRemoved() throws {
        let result = try fixed([
            RuleTests.cue(5000, 7000, number: 1), RuleTests.cue(1000, 3000, number: 2),
            RuleTests.cue(9000, 9500, " ", number: 3), RuleTests.cue(5000, 7000, "x", number: 4),
        ])
        #expect(result.cues.map(\.number) == [2, 1, 4])
        #expect(result.counts == [.order: 1, .emptyCue: 1])
    }

    @Test func overlapsEndBeforeTheNextCue() throws {
        let cues = [RuleTests.cue(0, 5000), RuleTests.cue(3000, 6000, number: 2)]
        let result = try fixed(cues)
        #expect(ends(result) == [2900, 6000] && result.counts == [.overlap: 1])
        #expect(ends(try fixed(cues, rules: #"{"rule": "overlap"}"#)) == [3000, 6000])
        // Without room for the gap, the cue ends when the next one begins.
        let near = [RuleTests.cue(0, 5000), RuleTests.cue(50, 6000, number: 2)]
        #expect(ends(try fixed(near)) == [50, 6000])
        // Cues that begin together stay.
        let together = [RuleTests.cue(0, 5000), RuleTests.cue(0, 6000, number: 2)]
        #expect(ends(try fixed(together)) == [5000, 6000])
        // Nothing is repaired that no rule asks for.
        #expect(ends(try fixed(cues, rules: #"{"rule": "order"}"#)) == [5000, 6000])
    }

    @Test func shortCuesAreExtended() throws {
        #expect(ends(try fixed([RuleTests.cue(0, 300)])) == [1000])
        let cues = [RuleTests.cue(0, 300), RuleTests.cue(700, 2000, number: 2)]
        #expect(ends(try fixed(cues)) == [600, 2000])
        let tight = [RuleTests.cue(0, 300), RuleTests.cue(350, 2000, number: 2)]
        #expect(ends(try fixed(tight)) == [300, 2000])
        #expect(ends(try fixed([RuleTests.cue(0, 1000)])) == [1000])
    }

    @Test func tags() throws {
        let result = try fixed([
            RuleTests.cue(0, 2000, "a", source: .subRip("<i>a")),
            RuleTests.cue(3000, 5000, "a", number: 2, source: .subRip("<i>a</i>")),
            RuleTests.cue(6000, 8000, "a", number: 3, source: .ass("0,0,,,0,0,0,,{a")),
        ])
        #expect(result.cues.map(\.needsTags) == [true, false, false])
    }

    /// After a repair, the repaired rules have findings only where nothing can be repaired, and a second repair changes
    /// nothing.
    @Test(arguments: ["basic", "netflix", "netflix-children", "bbc"]) func repairsAreFinal(
        _ name: String
    ) throws {
        let profile = try CheckProfile.builtIn(name)
        var generator = SeededGenerator(seed: 11)
        for unit in [1, 10] as [Int64] {
            for _ in 0..<40 {
                var cues: [CheckedCue] = []
                for number in 1...60 {
                    let start = Int64.random(in: 0...6000, using: &generator) * 10
                    let length = Int64.random(in: 1...400, using: &generator) * 10
                    cues.append(
                        RuleTests.cue(
                            start, start + length, Bool.random(using: &generator) ? "Hi" : "",
                            number: number))
                }
                var track = TrackCheck.Track()
                track.frameRate = TimeBase(25, 1)
                var fixer = CueFixer(profile, of: track, unit: .milliseconds(unit))
                let result = fixer.fixed(cues)
                let repaired = result.cues.enumerated().map { index, fixed in
                    var cue = cues[fixed.number - 1]
                    cue.number = index + 1
                    cue.cue.order = index
                    cue.cue.end = fixed.end
                    #expect(fixed.end > cue.cue.start)
                    return cue
                }
                let again = fixer.fixed(repaired)
                #expect(again.counts.isEmpty, "\(again.counts)")
                #expect(again.cues.map(\.end) == repaired.map(\.cue.end))
                var check = TrackCheck(profile, of: track)
                let findings = check.check(repaired).findings
                #expect(!findings.contains { [.order, .emptyCue].contains($0.rule) })
                let starts = Dictionary(grouping: repaired, by: \.cue.start)
                for finding in findings where finding.rule == .overlap {
                    // Only cues that begin together.
                    let start = try #require(finding.start)
                    #expect(starts[start, default: []].count > 1)
                }
            }
        }
    }
}
