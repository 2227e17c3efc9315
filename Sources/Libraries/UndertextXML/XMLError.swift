/// Why a text could not be read as XML.
public struct XMLError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, compare with `==`.
    public struct Code: Hashable, Sendable {
        /// The name in reports.
        public let name: String

        /// A code of that name.
        public init(name: String) { self.name = name }

        /// The text is not well-formed.
        public static let malformed = Code(name: "malformed-xml")
        /// It has a document type declaration, which is never read.
        public static let doctype = Code(name: "doctype-refused")
        /// Elements are nested deeper than allowed.
        public static let depth = Code(name: "xml-too-deep")
        /// There was no memory for it.
        public static let memory = Code(name: "xml-memory")
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened.
    public var message: String
    /// The line, from 1.
    public var line: Int
    /// Where in the bytes.
    public var byteOffset: Int

    /// Creates an error.
    public init(_ code: Code, _ message: String, line: Int = 0, byteOffset: Int = 0) {
        self.code = code
        self.message = message
        self.line = line
        self.byteOffset = byteOffset
    }
}

extension XMLError: CustomStringConvertible {
    /// The message and the line.
    public var description: String { line > 0 ? "\(message), line \(line)" : message }
}
