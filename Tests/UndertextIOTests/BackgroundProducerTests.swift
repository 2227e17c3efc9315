import Synchronization
import Testing
import UndertextIO

@Suite struct BackgroundProducerTests {
    /// Counts up to a number, then ends.
    private final class Counter: Sendable {
        let made = Atomic<Int>(0)
        let wasAhead = Atomic<Bool>(false)
        let end: Int
        var count: Int { made.load(ordering: .relaxed) }
        var hasBeenAhead: Bool { wasAhead.load(ordering: .relaxed) }
        init(_ end: Int) { self.end = end }

        func next(_ isAhead: Bool) -> Int? {
            if isAhead { wasAhead.store(true, ordering: .relaxed) }
            let value = made.load(ordering: .relaxed)
            guard value < end else { return nil }
            made.store(value + 1, ordering: .relaxed)
            return value
        }
    }

    @Test(arguments: [1, 2, 8]) func valuesComeInOrderAndOnce(ahead: Int) {
        let counter = Counter(1000)
        let producer = BackgroundProducer(ahead: ahead) { counter.next($0) }
        var values: [Int] = []
        while let value = producer.next() { values.append(value) }
        #expect(values == Array(0..<1000))
        #expect(producer.next() == nil)
    }

    /// Heavy values wait in smaller numbers, and one that weighs too much alone.
    @Test(arguments: [10, 1000]) func waitingPacketsAreBoundedBySize(weight: Int) {
        let counter = Counter(500)
        let producer = BackgroundProducer(
            ahead: 100, mostWeight: 25, weight: { _ in weight }, { counter.next($0) })
        var values: [Int] = []
        while let value = producer.next() {
            values.append(value)
            // Two or one that wait, and the one in the maker's hand.
            #expect(counter.count <= values.count + (weight == 10 ? 3 : 2))
        }
        #expect(values == Array(0..<500))
    }

    @Test func noMoreAreMadeThanMayWait() {
        let counter = Counter(.max)
        let producer = BackgroundProducer(ahead: 4) { counter.next($0) }
        #expect(producer.next() == 0)
        producer.stop()
        // The one taken, four that wait, and the one in the maker's hand.
        #expect(counter.count <= 6)
        #expect(producer.next() == nil)
    }

    @Test func theMakerLearnsThatItIsAhead() {
        let counter = Counter(64)
        let producer = BackgroundProducer(ahead: 8) { counter.next($0) }
        while counter.count < 9 { continue }
        #expect(counter.hasBeenAhead)
        producer.stop()
    }

    @Test func oneThatIsDroppedEnds() {
        let counter = Counter(.max)
        do {
            let producer = BackgroundProducer(ahead: 2) { counter.next($0) }
            _ = producer.next()
        }
        #expect(counter.count <= 4)
    }
}
