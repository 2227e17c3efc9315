/// What a web server answered, whatever its status.
public struct HTTPResponse: Hashable, Sendable {
    /// The status, such as 200 (RFC 9110, section 15).
    public var status: Int
    /// The headers by their name in lower case; of several of one name the last.
    public var headers: [String: String]
    /// The body, unpacked where it was packed for the way.
    public var body: [UInt8]
    /// Who answered: the last address of a chain of redirects.
    public var url: String

    /// Creates an answer.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], url: String = "")
    {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// `true` if the server did what it was asked for: 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }
}
