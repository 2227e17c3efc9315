public import UndertextCore
internal import UndertextIO

/// The parts of a client's request that sites use.
public struct ServerRequest: Hashable, Sendable {
    /// The method, such as `GET`.
    public var method: String
    /// The path with its escapes, and the query if there is one.
    public var target: String
    /// The headers `Host`; a request has one (RFC 9112, section 3.2).
    public var hosts: [String]
    /// The header `Range`; `nil` without one.
    public var range: String?
    /// The header `Origin`, the origin of the page that sends the request; `nil` without one.
    package var origin: String?
    /// The body; empty unless the rules accept one.
    package var body: [UInt8] = []

    /// Creates a request.
    public init(
        _ method: String = "GET", _ target: String, host: String? = nil, range: String? = nil
    ) {
        self.init(method, target, hosts: host.map { [$0] } ?? [], range: range)
    }

    /// Creates a request with all its headers `Host`.
    public init(_ method: String, _ target: String, hosts: [String], range: String? = nil) {
        self.method = method
        self.target = target
        self.hosts = hosts
        self.range = range
    }

    /// The parts of the path, escapes undone once; `nil` for a path that could mislead: with empty
    /// parts within, `.`, `..`, hidden names, escaped slashes or zeros, or bytes that are no
    /// UTF-8.
    public var path: [String]? {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard path.first == UInt8(ascii: "/") else { return nil }
        let parts = path.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.count == 1, parts[0].isEmpty { return [] }
        var names: [String] = []
        for part in parts {
            guard let name = URI.strictlyUnescaped(Substring(part)), !name.isEmpty,
                name.utf8.first != 0x2E,
                !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 })
            else { return nil }
            names.append(name)
        }
        return names
    }
}

extension ServerRequest {
    /// The values of the query by name; of several with a name the last one, and none that is not UTF-8.
    package var query: [String: String] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [:] }
        let text = target[target.utf8.index(after: mark)...].prefix { $0 != "#" }
        var values: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = URI.strictlyUnescaped(parts[0]),
                let value = URI.strictlyUnescaped(parts.count == 2 ? parts[1] : "")
            else { continue }
            values[name] = value
        }
        return values
    }
}

/// A site's response.
public struct ServerAnswer: Sendable {
    /// The body.
    public enum Body: Sendable {
        /// Bytes.
        case bytes([UInt8])
        /// A part of a source, read in pieces while it is sent.
        case source(any ByteSource, range: Range<UInt64>)

        /// Its length in bytes.
        public var count: UInt64 {
            switch self {
            case .bytes(let bytes): UInt64(bytes.count)
            case .source(_, let range): range.upperBound - range.lowerBound
            }
        }
    }

    /// The status (RFC 9110, section 15).
    public var status: Int
    /// The headers; what the server adds by itself is not among them.
    public var headers: [HTTPHeader]
    /// The body.
    public var body: Body

    /// Creates an answer.
    public init(_ status: Int, headers: [HTTPHeader] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response of a media type, which clients may cache for `maxAge` seconds.
    public init(_ bytes: [UInt8], type: String, maxAge: Int) {
        self.init(
            200,
            headers: [
                HTTPHeader("Content-Type", type), HTTPHeader("Cache-Control", "max-age=\(maxAge)"),
            ], body: .bytes(bytes))
    }

    /// An answer that is a sentence.
    public init(_ status: Int, saying text: String) {
        self.init(
            status,
            headers: [
                HTTPHeader("Content-Type", "text/plain; charset=utf-8"),
                HTTPHeader("Cache-Control", "no-store"),
            ], body: .bytes(Array((text + "\n").utf8)))
    }

    /// A header by its name in any case.
    public subscript(name: String) -> String? {
        headers.last { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A handler of requests; calls may block.
public protocol ServerSite: Sendable {
    /// The answer to a request of the methods GET and HEAD, and POST if the rules accept bodies.
    func answer(_ request: ServerRequest) -> ServerAnswer
}

/// The media types of what presentations are made of (RFC 8216, section 4; RFC 6381).
public enum MediaTypes {
    /// Of playlists.
    public static let playlist = "application/vnd.apple.mpegurl"
    /// Of WebVTT, which is always UTF-8.
    public static let webVTT = "text/vtt"

    /// Returns the media type for a file name.
    public static func type(ofName name: String) -> String {
        switch PathName.baseName(name).split(separator: ".").last?.lowercased() {
        case "m3u8": playlist
        case "vtt": webVTT
        case "ts": "video/mp2t"
        case "m4s", "mp4", "m4v", "cmfv": "video/mp4"
        case "m4a", "cmfa": "audio/mp4"
        case "aac": "audio/aac"
        case "mp3": "audio/mpeg"
        case "mpd": "application/dash+xml"
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript"
        case "css": "text/css"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        default: "application/octet-stream"
        }
    }
}
