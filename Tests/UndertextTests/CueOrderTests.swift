import TestSupport
import Testing
import UndertextCore

@testable import Undertext

@Suite struct CueOrderTests {
    private func cue(_ start: Int64, order: Int = 0) -> Cue {
        Cue(
            order: order, start: .milliseconds(start), end: .milliseconds(start + 1),
            endSource: .explicit, content: .text(StyledText("a")))
    }

    private func out(_ cues: [Cue], capacity: Int) -> (cues: [Cue], late: Int) {
        var order = CueOrder(capacity: capacity)
        var result: [Cue] = []
        for cue in cues {
            order.add(cue)
            while let next = order.due() { result.append(next) }
        }
        while let next = order.next() { result.append(next) }
        return (result, order.late)
    }

    @Test func fittingCuesAreSorted() {
        var generator = SeededGenerator(seed: 7)
        let cues = (0..<500).map { cue(Int64.random(in: 0..<100, using: &generator), order: $0) }
        let expected = cues.sorted { ($0.start, $0.order) < ($1.start, $1.order) }
        let sorted = out(cues, capacity: 500)
        #expect(sorted.cues == expected)
        #expect(sorted.late == 0)
    }

    @Test func nothingIsLostBeyondThat() {
        let cues = (0..<1000).reversed().map { cue(Int64($0)) }
        let sorted = out(cues, capacity: 10)
        #expect(Set(sorted.cues.map(\.start)).count == 1000)
        #expect(sorted.late == 989)
        // Ordered cues need no buffer.
        #expect(out(cues.reversed(), capacity: 1).late == 0)
    }

    /// Cues may have megabytes each: they are returned early, and late ones are counted.
    @Test func bytesThatAreHeldAreBounded() {
        let text = String(repeating: "a", count: 1 << 20)
        var order = CueOrder(bytes: 8 << 20)
        var count = 0
        for index in (0..<40).reversed() {
            var large = cue(Int64(index))
            large.content = .text(StyledText(text))
            order.add(large)
            while order.due() != nil { count += 1 }
            #expect(order.heldBytes <= 8 << 20)
        }
        while order.next() != nil { count += 1 }
        #expect(count == 40)
        #expect(order.late == 32)
        #expect(order.heldBytes == 0)
    }
}
