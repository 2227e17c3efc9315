internal import UndertextCore
internal import UndertextIO

/// The wall clock of a live presentation: the server's time if it is known, otherwise the system's.
struct WallClock: Sendable {
    private let clock: JobClock
    private var serverTime: Timestamp
    private var receivedAt: Duration

    /// Creates a clock from the date of `answer`.
    init(_ clock: JobClock, by answer: StreamAnswer) {
        self.clock = clock
        serverTime = answer.date ?? FileSystem.now
        receivedAt = clock.now()
    }

    /// Sets the clock to the time of a manifest or its server; `nil` leaves it running.
    mutating func set(_ time: Timestamp?) {
        guard let time else { return }
        serverTime = time
        receivedAt = clock.now()
    }

    /// Nanoseconds since 1970.
    var now: Timestamp { serverTime.advanced(by: clock.now() - receivedAt) }
}
