/// A line of the headers of a request (RFC 9110, section 5).
public struct HTTPHeader: Hashable, Sendable {
    /// The name, in any case.
    public var name: String
    /// The value.
    public var value: String
    /// Whether the value is a key, a token or the like.
    ///
    /// It goes only to the machine that the request names, not where a redirect leads, and no
    /// description of a request shows it.
    public var isSecret: Bool

    /// Creates a line.
    public init(_ name: String, _ value: String, isSecret: Bool = false) {
        self.name = name
        self.value = value
        self.isSecret = isSecret
    }

    /// `true` if name and value can be sent as one line: a token (RFC 9110, section 5.6.2), and no
    /// control characters.
    public var isWellFormed: Bool {
        let separators = Array("\"(),/:;<=>?@[\\]{}".utf8)
        return !name.isEmpty
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !separators.contains($0) }
            && value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }
}

extension HTTPHeader: CustomStringConvertible, CustomReflectable {
    /// `Name: value`, the value of a secret one left out.
    public var description: String { "\(name): \(isSecret ? "(secret)" : value)" }

    /// What `dump` shows: the description, so that no secret comes out there.
    public var customMirror: Mirror { Mirror(self, children: ["line": description]) }
}
