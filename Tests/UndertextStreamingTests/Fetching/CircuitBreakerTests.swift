import Testing
import UndertextCore
import UndertextIO

@testable import UndertextStreaming

/// A server that fails again and again is left alone.
@Suite struct CircuitBreakerTests {
    private let breaker = CircuitBreaker(limit: 8, outage: .seconds(10), pause: .seconds(5))

    private func fail(
        _ times: Int, isSilent: Bool = false, at time: Duration = .zero,
        _ server: (Int) -> String = { _ in "a" }
    ) {
        for number in 0..<times {
            breaker.failed(server(number), isSilent: isSilent, from: time, at: time)
        }
    }

    @Test func aShortOutageIsWaitedOut() {
        fail(100)
        #expect(breaker.permission(for: "a", at: .seconds(9)) == .repeatedly)
        #expect(breaker.allowsRepeating("a", at: .seconds(9)))
        #expect(breaker.permission(for: "a", at: .seconds(10)) == .once)
        #expect(!breaker.allowsRepeating("a", at: .seconds(10)))
        // Others are no worse for it.
        #expect(breaker.permission(for: "b", at: .seconds(10)) == .repeatedly)
    }

    @Test func fewFailuresAreNoOutage() {
        fail(7)
        #expect(breaker.permission(for: "a", at: .seconds(1000)) == .repeatedly)
    }

    @Test func aSilentServerIsLeftAloneForAWhile() {
        fail(7, isSilent: true)
        #expect(breaker.permission(for: "a", at: .seconds(4)) == .repeatedly)
        fail(1, isSilent: true)
        let refusal = CircuitBreaker.Permission.refused(
            "its server gave no answer 8 times in a row")
        #expect(breaker.permission(for: "a", at: .seconds(4)) == refusal)
        #expect(breaker.permission(for: "a", at: .seconds(5)) == .once)
        #expect(breaker.permission(for: "a", at: .seconds(5)) == refusal)
        // An error response costs little time.
        fail(1, at: .seconds(20))
        #expect(breaker.permission(for: "a", at: .seconds(20)) == .once)
    }

    @Test(arguments: [false, true]) func aResponseResetsTheCount(isSilent: Bool) {
        fail(8, isSilent: isSilent)
        breaker.succeeded("a")
        #expect(breaker.permission(for: "a", at: .seconds(20)) == .repeatedly)
        fail(1, isSilent: isSilent, at: .seconds(20))
        #expect(breaker.permission(for: "a", at: .seconds(40)) == .repeatedly)
    }

    @Test func ofManyServersThatFailUnknownOnesAreAskedOnce() {
        breaker.succeeded("good")
        fail(8) { "\($0)" }
        #expect(breaker.permission(for: "new", at: .zero) == .once)
        #expect(breaker.permission(for: "good", at: .zero) == .repeatedly)
        fail(8, isSilent: true) { "\($0)" }
        #expect(
            breaker.permission(for: "new", at: .zero) == .refused("8 servers gave no answer"))
        #expect(breaker.permission(for: "good", at: .zero) == .repeatedly)
        breaker.succeeded("good")
        #expect(breaker.permission(for: "new", at: .seconds(5)) == .once)
        #expect(
            breaker.permission(for: "other", at: .seconds(5))
                == .refused("8 servers gave no answer"))
        breaker.succeeded("0")
        #expect(breaker.permission(for: "new", at: .seconds(5)) == .repeatedly)
    }
}
