internal import UndertextCore

/// An object as a listing or its header fields describe it.
package struct S3Object: Hashable, Sendable {
    /// The bucket and the key.
    package var location: S3Location
    /// Bytes.
    package var size: Int64
    /// The time of the last change in nanoseconds since 1970, in whole seconds, as header fields state it; 0 if unknown.
    package var modified: Int64
    /// The tag of the content, as the server writes it; empty if unknown.
    package var tag: String

    /// Creates an object.
    package init(location: S3Location, size: Int64, modified: Int64, tag: String) {
        self.location = location
        self.size = size
        self.modified = modified
        self.tag = tag
    }

    /// Reads the header fields of a response.
    init(_ location: S3Location, fields: [String: String]) {
        self.init(
            location: location, size: max(0, fields["content-length"].flatMap { Int64($0) } ?? 0),
            modified: Self.wholeSeconds(fields["last-modified"].flatMap { HTTPResponse.date($0) }),
            tag: fields["etag"] ?? "")
    }

    static func wholeSeconds(_ time: Timestamp?) -> Int64 {
        let second: Int64 = 1_000_000_000
        return (time?.nanoseconds ?? 0) / second * second
    }
}
