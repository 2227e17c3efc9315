internal import UndertextCore

/// A request, and its changes on redirects.
struct PendingRequest {
    /// The request method, such as `GET`.
    private(set) var method = "GET"
    private(set) var headers: [HTTPHeader] = []
    private(set) var body: [UInt8] = []
    let ranges: [ClosedRange<UInt64>]
    let redirects: HTTPRequest.Redirects
    /// `true` if the response may use a content encoding.
    let takesPacked: Bool

    /// Requests bytes as stored.
    init(ranges: [ClosedRange<UInt64>]) {
        self.ranges = ranges
        redirects = .anywhere
        takesPacked = false
    }

    /// Creates a request to object storage.
    init(method: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.init(ranges: [])
        self.method = method
        self.headers = headers
        self.body = body
    }

    /// Creates the request that `request` describes; `nil` for headers or a range that cannot be sent.
    init?(_ request: HTTPRequest) {
        guard request.headers.allSatisfy(\.isWellFormed) else { return nil }
        method = request.method.rawValue
        headers = request.headers
        body = request.body
        redirects = request.redirects
        // A range refers to the bytes as stored on the server.
        takesPacked = request.range == nil
        if let range = request.range {
            let (last, overflow) = range.offset.addingReportingOverflow(
                UInt64(max(1, range.count)) - 1)
            guard range.count > 0, !overflow else { return nil }
            ranges = [range.offset...last]
        } else {
            ranges = []
        }
    }

    /// The header lines; an empty `Expect` stops libcurl from waiting for the server before a long body.
    var lines: [String] {
        let own = headers.map { header in
            // libcurl omits a header line without a value after the colon.
            header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
        }
        return sendsBody ? own + ["Expect:"] : own
    }

    /// A Boolean value that indicates whether a body belongs to the method.
    var sendsBody: Bool { method == "POST" || method == "PUT" }

    /// The request with the header fields of its signature.
    func signed(by signer: S3Signer?, for address: HTTPAddress) -> PendingRequest {
        #if S3
            guard let signer else { return self }
            var result = self
            let seconds = FileSystem.now.nanoseconds / 1_000_000_000
            result.headers += signer.headers(
                method: method, url: address.text, signing: headers,
                payload: S3Signer.hash(body), time: Int(seconds))
            return result
        #else
            return self
        #endif
    }

    /// Changes the request for the target of a redirect (RFC 9110, section 15.4).
    ///
    /// 303, and 301 and 302 after POST, are repeated with GET, as in browsers. Secrets and bodies are sent to
    /// the first machine only.
    ///
    /// - Returns: The reason to refuse the redirect; `nil` if it is allowed.
    mutating func redirect(
        status: Int, from first: HTTPAddress, to target: HTTPAddress
    ) -> String? {
        let staysThere = target.hasSameOrigin(as: first)
        if !staysThere, redirects == .sameOrigin { return "to another server" }
        if status == 303 || (method == "POST" && status < 303) {
            method = "GET"
            body = []
            headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
        }
        if !staysThere {
            guard body.isEmpty, method == "GET" else { return "with its body to another server" }
            headers.removeAll(where: \.isSecret)
        }
        return nil
    }
}
