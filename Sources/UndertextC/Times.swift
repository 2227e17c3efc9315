internal import CUndertext
internal import Undertext
internal import UndertextCore

/// Returns a time from its C value, or `nil` for `UNDERTEXT_NO_TIME`.
func time(_ nanoseconds: Int64) -> Timestamp? {
    nanoseconds == .min ? nil : Timestamp(nanoseconds: nanoseconds)
}

/// Returns the C value of a time, or `UNDERTEXT_NO_TIME` for `nil`.
func nanoseconds(_ time: Timestamp?) -> Int64 { time?.nanoseconds ?? .min }

/// Returns a duration from its C value.
func length(_ nanoseconds: Int64) -> Duration { .nanoseconds(nanoseconds) }

/// Returns the C value of a duration; saturates.
func nanoseconds(_ length: Duration) -> Int64 {
    let (seconds, attoseconds) = length.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? -Int64.max : .max) : sum
}

/// Returns a live duration from its C value, or `nil` for that up to the live edge.
func liveDuration(_ nanoseconds: Int64) -> Duration? {
    nanoseconds > 0 ? length(nanoseconds) : nil
}
