internal import CUndertext
internal import Undertext

/// A time of C's; `nil` for `UNDERTEXT_NO_TIME`.
func time(_ nanoseconds: Int64) -> Timestamp? {
    nanoseconds == .min ? nil : Timestamp(nanoseconds: nanoseconds)
}

/// A time as C gets it; `UNDERTEXT_NO_TIME` for `nil`.
func nanoseconds(_ time: Timestamp?) -> Int64 { time?.nanoseconds ?? .min }

/// A length of C's.
func length(_ nanoseconds: Int64) -> Duration { .nanoseconds(nanoseconds) }

/// A length as C gets it; what does not fit is as long as can be.
func nanoseconds(_ length: Duration) -> Int64 {
    let (seconds, attoseconds) = length.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? -Int64.max : .max) : sum
}
