/// Why a zlib stream could not be inflated.
package struct InflateError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, compare with `==`.
    package struct Code: Hashable, Sendable {
        /// The name in reports.
        package let name: String

        /// A code of that name.
        package init(name: String) { self.name = name }

        /// The bytes are no zlib stream, it is cut off, or its checksum does not fit.
        package static let malformed = Code(name: "malformed")
        /// The result would be larger than the caller allows.
        package static let limit = Code(name: "limit-exceeded")
    }

    /// What kind of failure it is.
    package var code: Code

    /// Creates an error of that kind.
    package init(_ code: Code) { self.code = code }
}
