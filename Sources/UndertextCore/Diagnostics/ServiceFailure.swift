/// The details that an online service reports about a failed request.
public struct ServiceFailure: Hashable, Sendable, Defaulted {
    /// The service, such as `opensubtitles`.
    public var name: String?
    /// The status code of the response (RFC 9110, section 15).
    public var status: Int?
    /// The time to wait before the next request.
    public var retryAfter: Duration?
    /// The download quota.
    public var quota: OnlineQuota?

    /// Creates empty details.
    public init() {}
}

/// The provider's download quota.
public struct OnlineQuota: Hashable, Sendable {
    /// The number of remaining downloads, or `nil` if not stated.
    public var remaining: Int?
    /// The number of counted downloads, or `nil` if not stated.
    public var used: Int?
    /// The time at which the quota resets, as stated by the service.
    public var reset: String?

    /// Creates a quota.
    public init(remaining: Int? = nil, used: Int? = nil, reset: String? = nil) {
        self.remaining = remaining
        self.used = used
        self.reset = reset
    }
}
