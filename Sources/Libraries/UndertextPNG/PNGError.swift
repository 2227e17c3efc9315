/// Why an image could not be written or read.
package struct PNGError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, compare with `==`.
    package struct Code: Hashable, Sendable {
        /// The name in reports.
        package let name: String

        /// A code of that name.
        package init(name: String) { self.name = name }

        /// The pixels to write do not fit the size or the palette.
        package static let invalidImage = Code(name: "invalid-picture")
        /// The bytes to read are no PNG, damaged, or cut off.
        package static let malformed = Code(name: "malformed")
        /// The image is larger than allowed.
        package static let limit = Code(name: "limit-exceeded")
        /// libpng failed for another reason.
        package static let failed = Code(name: "png-failed")
    }

    /// What kind of failure it is.
    package var code: Code
    /// What happened.
    package var message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension PNGError: CustomStringConvertible {
    /// The message.
    package var description: String { message }
}
