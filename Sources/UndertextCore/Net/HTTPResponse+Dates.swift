extension HTTPResponse {
    /// The time of the response on the server's clock, or `nil` if not stated.
    public var date: Timestamp? { headers["date"].flatMap { Self.date($0) } }

    /// The time to wait before the next request (RFC 9110, section 10.2.3), or `nil` if not stated.
    ///
    /// A date is compared with the server's clock, so the local clock may be wrong.
    public var retryAfter: Duration? {
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Self.seconds(text) { return seconds }
        guard let now = date, let end = Self.date(text) else { return nil }
        return max(.zero, now.duration(to: end))
    }

    /// Returns the seconds in a header, including fractions, or `nil` if malformed.
    public static func seconds(_ text: String) -> Duration? {
        guard let number = Double(text), number.isFinite, number >= 0 else { return nil }
        return .milliseconds(Int64(min(number, 1e9) * 1000))
    }

    /// Returns `Sun, 06 Nov 1994 08:49:37 GMT` as time since 1970 (RFC 9110, section 5.6.7).
    ///
    /// Returns `nil` if malformed, and for the two obsolete forms.
    public static func date(_ text: String) -> Timestamp? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].last == ",", words[5] == "GMT",
            let day = Int64(words[1]), let month = months.firstIndex(of: String(words[2])),
            let year = Int64(words[3]), (1...31).contains(day), (1900...2200).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
            .compactMap { Int64($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        let hours = ISO8601.days(year, Int64(month) + 1, day) * 24 + clock[0]
        return .seconds((hours * 60 + clock[1]) * 60 + clock[2])
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
