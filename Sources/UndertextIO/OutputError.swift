/// Why an output could not be written: what, where and what to do.
public struct OutputError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, compare with `==`.
    public struct Code: Hashable, Sendable {
        /// The name in reports.
        public let name: String

        /// A code of that name.
        public init(name: String) { self.name = name }

        /// Something of that name is there, and replacing was not asked for.
        public static let exists = Code(name: "output-exists")
        /// It is a file that is read in the same run, which nothing replaces.
        public static let isInput = Code(name: "output-is-input")
        /// The system refused access.
        public static let permission = Code(name: "permission-denied")
        /// The file system or the quota is full.
        public static let noSpace = Code(name: "no-space")
        /// The file system is read-only.
        public static let readOnly = Code(name: "read-only")
        /// The folder to write into does not exist.
        public static let notFound = Code(name: "not-found")
        /// A part of the path is a file where a folder is needed.
        public static let notDirectory = Code(name: "not-a-directory")
        /// The file system does not take so long a name.
        public static let nameTooLong = Code(name: "name-too-long")
        /// The reader of a pipe went away; C: `EPIPE`.
        public static let closedPipe = Code(name: "closed-pipe")
        /// The job was stopped.
        public static let cancelled = Code(name: "cancelled")
        /// Writing failed in another way.
        public static let io = Code(name: "io")
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened and what to do, without the path.
    public var message: String
    /// The output.
    public var path: String
    /// What the system said; C: `strerror`.
    public var underlying: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, path: String, underlying: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.underlying = underlying
    }
}

extension OutputError: CustomStringConvertible {
    /// One line: where, what, and what the system said.
    public var description: String {
        guard let underlying, !underlying.isEmpty else { return "\(path): \(message)" }
        return "\(path): \(message) (\(underlying))"
    }
}
