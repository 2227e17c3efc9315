internal import UndertextCore

/// The Info element of the segment (RFC 9559, section 5.1.2).
struct SegmentInfo: Hashable, Sendable {
    /// Nanoseconds of a tick.
    var timestampScale: UInt64 = 1_000_000
    /// The length in ticks.
    var duration: Double?
    /// Nanoseconds since 2001-01-01T00:00:00 UTC.
    var date: Int64?
    var title: String?
    var muxingApp: String?
    var writingApp: String?

    init() {}

    /// Applies the Info element `data`.
    mutating func merge(_ data: ArraySlice<UInt8>) {
        for element in ElementCursor(data) {
            switch element.id {
            case .timestampScale:
                if let scale = element.unsigned, scale > 0 { timestampScale = scale }
            case .duration: duration = element.float
            case .dateUTC: date = element.data.count == 8 ? element.signed : nil
            case .title: title = element.string
            case .muxingApp: muxingApp = element.string
            case .writingApp: writingApp = element.string
            default: break
            }
        }
    }

    /// The length in microseconds.
    var microseconds: Int64? {
        guard let duration, duration > 0 else { return nil }
        return Int64(exactly: (duration * Double(timestampScale) * 1000 / 1_000_000).rounded(.down))
    }

    /// The date in microseconds since 1970.
    var unixMicroseconds: Int64? { date.map { $0 / 1000 + 978_307_200_000_000 } }
}

/// A date in UTC, of the proleptic Gregorian calendar.
struct CalendarDate: Hashable, Sendable {
    let year: Int64
    let month: Int64
    let day: Int64
    /// Seconds since midnight.
    let second: Int64
    /// Microseconds of the second.
    let microsecond: Int64

    /// The date `microseconds` after 1970-01-01T00:00:00 UTC.
    init(unixMicroseconds microseconds: Int64) {
        var seconds = microseconds / 1_000_000
        var rest = microseconds % 1_000_000
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000) }
        var days = seconds / 86_400
        var time = seconds % 86_400
        if time < 0 { (days, time) = (days - 1, time + 86_400) }
        microsecond = rest
        second = time
        // Days are counted from 1 March of a leap cycle's first year, so that February is the last month.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// `2014-10-04 19:10:13`, as mkvmerge writes it into its statistics tags.
    var statisticsForm: String { "\(date) \(time)" }

    /// `2014-10-04T19:10:13.000000Z`, as libavformat writes `creation_time`.
    var isoForm: String { "\(date)T\(time).\(zeroPadded(microsecond, to: 6))Z" }

    private var date: String {
        "\(zeroPadded(year, to: 4))-\(zeroPadded(month, to: 2))-\(zeroPadded(day, to: 2))"
    }

    private var time: String {
        "\(zeroPadded(second / 3600, to: 2)):\(zeroPadded(second / 60 % 60, to: 2)):\(zeroPadded(second % 60, to: 2))"
    }
}
