/// Why an image could not be written or read.
public struct PNGError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, compare with `==`.
    public struct Code: Hashable, Sendable {
        /// The name in reports.
        public let name: String

        /// A code of that name.
        public init(name: String) { self.name = name }

        /// The pixels to write do not fit the size or the palette.
        public static let invalidImage = Code(name: "invalid-picture")
        /// The bytes to read are no PNG, damaged, or cut off.
        public static let malformed = Code(name: "malformed")
        /// The image is larger than allowed.
        public static let limit = Code(name: "limit-exceeded")
        /// libpng failed for another reason.
        public static let failed = Code(name: "png-failed")
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension PNGError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
