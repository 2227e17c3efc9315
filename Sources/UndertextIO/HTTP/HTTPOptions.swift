package import UndertextCore

/// Options for reading a URL.
package struct HTTPOptions: Sendable {
    /// Cancels opening and reading within 100 ms.
    package var cancellation = Cancellation()
    /// The time at which opening and reading fail with `timeout`.
    package var deadline: ContinuousClock.Instant?
    /// The time to wait for a connection before the request fails.
    package var connectTimeout = Duration.seconds(15)
    /// The time without body bytes before the request fails; other data of the server does not count.
    ///
    /// All connections to one input share this time.
    package var stallTimeout = Duration.seconds(30) {
        didSet { budget = ProgressBudget(limit: stallTimeout) }
    }
    /// The remaining ``stallTimeout``, shared by all copies.
    private(set) var budget = ProgressBudget(limit: .seconds(30))
    /// The number of retries after a transient failure.
    package var retries = 4
    /// The wait before the first retry; each further wait is three times as long.
    package var firstDelay = Duration.milliseconds(100)

    /// The user agent, such as `App v1.2` (RFC 9110, section 10.1.5).
    package var userAgent = "undertext"

    /// The name in errors; `nil` for the URL.
    var label: String?
    /// Signs each request; redirects are not followed then.
    var signer: S3Signer?

    /// Creates the default options.
    package init() {}

    /// The current time on the clock of ``budget``.
    static var now: Duration { ContinuousClock.now - epoch }
    private static let epoch = ContinuousClock.now

    /// A copy with a new budget, for another input.
    func renewed() -> HTTPOptions {
        var options = self
        options.stallTimeout = stallTimeout
        return options
    }

    /// The error to throw if the caller cancelled or the deadline has passed.
    func interruption(_ name: String) -> UndertextError? {
        if cancellation.isCancelled {
            return UndertextError(.cancelled, "reading was stopped", path: name)
        }
        if let deadline, ContinuousClock.now >= deadline {
            return UndertextError(.timeout, "took longer than allowed", path: name)
        }
        return nil
    }
}
