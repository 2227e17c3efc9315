package import UndertextCore

/// The keys with which requests to object storage are signed.
package struct S3Credentials: Hashable, Sendable {
    /// The access key ID.
    package let accessKeyID: String
    /// The secret access key.
    package let secretAccessKey: String
    /// The token of temporary keys; `nil` for lasting ones.
    package let sessionToken: String?

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - accessKeyID: The access key ID.
    ///   - secretAccessKey: The secret access key.
    ///   - sessionToken: The token of temporary keys.
    /// - Throws: ``UndertextError`` with code `invalid-value` if one of them cannot be part of a header.
    package init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil
    ) throws(UndertextError) {
        for (name, value) in [
            ("access key ID", accessKeyID), ("secret access key", secretAccessKey),
            ("session token", sessionToken ?? "x"),
        ] {
            guard !value.isEmpty, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw UndertextError(
                    .invalidValue, "the \(name) is empty or has characters that no key has")
            }
        }
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension S3Credentials: CustomStringConvertible, CustomReflectable {
    /// `(secret)`.
    package var description: String { "(secret)" }

    /// A mirror without children, so that `dump` shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: [(String, Any)]()) }
}
