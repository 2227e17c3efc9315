/// The duration of one tick, as a fraction of a second.
///
/// FFmpeg: `AVRational` used as a time base.
public struct TimeBase: Hashable, Sendable {
    /// The number of seconds per `denominator` ticks.
    public var numerator: Int32
    /// The number of ticks per `numerator` seconds.
    public var denominator: Int32

    /// Creates a time base of `numerator/denominator` seconds per tick.
    public init(_ numerator: Int32, _ denominator: Int32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// `true` if both parts are positive, so that ticks can be converted.
    public var isValid: Bool { numerator > 0 && denominator > 0 }

    /// One millisecond per tick: Matroska's default, SubRip, ASS.
    public static let milliseconds = TimeBase(1, 1000)
    /// One microsecond per tick: `AV_TIME_BASE`.
    public static let microseconds = TimeBase(1, 1_000_000)
    /// One nanosecond per tick: Matroska's chapters and ``Timestamp``.
    public static let nanoseconds = TimeBase(1, 1_000_000_000)
    /// The 90 kHz clock of MPEG systems.
    public static let mpeg = TimeBase(1, 90_000)
}
