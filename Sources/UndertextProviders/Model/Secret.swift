/// A key, token or password that is never printed.
public struct Secret: Hashable, Sendable {
    /// The secret text.
    public let value: String

    /// Creates a secret; surrounding blanks and line ends are removed.
    public init(_ value: String) {
        var text = value[...]
        while let last = text.unicodeScalars.last, last.properties.isWhitespace {
            text = text.dropLast()
        }
        while let first = text.unicodeScalars.first, first.properties.isWhitespace {
            text = text.dropFirst()
        }
        self.value = String(text)
    }

    /// A text of a server's without any of these secrets, on one line and of bounded length.
    static func redacted(_ text: String, _ secrets: [Secret]) -> String {
        var result = text
        // Shorter ones would tear words apart.
        for secret in secrets where secret.value.utf8.count >= 4 {
            result = result.replacing(secret.value, with: "(secret)")
        }
        let line = result.unicodeScalars.map { $0.properties.isWhitespace ? " " : Character($0) }
        return String(line.prefix(300))
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    /// Always `(secret)`.
    public var description: String { "(secret)" }

    /// An empty mirror, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
