/// Why a text could not be read as XML.
package struct XMLError: Error, Hashable, Sendable {
    /// What kind of failure it is: an open set, compare with `==`.
    package struct Code: Hashable, Sendable {
        /// The name in reports.
        package let name: String

        /// A code of that name.
        package init(name: String) { self.name = name }

        /// The text is not well-formed.
        package static let malformed = Code(name: "malformed-xml")
        /// It has a document type declaration, which is never read.
        package static let doctype = Code(name: "doctype-refused")
        /// Elements are nested deeper than allowed.
        package static let depth = Code(name: "xml-too-deep")
        /// There was no memory for it.
        package static let memory = Code(name: "xml-memory")
    }

    /// What kind of failure it is.
    package var code: Code
    /// What happened.
    package var message: String
    /// The line, from 1.
    package var line: Int
    /// Where in the bytes.
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
