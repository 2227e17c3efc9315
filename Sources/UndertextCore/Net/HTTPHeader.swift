/// A header field of a request (RFC 9110, section 5).
public struct HTTPHeader: Hashable, Sendable {
    /// The name, in any case.
    public var name: String
    /// The value.
    public var value: String
    /// `true` if the value is a secret, such as a key or token.
    ///
    /// Secrets are sent only to the host of the request, not to redirect targets, and are not part of
    /// descriptions of a request.
    public var isSecret: Bool

    /// Creates a header field.
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
    /// `Name: value`, without the value if it is secret.
    public var description: String { "\(name): \(isSecret ? "(secret)" : value)" }

    /// A mirror with the description only, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["line": description]) }
}
