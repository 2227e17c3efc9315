import TestSupport
import Testing
import UndertextCore
import UndertextIO

/// A thread that waits sleeps.
@Suite struct PauseTests {
    /// The number of voluntary context switches of the calling thread.
    private func sleeps() -> Int? {
        fileText("/proc/thread-self/status")?.split(separator: "\n")
            .first { $0.hasPrefix("voluntary_ctxt_switches:") }
            .flatMap { $0.split(separator: "\t").last }.flatMap { Int($0) }
    }

    @Test func partsOfASecondAreOneSleep() throws {
        let before = try #require(sleeps())
        SignalWatcher.pause(.milliseconds(250))
        #expect(try #require(sleeps()) - before <= 5)
    }

    @Test func aJobLooksUpAFewTimesASecond() throws {
        let before = try #require(sleeps())
        JobClock.system.sleep(.milliseconds(300), Cancellation())
        // Every 50 ms, and some for what else the thread waits for.
        #expect(try #require(sleeps()) - before <= 20)
    }

    @Test func nothingIsNoSleep() {
        SignalWatcher.pause(.zero)
        SignalWatcher.pause(.seconds(-1))
    }
}
