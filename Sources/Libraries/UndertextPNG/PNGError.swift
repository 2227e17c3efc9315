/// The reason why an image could not be written or read.
package struct PNGError: Error, Hashable, Sendable {
    /// The kinds of failures.
    package enum Code: Sendable {
        /// The pixels to write do not fit the size or the palette.
        case invalidImage
        /// The bytes to read are no PNG, damaged, or cut off.
        case malformed
        /// The image is larger than allowed.
        case limit
        /// libpng failed for another reason.
        case failed
    }

    /// The kind of failure.
    package var code: Code
    /// A description of the failure.
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
