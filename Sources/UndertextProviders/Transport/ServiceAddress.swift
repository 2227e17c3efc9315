internal import UndertextCore

/// The URL of a service: `https://host[:port]/path`.
///
/// Keys are sent only encrypted; http is allowed for servers on this machine, such as those of tests.
struct ServiceAddress: Hashable, Sendable {
    private let scheme: String
    private let authority: String
    private let path: String

    /// The whole address without a slash at its end.
    var text: String { "\(scheme)://\(authority)\(path)" }
    /// The host without its port, an IPv6 address in brackets.
    var host: String { String(URI.Authority(authority)?.host ?? "") }

    /// Parses a URL, or returns `nil` for other text.
    init?(_ text: String) {
        let uri = URI(text)
        guard uri.isHTTP, uri.query == nil, uri.fragment == nil, let scheme = uri.urlScheme,
            let authority = uri.authority?.lowercased(), Self.isServer(authority),
            uri.path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        var path = uri.path[...]
        while path.last == "/" { path.removeLast() }
        self.init(scheme: scheme, authority: authority, path: String(path))
        guard scheme == "https" || Self.isLoopback(authority) else { return nil }
    }

    private init(scheme: String, authority: String, path: String) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
    }

    /// The same service at the host that a server names, such as `vip-api.example.com`.
    ///
    /// - Returns: `nil` for a host of another domain, which must not get the key.
    func moved(to place: String) -> ServiceAddress? {
        let address = ServiceAddress(place.contains("://") ? place : "\(scheme)://\(place)")
        guard let address, address.scheme == scheme,
            address.host == host || (domain.map { address.host.hasSuffix(".\($0)") } ?? false)
        else { return nil }
        return ServiceAddress(scheme: scheme, authority: address.authority, path: path)
    }

    /// The host name without its first label, or `nil` if that is not a domain.
    private var domain: Substring? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, !parts.contains(""), parts.last?.allSatisfy(\.isLetter) == true
        else { return nil }
        return host.dropFirst(parts[0].utf8.count + 1)
    }

    /// Returns `true` if an authority is a host name or address with an optional port, without user and password.
    private static func isServer(_ authority: String) -> Bool {
        guard let parts = URI.Authority(authority), parts.user == nil, !parts.host.isEmpty,
            authority.utf8.count <= 260, parts.port.map({ UInt16($0) != nil }) ?? true
        else { return false }
        if parts.host.first == "[" {
            return parts.host.dropFirst().dropLast().utf8.allSatisfy {
                $0.hexValue != nil || $0 == 0x3A || $0 == 0x2E
            }
        }
        return parts.host.utf8.allSatisfy { $0.isAlphanumeric || $0 == 0x2D || $0 == 0x2E }
    }

    private static func isLoopback(_ authority: String) -> Bool {
        guard let host = HostName(authority: authority) else { return false }
        guard let bytes = host.bytes else { return host.text == "localhost" }
        return bytes.count == 4
            ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }
}
