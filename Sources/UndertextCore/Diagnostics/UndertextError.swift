/// A failure, with its kind, its cause and the affected input.
///
/// Damage that affects only single packets is a ``Diagnostic`` instead.
public struct UndertextError: Error, Hashable, Sendable {
    /// The kind of a failure: an open set; compare with `==`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name in reports; ``description`` for callers.
        package let name: String

        /// Creates a code with a name.
        public init(name: String) { self.name = name }

        /// The name in reports, such as `not-found`.
        public var description: String { name }

        /// There is nothing at that path.
        public static let notFound = Code(name: "not-found")
        /// The system refused access.
        public static let permission = Code(name: "permission-denied")
        /// A directory where a file is needed.
        package static let isDirectory = Code(name: "is-directory")
        /// The input has no bytes.
        package static let empty = Code(name: "empty-input")
        /// Reading failed.
        public static let io = Code(name: "io")
        /// The input is not of a kind that can be read.
        package static let notMedia = Code(name: "not-media")
        /// The structure is damaged beyond what can be skipped.
        public static let malformed = Code(name: "malformed")
        /// The input is well-formed but needs an unsupported feature.
        public static let unsupported = Code(name: "unsupported")
        /// The requested content is encrypted.
        public static let encrypted = Code(name: "encrypted")
        /// One of ``Limits`` was reached.
        package static let limit = Code(name: "limit-exceeded")
        /// The caller stopped the job.
        public static let cancelled = Code(name: "cancelled")
        /// A wait for segments was interrupted; the reader can be read again.
        package static let interrupted = Code(name: "interrupted")
        /// The deadline passed.
        package static let timeout = Code(name: "timeout")
        /// A library that is needed is not installed.
        public static let missingLibrary = Code(name: "missing-library")
        /// The data of a language is not installed.
        package static let missingLanguage = Code(name: "missing-language")
        /// The input refers to a file or URL that the user did not specify.
        package static let nestedOpen = Code(name: "nested-open-refused")
        /// The output exists, and replacing it was not requested.
        package static let outputExists = Code(name: "output-exists")
        /// The output is an input of the same run.
        package static let outputIsInput = Code(name: "output-is-input")
        /// The file system or the quota is full.
        package static let noSpace = Code(name: "no-space")
        /// The file system is read-only.
        package static let readOnly = Code(name: "read-only")
        /// A part of the path is a file where a folder is needed.
        package static let notDirectory = Code(name: "not-a-directory")
        /// The name is too long for the file system.
        package static let nameTooLong = Code(name: "name-too-long")
        /// The reader of a pipe closed it; C: `EPIPE`.
        package static let closedPipe = Code(name: "closed-pipe")
        /// A text is not a valid value, such as a selection or a speed.
        package static let invalidValue = Code(name: "invalid-value")
        /// No stream of the content has that identifier.
        package static let noSuchStream = Code(name: "no-such-stream")
        /// No usable track has the bandwidth or the attributes.
        package static let noSuchTrack = Code(name: "no-such-track")
        /// The charset is not known.
        package static let charset = Code(name: "charset")
        /// No key or token for a service was given.
        package static let missingKey = Code(name: "missing-key")
        /// A service refused the key, token or password.
        package static let unauthorized = Code(name: "unauthorized")
        /// The download quota is exhausted.
        package static let quotaExceeded = Code(name: "quota-exceeded")
        /// A service received too many requests; ``ServiceFailure/retryAfter`` may state when to try again.
        package static let rateLimited = Code(name: "rate-limited")
        /// A server is temporarily unavailable.
        package static let serverError = Code(name: "server-error")
        /// A server refused the request.
        package static let refused = Code(name: "request-refused")
        /// A response does not match the documentation of the service.
        package static let malformedAnswer = Code(name: "malformed-answer")
        /// A server could not be reached, or the connection was lost.
        package static let unreachable = Code(name: "unreachable")
        /// The options conflict with each other, the inputs or the outputs.
        package static let invalidRequest = Code(name: "invalid-request")
        /// No subtitle track matched, or none exists.
        package static let noTrack = Code(name: "no-track")
        /// Another input writes the same output.
        package static let outputClash = Code(name: "output-clash")
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the failure, without the path.
    public var message: String
    /// The path or URL of the input; URLs are without secrets.
    public var path: String? {
        didSet { path = path.map(withoutSecrets) }
    }
    /// The index of the affected stream, if any.
    public var streamIndex: Int?
    /// The byte offset, if known.
    public var byteOffset: UInt64?
    /// The message of the library or system that failed.
    public var underlying: String?
    /// The reasons why several attempts failed.
    package var details: [String] = []
    /// The action that may help the caller.
    package var remedy: Remedy?
    /// The details that an online service reported; empty for other failures.
    package var service: ServiceFailure {
        get { serviceBox.value }
        set { serviceBox.value = newValue }
    }
    private var serviceBox = CopyOnWriteBox<ServiceFailure>()

    /// Creates an error; secrets of URLs are removed from its texts.
    public init(
        _ code: Code, _ message: String, path: String? = nil, streamIndex: Int? = nil,
        byteOffset: UInt64? = nil, underlying: String? = nil
    ) {
        self.code = code
        self.message = withoutSecrets(message)
        self.path = path.map(withoutSecrets)
        self.streamIndex = streamIndex
        self.byteOffset = byteOffset
        self.underlying = underlying.map(withoutSecrets)
    }

    /// Creates an error with an action that may help the caller.
    package init(
        _ code: Code, _ message: String, path: String? = nil, streamIndex: Int? = nil,
        byteOffset: UInt64? = nil, underlying: String? = nil, remedy: Remedy?
    ) {
        self.init(
            code, message, path: path, streamIndex: streamIndex, byteOffset: byteOffset,
            underlying: underlying)
        self.remedy = remedy
    }
}

extension UndertextError: CustomStringConvertible {
    /// One line with the input, the message, the message of the library, system or service, and `details`.
    public var description: String {
        details.isEmpty ? summary : "\(summary): \(details.joined(separator: "; "))"
    }

    /// A Boolean value that indicates whether the same operation may succeed later.
    package var mayPass: Bool {
        [.io, .timeout, .unreachable, .serverError, .rateLimited, .quotaExceeded].contains(code)
    }

    /// ``description`` without `details`.
    package var summary: String {
        var text = [service.name, path, message].compactMap { $0 }.joined(separator: ": ")
        if let streamIndex { text += ", stream \(streamIndex)" }
        if let byteOffset { text += ", at byte \(byteOffset)" }
        if let underlying, !underlying.isEmpty { text += " (\(underlying))" }
        return text
    }
}
