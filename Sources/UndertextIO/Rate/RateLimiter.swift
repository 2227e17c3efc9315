internal import Glibc
internal import Synchronization
package import UndertextCore

/// Bounds how many bytes are read in a time, over all the connections that share it.
///
/// A bucket in debt: a request that finds no debt goes at once and leaves its own, which the next
/// one waits for. So what was read up to any time is at most the rate times that time, and one
/// request.
package final class RateLimiter: Sendable {
    /// Bytes in a second.
    package let bytesPerSecond: UInt64

    /// The time, since any fixed point.
    private let now: @Sendable () -> Duration
    /// When all that was asked for is paid.
    private let paid: Mutex<Duration>
    private static let nanoseconds: UInt64 = 1_000_000_000
    /// So long is slept between two looks at the cancellation, in microseconds.
    private static let tick: UInt64 = 50_000

    /// Creates a limiter; a rate of 0 counts as 1.
    package convenience init(bytesPerSecond: UInt64) {
        let start = ContinuousClock.now
        self.init(bytesPerSecond: bytesPerSecond) { ContinuousClock.now - start }
    }

    /// Creates a limiter on a clock of the caller's.
    package init(bytesPerSecond: UInt64, now: @escaping @Sendable () -> Duration) {
        self.bytesPerSecond = max(1, bytesPerSecond)
        self.now = now
        paid = Mutex(now())
    }

    /// So many bytes are read at once at most, so that the rate holds over short times too.
    var chunk: Int { max(64 << 10, Int(clamping: bytesPerSecond / 4)) }

    /// Enters a request of `count` bytes; how long it has to wait first.
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
