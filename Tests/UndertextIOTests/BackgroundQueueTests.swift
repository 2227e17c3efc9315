import Testing
import UndertextIO

@Suite struct BackgroundQueueTests {
    /// Starts the first threads of a queue only, as a system does that has no more.
    private final class Starter: Sendable {
        private let left: Monitor<Int>

        init(threads: Int) { left = Monitor(threads) }

        func start(_ work: @escaping @Sendable () -> Void) -> Bool {
            let mayStart = left.with { left in
                left -= 1
                return left >= 0
            }
            // A thread of a queue of its own stands for that of the system.
            return mayStart && BackgroundQueue(threads: 1).submit(work)
        }
    }

    @Test func nothingIsDoneOnTheThreadOfTheCaller() {
        let queue = BackgroundQueue(threads: 2) { _ in false }
        let done = Monitor(0)
        #expect(!queue.submit { done.with { $0 += 1 } })
        #expect(!queue.submit { done.with { $0 += 1 } })
        #expect(done.with { $0 } == 0)
    }

    @Test func oneThreadDoesTheWorkOfThoseThatAreMissing() {
        let starter = Starter(threads: 1)
        let queue = BackgroundQueue(threads: 4) { starter.start($0) }
        let gate = Monitor(false)
        let done = Monitor(0)
        let isFirstSubmitted = queue.submit { gate.wait(.consumers) { $0 ? () : nil } }
        #expect(isFirstSubmitted)
        for _ in 0..<3 {
            let isSubmitted = queue.submit {
                done.with { $0 += 1 }
                done.wakeAll(.consumers)
            }
            #expect(isSubmitted)
        }
        gate.with { $0 = true }
        gate.wakeAll(.consumers)
        done.wait(.consumers) { $0 == 3 ? () : nil }
    }
}
