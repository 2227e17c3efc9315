package import UndertextCore

/// The server of object storage, and the form of its URLs.
package struct S3Endpoint: Hashable, Sendable {
    /// The place of the bucket in a URL.
    package enum Addressing: String, Hashable, Sendable {
        /// In the path: `https://HOST/BUCKET/KEY`.
        case path
        /// In the name of the host: `https://BUCKET.HOST/KEY`.
        case virtual
        /// In the name of the host for Amazon S3 if the bucket allows it, otherwise in the path.
        case auto
    }

    private let scheme: String
    /// Host, and the port unless it is the default of the scheme.
    private let authority: String
    /// The path of the endpoint without a slash at its end.
    private let base: String
    private let addressing: Addressing

    /// Amazon S3 in a region.
    package init(region: String, addressing: Addressing = .auto) {
        let ending = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        (scheme, base) = ("https", "")
        authority = "s3.\(region).\(ending)"
        self.addressing = addressing == .auto ? .virtual : addressing
    }

    /// A server with the interface of Amazon S3.
    ///
    /// - Parameters:
    ///   - url: An http or https URL without user, query and fragment.
    ///   - addressing: The form of URLs; automatic is the path.
    /// - Throws: ``UndertextError`` with code `invalid-value` for anything else.
    package init(url: String, addressing: Addressing = .auto) throws(UndertextError) {
        let uri = URI(url)
        guard uri.isHTTP, !uri.hasCredentials, uri.query == nil, uri.fragment == nil,
            let scheme = uri.urlScheme, let parts = uri.authority.flatMap(URI.Authority.init),
            !parts.host.isEmpty, parts.host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw UndertextError(
                .invalidValue, "the endpoint is not an http or https URL without user and query",
                path: url)
        }
        let port = parts.port.flatMap {
            $0.isEmpty || $0 == (scheme == "https" ? "443" : "80") ? nil : $0
        }
        self.scheme = scheme
        authority = parts.host.lowercased() + (port.map { ":\($0)" } ?? "")
        var path = Substring(uri.path)
        while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        base = String(path)
        self.addressing = addressing == .auto ? .path : addressing
    }

    /// The URL of an object or, with an empty key, of a bucket.
    ///
    /// - Parameters:
    ///   - location: The bucket and the key, each byte of which is escaped at most once.
    ///   - query: Names and values, in any order.
    /// - Returns: The URL.
    package func url(
        of location: S3Location, query: [(name: String, value: String)] = []
    ) -> String {
        let key = URI.escaped(location.key) {
            URI.isUnreserved($0) || $0 == UInt8(ascii: "/")
        }
        let parts = query.map { "\(URI.escaped($0.name))=\(URI.escaped($0.value))" }
        let end = parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
        if addressing == .virtual, location.isHostLabel {
            return "\(scheme)://\(location.bucket).\(authority)\(base)/\(key)\(end)"
        }
        let slash = key.isEmpty ? "" : "/"
        return "\(scheme)://\(authority)\(base)/\(location.bucket)\(slash)\(key)\(end)"
    }
}
