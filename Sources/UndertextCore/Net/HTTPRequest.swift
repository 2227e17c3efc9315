/// An HTTP request with limits for its response.
public struct HTTPRequest: Hashable, Sendable {
    /// The request method (RFC 9110, section 9).
    public enum Method: String, Hashable, Sendable {
        /// Requests a representation of the resource.
        case get = "GET"
        /// Requests that the server processes the body.
        case post = "POST"
        /// Requests that the resource is deleted.
        case delete = "DELETE"
    }

    /// The allowed targets of redirects.
    public enum Redirects: Hashable, Sendable {
        /// Any public host; secret headers and the body are not sent there.
        case anywhere
        /// Only the same host and port: for requests with keys.
        case sameOrigin
    }

    /// The request method.
    public var method: Method
    /// The http or https URL.
    public var url: String
    /// The URL that the user specified, if ``url`` comes from a server.
    ///
    /// The rules of redirects then apply to ``url``: no other scheme, no change from https to http, and no
    /// private or local host other than the one that the user specified.
    public var namedURL: String?
    /// The additional headers.
    public var headers: [HTTPHeader]
    /// The request body; empty for none.
    public var body: [UInt8]
    /// The requested range of bytes, or `nil` for all.
    public var range: ByteRange?
    /// The allowed targets of redirects.
    public var redirects = Redirects.anywhere
    /// The maximum size of the decoded response body in bytes; more is an error.
    public var bodyLimit = 16 << 20
    /// The maximum duration from the first byte sent to the last byte received.
    public var timeout = Duration.seconds(60)
    /// The maximum wait for the headers and between parts of the body, or `nil` for the client's default.
    public var stallTimeout: Duration?
    /// The name for errors instead of the URL, which may contain secrets.
    public var label: String?

    /// Creates a request.
    public init(
        _ method: Method = .get, _ url: String, headers: [HTTPHeader] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The name for errors: ``label``, otherwise the URL without query, user and password.
    public var name: String {
        label ?? withoutSecrets(String(url.prefix { $0 != "?" && $0 != "#" }))
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// `GET https://host/path`, without query, body and secrets.
    public var description: String { "\(method.rawValue) \(name)" }

    /// A mirror with the description only, because a body may contain a password.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
