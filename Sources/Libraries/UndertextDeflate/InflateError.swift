/// Why a zlib stream could not be inflated.
public struct InflateError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, compare with `==`.
    public struct Code: Hashable, Sendable {
        /// The name in reports.
        public let name: String

        /// A code of that name.
        public init(name: String) { self.name = name }

        /// The bytes are no zlib stream, it is cut off, or its checksum does not fit.
        public static let malformed = Code(name: "malformed")
        /// The result would be larger than the caller allows.
        public static let limit = Code(name: "limit-exceeded")
    }

    /// What kind of failure it is.
    public var code: Code

    /// Creates an error of that kind.
    public init(_ code: Code) { self.code = code }
}
