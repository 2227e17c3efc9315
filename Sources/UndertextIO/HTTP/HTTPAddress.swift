internal import CUndertextCurl
internal import UndertextCore

/// An address of http or https, taken apart by libcurl, so that it is understood as it is opened.
struct HTTPAddress: Hashable, Sendable {
    /// The whole address.
    let text: String
    /// `http` or `https`.
    let scheme: String
    /// The host in lower case, as it is written there.
    let host: String
    /// The port, the scheme's own where none is written.
    let port: String

    /// `nil` for anything but http and https, and for what is no address.
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

    /// `true` if both lead to the same server; https in place of http does, with the usual ports.
    func hasSameOrigin(as other: HTTPAddress) -> Bool {
        guard host == other.host else { return false }
        return (scheme, port) == (other.scheme, other.port)
            || (other.scheme, other.port, scheme, port) == ("http", "80", "https", "443")
    }

    /// Why a redirect from this address must not be followed to `target`; `nil` if it may.
    ///
    /// Which machine a name leads to is checked when the connection is made.
    func refusal(ofRedirectTo target: HTTPAddress?) -> String? {
        guard let target else { return "to something other than http or https" }
        if scheme == "https", target.scheme != "https" { return "from https to http" }
        return nil
    }
}
