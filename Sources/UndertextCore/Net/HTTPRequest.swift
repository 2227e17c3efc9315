/// A question to a web server, and what its answer may cost.
public struct HTTPRequest: Hashable, Sendable {
    /// What is asked for (RFC 9110, section 9).
    public enum Method: String, Hashable, Sendable {
        /// A representation of what is there.
        case get = "GET"
        /// That the server works on the body.
        case post = "POST"
        /// That something goes.
        case delete = "DELETE"
    }

    /// Where a redirect may lead.
    public enum Redirects: Hashable, Sendable {
        /// To any public machine; secret headers stay behind, and so does a body.
        case anywhere
        /// To the same machine and port only: for requests that carry keys.
        case sameOrigin
    }

    /// What is asked for.
    public var method: Method
    /// The address, of http or https.
    public var url: String
    /// Where ``url`` comes from, if a server told it: the address that the user named.
    ///
    /// Then it is held to the rules of redirects: no other scheme, never from https to http, and no
    /// private or local machine but the one that the user named.
    public var namedURL: String?
    /// Headers beside those that every request has.
    public var headers: [HTTPHeader]
    /// What is sent along; empty for none.
    public var body: [UInt8]
    /// The bytes that are wanted; `nil` for all.
    public var range: ByteRange?
    /// Where redirects may lead.
    public var redirects = Redirects.anywhere
    /// Bytes of the answer's body at most, counted after it is unpacked; more is an error.
    public var bodyLimit = 16 << 20
    /// How long it may take from the first byte sent to the last one received.
    public var timeout = Duration.seconds(60)
    /// How long nothing may come: until the headers are complete, and between parts of the body; `nil` = as long
    /// as the client allows.
    public var stallTimeout: Duration?
    /// What errors name instead of the address, which may hold more than should be shown.
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

    /// What errors name: ``label``, otherwise the address up to its query, without user and password.
    public var name: String {
        label ?? withoutSecrets(String(url.prefix { $0 != "?" && $0 != "#" }))
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// `GET https://host/path`: neither query, body nor secrets.
    public var description: String { "\(method.rawValue) \(name)" }

    /// What `dump` shows: the description, since a body may hold a password.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
