public import UndertextCore

/// Why a provider could not do what it was asked for; fit to be shown, without any key.
public struct OnlineError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, compare with `==`.
    public struct Code: Hashable, Sendable {
        /// The name in reports.
        public let name: String

        /// A code of that name.
        public init(name: String) { self.name = name }

        /// No key or token was given.
        public static let missingKey = Code(name: "missing-key")
        /// Key, token or password was refused.
        public static let unauthorized = Code(name: "unauthorized")
        /// No download is left for the time being.
        public static let quotaExceeded = Code(name: "quota-exceeded")
        /// Asked too often; ``OnlineError/retryAfter`` may say when to ask again.
        public static let rateLimited = Code(name: "rate-limited")
        /// What was asked for is not there, or not any more.
        public static let notFound = Code(name: "not-found")
        /// The server cannot answer at present.
        public static let serverError = Code(name: "server-error")
        /// The server refused the request as such.
        public static let refused = Code(name: "request-refused")
        /// The answer is not what the service describes.
        public static let malformed = Code(name: "malformed-answer")
        /// The server was not reached, or the connection broke.
        public static let unreachable = Code(name: "unreachable")
        /// No answer in time.
        public static let timeout = Code(name: "timeout")
        /// The caller stopped it.
        public static let cancelled = Code(name: "cancelled")
        /// An answer, archive or file is larger than allowed.
        public static let limit = Code(name: "limit-exceeded")
        /// An address that a server told leads where it must not.
        public static let nestedOpen = Code(name: "nested-open-refused")
        /// Something that is not supported: an archive's format, or this build has no trait `Providers`.
        public static let unsupported = Code(name: "unsupported")
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened and what to do.
    public var message: String
    /// Whose answer it is, such as `opensubtitles`.
    public var provider: String?
    /// The status of the answer (RFC 9110, section 15).
    public var status: Int?
    /// How long to wait before asking again.
    public var retryAfter: Duration?
    /// What the provider says of downloads that are left.
    public var quota: OnlineQuota?
    /// What the server or a library said, without secrets.
    public var underlying: String?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, provider: String? = nil, status: Int? = nil,
        underlying: String? = nil
    ) {
        self.code = code
        self.message = message
        self.provider = provider
        self.status = status
        self.underlying = underlying
    }

    /// A failure of the way to a server or of reading a file, in the words of this domain.
    public init(_ error: UndertextError, provider: String? = nil) {
        // Other names are those of this domain, too.
        let code = error.code == .io ? .unreachable : Code(name: error.code.name)
        self.init(
            code, error.path.map { "\($0): \(error.message)" } ?? error.message, provider: provider,
            underlying: error.underlying)
    }
}

extension OnlineError: CustomStringConvertible {
    /// One line: who, what, and what the server said.
    public var description: String {
        var text = provider.map { "\($0): \(message)" } ?? message
        if let underlying, !underlying.isEmpty { text += " (\(underlying))" }
        return text
    }
}

/// How many downloads a provider still gives.
public struct OnlineQuota: Hashable, Sendable {
    /// Downloads that are left; `nil` if it is not said.
    public var remaining: Int?
    /// Downloads that were counted.
    public var used: Int?
    /// When the count begins anew, in the provider's words.
    public var reset: String?

    /// Creates a statement.
    public init(remaining: Int? = nil, used: Int? = nil, reset: String? = nil) {
        self.remaining = remaining
        self.used = used
        self.reset = reset
    }
}
