internal import CUndertextCurl
internal import UndertextCore

/// An http or https address, parsed by libcurl, so that checks and requests agree about its parts.
struct HTTPAddress: Hashable, Sendable {
    /// The whole address.
    let text: String
    /// `http` or `https`.
    let scheme: String
    /// The host in lowercase, as written in the address.
    let host: String
    /// The port; the scheme's default if the address has none.
    let port: String

    /// Returns `nil` for other schemes and malformed addresses.
    init?(_ text: String, _ library: CurlLibrary) {
        guard let handle = unsafe library.functions.pointee.curl_url() else { return nil }
        defer { unsafe library.functions.pointee.curl_url_cleanup(handle) }
        guard
            unsafe library.functions.pointee.curl_url_set(handle, CURLUPART_URL, text, 0)
                == CURLUE_OK
        else { return nil }
        func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard
                unsafe library.functions.pointee.curl_url_get(handle, part, &value, flags)
                    == CURLUE_OK, let value = unsafe value
            else { return nil }
            defer { unsafe library.functions.pointee.curl_free(value) }
            return unsafe String(cString: value).lowercased()
        }
        // C: CURLU_DEFAULT_PORT.
        guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST),
            let port = part(CURLUPART_PORT, 1),
            scheme == "http" || scheme == "https"
        else { return nil }
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// `true` if both addresses have the same host, and the same port or an upgrade from http to https on
    /// default ports.
    func hasSameOrigin(as other: HTTPAddress) -> Bool {
        guard host == other.host else { return false }
        return (scheme, port) == (other.scheme, other.port)
            || (other.scheme, other.port, scheme, port) == ("http", "80", "https", "443")
    }

    /// The reason to refuse a redirect from this address to `target`; `nil` if it is allowed.
    ///
    /// The machine behind a host name is checked later, when the connection is made.
    func refusal(ofRedirectTo target: HTTPAddress?) -> String? {
        guard let target else { return "to something other than http or https" }
        if scheme == "https", target.scheme != "https" { return "from https to http" }
        return nil
    }
}
