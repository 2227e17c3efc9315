package import UndertextCore

/// How an address is read.
package struct HTTPOptions: Sendable {
    /// Stops opening and reading from outside, within 100 ms.
    package var cancellation = Cancellation()
    /// When opening and reading give up.
    package var deadline: ContinuousClock.Instant?
    /// A server that cannot be reached for so long is given up.
    package var connectTimeout = Duration.seconds(15)
    /// A server that sends nothing of a body for so long is given up, whatever it sends instead.
    ///
    /// All connections to one input have that time together.
    package var stallTimeout = Duration.seconds(30) {
        didSet { budget = ProgressBudget(limit: stallTimeout) }
    }
    /// What is left of ``stallTimeout``, shared by all copies.
    private(set) var budget = ProgressBudget(limit: .seconds(30))
    /// How often a request is repeated after a failure that may pass.
    package var retries = 4
    /// The wait before the first repetition; each further one takes three times as long.
    package var firstDelay = Duration.milliseconds(100)

    /// What the program calls itself, such as `App v1.2` (RFC 9110, section 10.1.5).
    package var userAgent = "undertext"

    /// The name for errors instead of the URL.
    var label: String?
    /// Signs each request; redirects are then not followed.
    var signer: S3Signer?

    /// The defaults.
    package init() {}

    /// The time that ``budget`` counts.
    static var now: Duration { ContinuousClock.now - epoch }
    private static let epoch = ContinuousClock.now

    /// The options with a budget of their own: for one more input.
    func renewed() -> HTTPOptions {
        var options = self
        options.stallTimeout = stallTimeout
        return options
    }

    /// Why to stop, if the caller wants that.
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
