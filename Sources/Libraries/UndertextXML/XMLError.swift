/// The reason why a text could not be parsed as XML.
package struct XMLError: Error, Hashable, Sendable {
    /// The kinds of failures.
    package enum Code: String, Sendable {
        /// The text is not well-formed.
        case malformed = "malformed-xml"
        /// It has a document type declaration, which is never read.
        case doctype = "doctype-refused"
        /// Elements are nested deeper than allowed.
        case depth = "xml-too-deep"
        /// There was no memory for it.
        case memory = "xml-memory"
    }

    /// The kind of failure.
    package var code: Code
    /// A description of the failure.
    package var message: String
    /// The line, from 1.
    package var line: Int
    /// The byte offset.
    package var byteOffset: Int

    /// Creates an error.
    package init(_ code: Code, _ message: String, line: Int = 0, byteOffset: Int = 0) {
        self.code = code
        self.message = message
        self.line = line
        self.byteOffset = byteOffset
    }
}

extension XMLError: CustomStringConvertible {
    /// The message and the line.
    package var description: String { line > 0 ? "\(message), line \(line)" : message }
}
