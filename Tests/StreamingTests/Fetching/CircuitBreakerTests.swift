import MediaCore
import SystemIO
import Testing

@testable import Streaming

/// A server that fails again and again is left alone.
@Suite struct CircuitBreakerTests {
    private let breaker = CircuitBreaker(limit: 8, pause: .seconds(5))

    private func fail(_ times: Int, _ server: (Int) -> String = { _ in "a" }) {
        for number in 0..<times { breaker.failed(server(number), at: .zero) }
    }

    @Test func halfTheFailuresEndTheRepeating() {
        fail(3)
        #expect(breaker.permission(for: "a", at: .zero) == .repeatedly)
        #expect(breaker.allowsRepeating("a"))
        fail(1)
        #expect(breaker.permission(for: "a", at: .zero) == .once)
        #expect(!breaker.allowsRepeating("a"))
        // Others are no worse for it.
        #expect(breaker.permission(for: "b", at: .zero) == .repeatedly)
    }

    @Test func afterAPauseOneMayTry() {
        fail(8)
        #expect(breaker.permission(for: "a", at: .seconds(4)) == .refused(failures: 8))
        #expect(breaker.permission(for: "a", at: .seconds(5)) == .once)
        #expect(breaker.permission(for: "a", at: .seconds(5)) == .refused(failures: 8))
        breaker.failed("a", at: .seconds(6))
        #expect(breaker.permission(for: "a", at: .seconds(10)) == .refused(failures: 9))
        #expect(breaker.permission(for: "a", at: .seconds(11)) == .once)
    }

    @Test func anAnswerBeginsAnew() {
        fail(8)
        breaker.succeeded("a")
        #expect(breaker.permission(for: "a", at: .zero) == .repeatedly)
    }

    @Test func manyServersHaveABoundTogether() {
        fail(8) { "\($0)" }
        #expect(breaker.permission(for: "new", at: .zero) == .once)
        fail(24) { "\($0 + 8)" }
        #expect(breaker.permission(for: "new", at: .zero) == .refused(failures: 32))
        breaker.succeeded("0")
        #expect(breaker.permission(for: "new", at: .zero) == .repeatedly)
    }
}
