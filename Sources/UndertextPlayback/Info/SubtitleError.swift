public import Undertext

/// Why subtitles cannot be shown, for a player to tell; playback goes on without them.
public struct SubtitleError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, compare with `==`.
    public struct Code: Hashable, Sendable {
        /// The name in logs.
        public let name: String

        /// A code of that name.
        public init(name: String) { self.name = name }

        /// There is no such file, page or track.
        public static let missing = Code(name: "not-found")
        /// Access was refused.
        public static let permission = Code(name: "permission-denied")
        /// It is damaged, or no subtitles at all.
        public static let unreadable = Code(name: "unreadable")
        /// It needs a decoder or an ability that is not there.
        public static let unsupported = Code(name: "unsupported")
        /// It needs a library that is not installed; the message names its package.
        public static let missingLibrary = Code(name: "missing-library")
        /// The charset is not known.
        public static let charset = Code(name: "charset")
        /// It is larger than allowed.
        public static let tooLarge = Code(name: "too-large")
        /// The server or disk failed.
        public static let unavailable = Code(name: "unavailable")
        /// The server or disk took too long.
        public static let timeout = Code(name: "timeout")
        /// The server wants a login or a key.
        public static let login = Code(name: "login")
        /// No more downloads are allowed for now.
        public static let quota = Code(name: "quota")
        /// It would have opened what nobody named: a private address, another file.
        public static let refused = Code(name: "refused")
        /// The work was stopped.
        public static let cancelled = Code(name: "cancelled")
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened and what to do.
    public var message: String
    /// The file, address or source concerned.
    public var subject: String?
    /// When another try makes sense, such as behind a quota; `nil` = nobody said.
    public var retryAfter: Duration?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, subject: String? = nil, retryAfter: Duration? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.retryAfter = retryAfter
    }

    /// What the engine reports, in a player's terms.
    public init(_ error: UndertextError) {
        let code: Code =
            switch error.code {
            case .notFound: .missing
            case .permission: .permission
            case .unsupported: .unsupported
            case .missingLibrary, .missingLanguage: .missingLibrary
            case .limit: .tooLarge
            case .io: .unavailable
            case .timeout: .timeout
            case .nestedOpen: .refused
            case .cancelled: .cancelled
            default: .unreadable
            }
        var text = error.message
        if let underlying = error.underlying, !underlying.isEmpty { text += " (\(underlying))" }
        self.init(code, text, subject: error.path)
    }

    /// Whether the same may work later without anybody changing anything.
    public var mayPass: Bool { [.unavailable, .timeout, .quota].contains(code) }
}

extension SubtitleError: CustomStringConvertible {
    /// One line: what, and what is the matter with it.
    public var description: String { subject.map { "\($0): \(message)" } ?? message }
}
