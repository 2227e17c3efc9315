/// An HTTP response of any status.
public struct HTTPResponse: Hashable, Sendable {
    /// The status, such as 200 (RFC 9110, section 15).
    public var status: Int
    /// The headers by lowercase name; of several with the same name, the last.
    public var headers: [String: String]
    /// The body, after content decoding.
    public var body: [UInt8]
    /// The last URL of a chain of redirects.
    public var url: String

    /// Creates a response.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], url: String = "")
    {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// `true` if the status is 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }
}
