internal import Glibc
internal import Synchronization
package import UndertextCore

/// Limits the read rate of all connections that share the limiter.
///
/// A request without earlier debt starts immediately, and the next request waits until its cost is paid. At any
/// time, the total number of bytes read is at most the rate multiplied by the elapsed time, plus one request.
package final class RateLimiter: Sendable {
    /// The maximum rate in bytes per second.
    package let bytesPerSecond: UInt64

    /// The time since an arbitrary fixed point.
    private let now: @Sendable () -> Duration
    /// The time at which all requests so far are paid for.
    private let paid: Mutex<Duration>
    private static let nanoseconds: UInt64 = 1_000_000_000
    /// The interval between checks for cancellation in microseconds.
    private static let tick: UInt64 = 50_000

    /// Creates a limiter; a rate of 0 is replaced by 1.
    package convenience init(bytesPerSecond: UInt64) {
        let start = ContinuousClock.now
        self.init(bytesPerSecond: bytesPerSecond) { ContinuousClock.now - start }
    }

    /// Creates a limiter that uses the passed clock.
    package init(bytesPerSecond: UInt64, now: @escaping @Sendable () -> Duration) {
        self.bytesPerSecond = max(1, bytesPerSecond)
        self.now = now
        paid = Mutex(now())
    }

    /// The maximum size of a read in bytes, small enough to maintain the rate over short periods.
    var chunk: Int { max(64 << 10, Int(clamping: bytesPerSecond / 4)) }

    /// Adds a request of `count` bytes, and returns its delay.
    package func reserve(_ count: Int) -> Duration {
        let now = now()
        // At most 2^63 * 10^9, which 128 bits hold.
        let cost = Int128(max(0, count)) * Int128(Self.nanoseconds) / Int128(bytesPerSecond)
        return paid.withLock { paid in
            let begin = max(paid, now)
            paid = begin + .nanoseconds(Int64(clamping: cost))
            return begin - now
        }
    }

    /// Waits until `count` bytes may be read.
    ///
    /// - Throws: ``UndertextError`` with code `cancelled`, within 50 ms.
    package func wait(
        for count: Int, cancellation: Cancellation, name: String
    ) throws(UndertextError) {
        var left = Self.microseconds(reserve(count))
        while left > 0 {
            if cancellation.isCancelled {
                throw UndertextError(.cancelled, "reading was stopped", path: name)
            }
            let part = min(left, Self.tick)
            usleep(UInt32(part))
            left -= part
        }
    }

    private static func microseconds(_ duration: Duration) -> UInt64 {
        let (seconds, atto) = duration.components
        return UInt64(max(0, min(seconds, 1 << 30))) * 1_000_000
            + UInt64(max(0, atto)) / 1_000_000_000_000
    }
}
