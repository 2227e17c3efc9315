internal import UndertextCore
internal import UndertextXML

/// One page of a listing (Amazon S3 API Reference, "ListObjectsV2").
///
/// Each entry that cannot be used costs only itself.
final class S3ListPage: XMLHandler {
    /// An entry of a listing: an object, the common beginning of several keys, or an entry that cannot be used.
    private(set) var entries: [S3Listing.Entry] = []
    /// The token with which the next page is requested; `nil` after the last page.
    private(set) var nextToken: String?
    /// `true` if the server has further pages.
    private(set) var isTruncated = false
    private let bucket: String
    private var depth = 0
    private var isListing = false
    private var isEncoded = false
    /// The element of an entry that is open.
    private var entry: String?
    /// The element whose text is read, and the text.
    private var field: String?
    private var text = ""
    private var fields: [String: String] = [:]
    /// The entries with their texts; the encoding of keys may be stated after them.
    private var found: [(name: String, fields: [String: String])] = []

    /// The bytes of a page, which has at most 1000 keys of 1024 bytes, each of which may be escaped.
    static let longest = 8 << 20
    /// The bytes of a text: a key of 1024 bytes, each of which may be escaped.
    static let longestText = 4096
    private static let wanted: Set<String> = [
        "IsTruncated", "NextContinuationToken", "EncodingType", "Key", "Size", "LastModified",
        "ETag", "Prefix",
    ]

    /// Parses a page.
    ///
    /// - Parameters:
    ///   - bytes: The XML.
    ///   - prefix: The location that was listed, for messages.
    /// - Throws: ``UndertextError`` with code `malformed` if it is no listing.
    init(_ bytes: [UInt8], of prefix: S3Location) throws(UndertextError) {
        bucket = prefix.bucket
        do throws(XMLError) {
            try XMLReader.read(bytes, handler: self, depth: 16)
        } catch {
            throw UndertextError(
                .malformed, "the server's listing cannot be read; check the endpoint",
                path: prefix.description, underlying: error.description)
        }
        guard isListing else {
            throw UndertextError(
                .malformed, "the server did not answer with a listing; check the endpoint",
                path: prefix.description)
        }
        entries = found.compactMap(entry)
        found = []
    }

    func start(_ name: String, attributes: [XMLAttribute]) {
        depth += 1
        field = nil
        if depth == 1 { isListing = name == "ListBucketResult" }
        if depth == 2, name == "Contents" || name == "CommonPrefixes" {
            entry = name
            fields = [:]
        }
        guard depth == (entry == nil ? 2 : 3), Self.wanted.contains(name) else { return }
        field = name
        text = ""
    }

    func text(_ part: String) {
        guard field != nil, text.utf8.count <= Self.longestText else { return }
        // One byte more shows that the text is too long.
        text += PathName.prefix(of: part, bytes: Self.longestText + 1)
    }

    func end(_ name: String) {
        defer { depth -= 1 }
        if let field {
            self.field = nil
            if entry != nil {
                fields[field] = text
                return
            }
            switch field {
            case "IsTruncated": isTruncated = text == "true"
            case "NextContinuationToken": nextToken = text
            case "EncodingType": isEncoded = text == "url"
            default: break
            }
        } else if depth == 2, let entry {
            found.append((entry, fields))
            self.entry = nil
        }
    }

    private func entry(_ name: String, _ fields: [String: String]) -> S3Listing.Entry? {
        guard let stored = fields[name == "Contents" ? "Key" : "Prefix"] else { return nil }
        guard let key = key(stored), key.utf8.count <= S3Location.longestKey,
            !key.utf8.contains(0)
        else {
            return .damaged(
                UndertextError(
                    .malformed,
                    "the listing has a key that is not UTF-8, or longer than \(S3Location.longestKey) bytes",
                    path: "s3://\(bucket)/\(PathName.prefix(of: stored, bytes: 80))"))
        }
        let location = S3Location(bucket: bucket, key: key)
        guard name == "Contents" else { return .folder(location) }
        guard let size = fields["Size"].flatMap({ Int64($0) }), size >= 0 else {
            return .damaged(
                UndertextError(
                    .malformed, "the listing does not state its size", path: location.description))
        }
        return .object(
            S3Object(
                location: location, size: size,
                modified: S3Object.wholeSeconds(fields["LastModified"].flatMap(ISO8601.date)),
                tag: fields["ETag"] ?? ""))
    }

    /// Resolves the escapes of a key: those of URLs, in which a plus sign is a blank.
    private func key(_ text: String) -> String? {
        guard isEncoded else { return text }
        let blank = UInt8(ascii: " ")
        let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? blank : $0 }
        return URI.strictlyUnescaped(String(decoding: bytes, as: UTF8.self))
    }
}
