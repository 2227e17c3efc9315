internal import UndertextCore

/// A gap across which the media clock may have continued, in which case the clock determines the gap's length.
struct ClockJump: Hashable {
    /// The stretch after the gap.
    let stretch: Int64
    /// The clock before it.
    let clock: MediaClock
    /// The end of the last known segment.
    let end: Timestamp
    /// The length of the gap if all segments have the maximum length.
    let length: Duration
    /// `true` if it was reported that later times are estimated.
    var isTold = false

    /// Segments may be half a second longer than the target duration says, and clocks of media begin
    /// a little before what they show.
    private static let tolerance = Duration.seconds(10)

    init(stretch: Int64, clock: MediaClock, end: Timestamp, length: Duration) {
        self.stretch = stretch
        self.clock = clock
        self.end = end
        self.length = length
    }

    /// The start of the segments after the gap; `nil` if the clock cannot have continued.
    func start(_ firstPTS: Int64, expected: Timestamp) -> Timestamp? {
        let time = clock.time(
            of: .zero, map: TimestampMap(local: .zero, mpegTS: firstPTS), near: expected)
        let latest = end.advanced(by: length).advanced(by: length / 2 + Self.tolerance)
        return time >= end.advanced(by: .zero - Self.tolerance) && time <= latest ? time : nil
    }
}
