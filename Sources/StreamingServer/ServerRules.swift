internal import MediaCore

/// What holds for every request, whatever the site: who may ask, and how.
///
/// A page of another site can let a browser ask for a name that it has pointed at this machine; so
/// names that nobody told are refused, while addresses cannot be pointed elsewhere.
public struct ServerRules: Sendable {
    private let site: any ServerSite
    private let names: Set<String>
    private let origin: String?

    /// Creates the rules before a site.
    ///
    /// - Parameters:
    ///   - site: who answers what is allowed.
    ///   - names: the names that the server goes by, beside `localhost` and addresses.
    ///   - origin: whose pages may read the answers, `https://example.com`, or `*` for all; `nil` =
    ///     those of the server alone.
    public init(_ site: any ServerSite, names: [String] = [], origin: String? = nil) {
        self.site = site
        self.names = Set(names.map { $0.lowercased() })
        self.origin = origin
    }

    /// The answer to any request; that to HEAD has a body, which is not to be sent.
    public func answer(_ request: ServerRequest) -> ServerAnswer {
        guard let host = request.host, !host.isEmpty else {
            return finished(
                ServerAnswer(400, saying: "the request does not say which host it means"))
        }
        guard isOurs(host) else {
            return finished(ServerAnswer(421, saying: "this server is not called that"))
        }
        switch request.method {
        case "GET", "HEAD": return finished(site.answer(request))
        case "OPTIONS" where origin != nil:
            return finished(
                ServerAnswer(
                    204,
                    headers: [
                        HTTPHeader("Access-Control-Allow-Methods", "GET, HEAD"),
                        HTTPHeader("Access-Control-Allow-Headers", "Range"),
                        HTTPHeader("Access-Control-Max-Age", "600"),
                    ]))
        default:
            var answer = ServerAnswer(405, saying: "only GET and HEAD are answered")
            answer.headers.append(HTTPHeader("Allow", "GET, HEAD"))
            // There may be a body, which nobody reads.
            answer.headers.append(HTTPHeader("Connection", "close"))
            return finished(answer)
        }
    }

    private func finished(_ answer: ServerAnswer) -> ServerAnswer {
        var answer = answer
        answer.headers.append(HTTPHeader("X-Content-Type-Options", "nosniff"))
        guard let origin else { return answer }
        answer.headers.append(HTTPHeader("Access-Control-Allow-Origin", origin))
        answer.headers.append(
            HTTPHeader("Access-Control-Expose-Headers", "Content-Length, Content-Range"))
        if origin != "*" { answer.headers.append(HTTPHeader("Vary", "Origin")) }
        return answer
    }

    /// Whether a `Host` is an address, this machine or one of our names; the port does not matter.
    private func isOurs(_ host: String) -> Bool {
        if host.hasPrefix("[") { return host.contains("]") }
        let name = host.prefix { $0 != ":" }.lowercased()
        if name == "localhost" || names.contains(name) { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
