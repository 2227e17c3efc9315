/// A statement of a service on the web about a request that failed.
public struct ServiceFailure: Hashable, Sendable, Defaulted {
    /// The service, such as `opensubtitles`.
    public var name: String?
    /// The status of the answer (RFC 9110, section 15).
    public var status: Int?
    /// The time to wait before the next request.
    public var retryAfter: Duration?
    /// The downloads that are left.
    public var quota: OnlineQuota?

    /// An empty statement.
    public init() {}
}

/// The provider's download quota.
public struct OnlineQuota: Hashable, Sendable {
    /// Downloads that are left; `nil` if it is not said.
    public var remaining: Int?
    /// Downloads that were counted.
    public var used: Int?
    /// The time at which the count starts again, as the provider words it.
    public var reset: String?

    /// Creates a statement.
    public init(remaining: Int? = nil, used: Int? = nil, reset: String? = nil) {
        self.remaining = remaining
        self.used = used
        self.reset = reset
    }
}
