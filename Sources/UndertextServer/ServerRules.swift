internal import UndertextCore
internal import UndertextStreaming

/// Rules for every request, such as permitted hosts and methods.
///
/// A web page can make a browser send requests to a host name that it has pointed at this machine (DNS
/// rebinding). Unknown host names are therefore refused; IP addresses cannot be redirected in this way.
public struct ServerRules: Sendable {
    private let site: any ServerSite
    private let names: Set<String>
    private let origin: String?
    /// The maximum length of the body of a POST in bytes; 0 refuses the method.
    package var bodyLimit = 0

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
        var request = request
        guard let host = Self.host(of: &request) else {
            return finished(
                ServerAnswer(400, saying: "the request has no valid host"))
        }
        guard isOurs(host) else {
            return finished(ServerAnswer(421, saying: "this server is not called that"))
        }
        switch request.method {
        case "GET", "HEAD": return finished(site.answer(request))
        case "POST" where bodyLimit > 0: return finished(site.answer(request))
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
            let methods = bodyLimit > 0 ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"]
            var answer = ServerAnswer(
                405, saying: "only \(methods.joined(separator: " and ")) are answered")
            answer.headers.append(HTTPHeader("Allow", methods.joined(separator: ", ")))
            // A request body would not be read.
            answer.headers.append(HTTPHeader("Connection", "close"))
            return finished(answer)
        }
    }

    /// The answer to a request with a body that is longer than ``bodyLimit``.
    func refusedBody() -> ServerAnswer {
        var answer = ServerAnswer(413, saying: "the request is longer than \(bodyLimit) bytes")
        answer.headers.append(HTTPHeader("Connection", "close"))
        return finished(answer)
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

    /// The host that a request means, without its port; `nil` where it does not name one, or several.
    ///
    /// The authority of a target in absolute form takes precedence, and only its path is kept (RFC 9112,
    /// section 3.2.2).
    private static func host(of request: inout ServerRequest) -> String? {
        guard request.hosts.count == 1 else { return nil }
        let target = URI(request.target)
        guard let authority = target.authority, target.scheme != nil else {
            return withoutPort(request.hosts[0])
        }
        request.target =
            (target.path.isEmpty ? "/" : target.path) + (target.query.map { "?" + $0 } ?? "")
        return withoutPort(authority)
    }

    /// The host of an authority; `nil` for one that RFC 3986 does not allow, section 3.2, and for one with a user.
    private static func withoutPort(_ authority: String) -> String? {
        guard let parts = URI.Authority(authority), parts.user == nil, !parts.host.isEmpty else {
            return nil
        }
        return String(parts.host)
    }

    /// Returns `true` if a host is an IP address, this machine or one of the configured names.
    private func isOurs(_ host: String) -> Bool {
        guard let name = HostName(authority: host) else { return false }
        return name.bytes != nil || name.text == "localhost" || names.contains(name.text)
    }
}
