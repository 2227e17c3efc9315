public import UndertextCore
internal import UndertextFormats

/// The mapping from times of a WebVTT segment to the media clock: `X-TIMESTAMP-MAP`.
///
/// RFC 8216, section 3.5.
public struct TimestampMap: Hashable, Sendable {
    /// A time within the segment.
    public var local: Timestamp
    /// The same time on the clock of MPEG-2 systems: ticks of 90 kHz, 33 bits.
    public var mpegTS: Int64

    /// The map of a segment without `X-TIMESTAMP-MAP`: time zero is clock zero.
    public static let absent = TimestampMap(local: .zero, mpegTS: 0)
    /// The number of ticks after which the clock wraps around.
    static let period: Int64 = 1 << 33

    /// Creates a map; the clock's time is taken into its range.
    public init(local: Timestamp, mpegTS: Int64) {
        self.local = local
        self.mpegTS = mpegTS & (Self.period - 1)
    }

    /// The map in the header of a WebVTT file; `nil` if there is none or it cannot be read.
    public init?(header: [UInt8]) {
        let lines = header.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        guard let line = lines.dropFirst().first(where: { $0.starts(with: Self.name) }) else {
            return nil
        }
        var local: Timestamp?
        var mpegTS: Int64?
        for part in line.dropFirst(Self.name.count).split(separator: UInt8(ascii: ",")) {
            let text = part.drop { $0 == 0x20 }.prefix { $0 > 0x20 }
            if text.starts(with: "LOCAL:".utf8) { local = WebVTTTimestamp.parse(text.dropFirst(6)) }
            if text.starts(with: "MPEGTS:".utf8) {
                // Some write more than 33 bits.
                mpegTS = Int64(String(decoding: text.dropFirst(7), as: UTF8.self))
            }
        }
        guard let local, let mpegTS, mpegTS >= 0 else { return nil }
        self.init(local: local, mpegTS: mpegTS)
    }

    /// Returns `true` if a header has a map, even an invalid one.
    static func isNamed(in header: [UInt8]) -> Bool {
        header.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).dropFirst()
            .contains { $0.starts(with: Self.name) }
    }

    private static let name = Array("X-TIMESTAMP-MAP=".utf8)

    /// The line of the header, without its end.
    public var line: [UInt8] {
        var bytes = Self.name + "LOCAL:".utf8
        WebVTTTimestamp.append(local, to: &bytes)
        return bytes + ",MPEGTS:\(mpegTS)".utf8
    }
}

/// A stretch of media whose clock runs without a break, and when it is shown.
public struct MediaClock: Hashable, Sendable {
    /// The start of the part on the timeline of the presentation.
    public var start: Timestamp
    /// The clock at that time in ticks of 90 kHz, 33 bits.
    public var firstPTS: Int64

    /// Creates a stretch.
    public init(start: Timestamp, firstPTS: Int64) {
        self.start = start
        self.firstPTS = firstPTS & (TimestampMap.period - 1)
    }

    /// The map for segments whose times are those of the presentation.
    public var map: TimestampMap {
        // Segments have millisecond times; the clock takes the remainder.
        let local = Timestamp.milliseconds(max(0, start.roundedMilliseconds))
        let rest = rescale(
            Int64(clamping: start.duration(to: local).nanoseconds128), from: .nanoseconds, to: .mpeg
        )
        return TimestampMap(local: local, mpegTS: firstPTS &+ (rest ?? 0))
    }

    /// The presentation time of `time` in a segment with `map`.
    ///
    /// The clock wraps around every 26.5 hours, so the time nearest to `expected`, the segment's position in
    /// its playlist, is used.
    public func time(
        of time: Timestamp, map: TimestampMap, near expected: Timestamp
    ) -> Timestamp {
        let behindMap = map.local.duration(to: time)
        let ticks = map.mpegTS - firstPTS
        guard let clock = Timestamp(ticks: ticks, timeBase: .mpeg) else { return time }
        let plain = start.advanced(by: Timestamp.zero.duration(to: clock)).advanced(by: behindMap)
        // Of 90 kHz, half a period is added to round.
        let away = Int128(expected.nanoseconds) - Int128(plain.nanoseconds)
        let period = Int128(TimestampMap.period) * 1_000_000_000 / 90_000
        let half = away >= 0 ? period / 2 : -(period / 2)
        let wraps = (away + half) / period
        guard wraps != 0, let whole = Int64(exactly: wraps * Int128(TimestampMap.period)),
            let shift = Timestamp(ticks: whole, timeBase: .mpeg)
        else { return plain }
        return plain.advanced(by: Timestamp.zero.duration(to: shift))
    }
}
