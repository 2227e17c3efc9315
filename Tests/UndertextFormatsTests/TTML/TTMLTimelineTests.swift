import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Snapshots against those of two independent implementations (imscJS and ttconv).
struct TTMLTimelineTests {
    /// The differences from the recorded timeline, with reasons.
    ///
    /// The record contains ttconv's times and texts; where its times are not those of imscJS's images, the
    /// record itself claims no agreement.
    /// agreement is claimed by the record either.
    static let different: [String: (times: [Double], shown: [Bool], reason: String)] = [
        "imsc1/animation/Animation012": (
            [0, 5, 10, 16, 20], [true, true, true, true, false],
            "a set begins 6 s after its own paragraph, as the images of imscJS have it"
        ),
        "imsc1/aspectRatio/aspectRatio3": (
            [0, 1, 9], [false, true, false],
            "an image counts, as in those of imscJS; ttconv reads none"
        ),
        "imsc1/aspectRatio/aspectRatio4": (
            [0, 1, 9], [false, true, false],
            "an image counts, as in those of imscJS; ttconv reads none"
        ),
        "imsc1/aspectRatio/aspectRatio6": (
            [0, 1, 9], [false, true, false],
            "an image counts, as in those of imscJS; ttconv reads none"
        ),
    ]

    @Test(.requiresCorpus("imsc-tests/expected/isd_timeline.json"))
    func `snapshots of every document are those that were recorded`() throws {
        let record = try CorpusJSON.load("imsc-tests/expected/isd_timeline.json")
        var agreed = 0
        for (name, entry) in record.members.sorted(by: { $0.key < $1.key }) {
            let path = try #require(entry["ttml"]?.string)
            let document = try #require(fileBytes(Repository.corpus + "/imsc-tests/" + path))
            let snapshots = IntermediateSynchronicDocument.all(of: document)
            let times = snapshots.map { Double($0.time.nanoseconds) / 1e9 }
            let shown = snapshots.map { !$0.isEmpty }
            let states = (entry["isd"]?.elements ?? []).map { state in
                (number(state["t"]), state["nonempty"] == .bool(true))
            }
            if let ours = Self.different[name] {
                #expect(times == ours.times && shown == ours.shown, "\(name): \(times) \(shown)")
                #expect(times != states.map(\.0) || shown != states.map(\.1), "\(name) is equal")
            } else {
                if entry["two_implementations_agree"] == .bool(true) { agreed += 1 }
                #expect(times == states.map(\.0), "\(name)")
                #expect(shown == states.map(\.1), "\(name)")
            }
        }
        // Seven more are equal of those of which the record claims nothing.
        #expect(agreed == 152)
    }

    private func number(_ value: CorpusJSON?) -> Double {
        if case .number(let number) = value { return number }
        return -1
    }
}
