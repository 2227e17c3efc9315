internal import UndertextCore
internal import UndertextIO

/// The time of day that a live presentation goes by: the server's where it tells it, else our own.
struct WallClock: Sendable {
    private let clock: JobClock
    private var told: Timestamp
    private var toldAt: Duration

    /// A clock that was set when `answer` came.
    init(_ clock: JobClock, by answer: StreamAnswer) {
        self.clock = clock
        told = answer.date ?? FileSystem.now
        toldAt = clock.now()
    }

    /// Sets it by what a manifest or who sent it says; where neither says anything it goes on.
    mutating func set(_ time: Timestamp?) {
        guard let time else { return }
        told = time
        toldAt = clock.now()
    }

    /// Nanoseconds since 1970.
    var now: Timestamp { told.advanced(by: clock.now() - toldAt) }
}
