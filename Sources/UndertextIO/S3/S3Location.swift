package import UndertextCore

/// The address of an object or of a prefix of keys in object storage, `s3://BUCKET/KEY`.
///
/// Everything after the slash that follows the bucket is the key, as it is: `%`, `?`, `#`, `//` and `..` have no
/// other meaning there.
package struct S3Location: Hashable, Sendable {
    /// The name of the bucket.
    package let bucket: String
    /// The key of an object, or the beginning of keys; empty for the entire bucket.
    package var key: String

    /// Creates a location.
    package init(bucket: String, key: String) {
        self.bucket = bucket
        self.key = key
    }

    /// Parses an address.
    ///
    /// - Parameter text: `s3://BUCKET/KEY`; the slash and the key may be missing.
    /// - Throws: ``UndertextError`` with code `invalid-value` if it is none.
    package init(_ text: String) throws(UndertextError) {
        let bytes = text.utf8
        guard Self.isLocation(text) else {
            throw UndertextError(.invalidValue, "is not an s3:// URL", path: text)
        }
        let rest = bytes.dropFirst(Self.scheme.utf8.count)
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        guard Self.isBucket(rest[..<end]) else {
            throw UndertextError(
                .invalidValue, "the name of the bucket is not valid; write s3://BUCKET/KEY",
                path: text)
        }
        bucket = String(Substring(rest[..<end]))
        key = end == rest.endIndex ? "" : String(Substring(rest[rest.index(after: end)...]))
        guard key.utf8.count <= Self.longestKey else {
            throw UndertextError(
                .invalidValue, "the key has more than \(Self.longestKey) bytes", path: text)
        }
    }

    /// A Boolean value that indicates whether a text is an `s3:` URL, valid or not.
    package static func isLocation(_ text: String) -> Bool {
        text.utf8.count >= scheme.utf8.count
            && zip(text.utf8, scheme.utf8).allSatisfy {
                $0 == $1 || ($0.isLetter && $0 | 0x20 == $1)
            }
    }

    /// Refuses a path that is an `s3:` URL where only the file system is of use.
    ///
    /// - Parameter path: The path.
    /// - Throws: ``UndertextError`` with code `unsupported`.
    package static func refuseOutput(_ path: String) throws(UndertextError) {
        guard isLocation(path) else { return }
        throw UndertextError(
            .unsupported,
            "this cannot be written to object storage; write to a folder and copy it",
            path: path)
    }

    /// The location of an output; `nil` for a path of the file system.
    ///
    /// - Throws: ``UndertextError`` with code `invalid-value` for an `s3:` URL without a name at its end.
    static func output(_ path: String) throws(UndertextError) -> S3Location? {
        guard isLocation(path) else { return nil }
        let location = try S3Location(path)
        guard !location.fileName.isEmpty else {
            throw UndertextError(
                .invalidValue, "is not the name of an object; write s3://BUCKET/KEY", path: path)
        }
        return location
    }

    /// The last part of the key; empty for a prefix that ends with a slash.
    package var fileName: String {
        let bytes = key.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return key }
        return String(Substring(bytes[bytes.index(after: slash)...]))
    }

    /// The location of a name below this one, which is a folder.
    package func appending(_ name: String) -> S3Location {
        let slash = key.isEmpty || key.utf8.last == UInt8(ascii: "/") ? "" : "/"
        return S3Location(bucket: bucket, key: key + slash + name)
    }

    /// The location as a folder: the key ends in a slash, unless it is empty.
    package var folder: S3Location {
        key.isEmpty || key.utf8.last == UInt8(ascii: "/") ? self : appending("")
    }

    /// `true` if the bucket can be a label of a host name with a certificate for all buckets.
    ///
    /// A dot would make two labels, which such a certificate does not cover.
    var isHostLabel: Bool {
        (3...63).contains(bucket.utf8.count) && bucket.utf8.first != UInt8(ascii: "-")
            && bucket.utf8.last != UInt8(ascii: "-")
            && bucket.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || $0.isDigit || $0 == UInt8(ascii: "-")
            }
    }

    private static let scheme = "s3://"
    /// UTF-8 bytes of a key (Amazon S3 User Guide, "Naming Amazon S3 objects").
    static let longestKey = 1024

    /// The rules of general purpose buckets and of older ones, which may have 255 letters of any case.
    private static func isBucket(_ name: Substring.UTF8View) -> Bool {
        (1...255).contains(name.count) && !name.allSatisfy { $0 == UInt8(ascii: ".") }
            && name.allSatisfy { $0.isAlphanumeric || [0x2D, 0x2E, 0x5F].contains($0) }
    }
}

extension S3Location: CustomStringConvertible {
    /// `s3://BUCKET/KEY`.
    package var description: String { "s3://\(bucket)/\(key)" }
}
