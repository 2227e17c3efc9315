import Glibc
import Testing

@testable import UndertextIO

@Suite struct OrderedWorkersTests {
    /// Takes longer for some values than for others.
    private static func work(_ value: Int) -> Int {
        var sum = 0
        for step in 0..<(value % 7) * 20_000 { sum &+= step &* value }
        return sum == -1 ? -1 : value * 3
    }

    @Test(arguments: [1, 2, 8]) func resultsComeInOrder(_ threads: Int) {
        let workers = OrderedWorkers(threadCount: threads) { Self.work($0) }
        var results: [Int] = []
        for value in 0..<500 {
            results += workers.add(value)
            // Nothing piles up.
            #expect(value + 1 - results.count <= 2 * threads + 1)
        }
        results += workers.finish()
        #expect(results == (0..<500).map { $0 * 3 })
        #expect(workers.finish().isEmpty)
    }

    @Test func itCanBeReusedAndAbandoned() {
        let workers = OrderedWorkers(threadCount: 3) { Self.work($0) }
        #expect(workers.finish().isEmpty)
        #expect(workers.add(6) + workers.finish() == [18])
        for value in 0..<4 { _ = workers.add(value) }
        // Leaving the scope waits only for running work.
    }

    /// However many there are, they share the threads of the processors.
    @Test func manyShareTheirThreads() {
        let running = Monitor((now: 0, most: 0))
        let all = (0..<200).map { _ in
            OrderedWorkers<Int, Int> { value in
                running.with { state in
                    state.now += 1
                    state.most = max(state.most, state.now)
                }
                let result = Self.work(value)
                running.with { $0.now -= 1 }
                return result
            }
        }
        var results = all.map { _ in [Int]() }
        for value in 0..<4 {
            for (index, workers) in all.enumerated() { results[index] += workers.add(value) }
        }
        for (index, workers) in all.enumerated() { results[index] += workers.finish() }
        #expect(results.allSatisfy { $0 == [0, 3, 6, 9] })
        #expect(running.with { $0.most } <= max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
