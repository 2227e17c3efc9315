/// Where a service is asked: `https://host[:port]/path`.
///
/// Keys travel only encrypted; http is for servers on this machine, such as those of tests.
struct ServiceAddress: Hashable, Sendable {
    private let scheme: String
    private let authority: String
    private let path: String

    /// The whole address without a slash at its end.
    var text: String { "\(scheme)://\(authority)\(path)" }
    /// The host, without its port.
    var host: String { Self.host(of: authority) }

    /// `nil` for anything else.
    init?(_ text: String) {
        let lower = text.lowercased()
        guard let scheme = ["https", "http"].first(where: { lower.hasPrefix("\($0)://") }) else {
            return nil
        }
        let rest = text.dropFirst(scheme.utf8.count + 3)
        let authority = rest.prefix { $0 != "/" }.lowercased()
        var path = rest.dropFirst(authority.utf8.count)
        while path.last == "/" { path = path.dropLast() }
        guard Self.isAuthority(authority),
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 })
        else { return nil }
        self.init(scheme: scheme, authority: authority, path: String(path))
        guard scheme == "https" || Self.isLoopback(host) else { return nil }
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
        var place = place.lowercased()[...]
        if place.hasPrefix("\(scheme)://") { place = place.dropFirst(scheme.utf8.count + 3) }
        let authority = String(place.prefix { $0 != "/" })
        guard Self.isAuthority(authority) else { return nil }
        let target = Self.host(of: authority)
        guard target == host || (domain.map { target.hasSuffix(".\($0)") } ?? false) else {
            return nil
        }
        return ServiceAddress(scheme: scheme, authority: authority, path: path)
    }

    /// What is left of a name without its first part, where that is a domain.
    private var domain: Substring? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, !parts.contains(""), parts.last?.allSatisfy(\.isLetter) == true
        else { return nil }
        return host.dropFirst(parts[0].utf8.count + 1)
    }

    private static func host(of authority: String) -> String {
        if authority.first == "[" { return String(authority.prefix { $0 != "]" }) + "]" }
        return String(authority.prefix { $0 != ":" })
    }

    /// A name or address with an optional port; nobody's name and password.
    private static func isAuthority(_ text: String) -> Bool {
        let rest = text.dropFirst(host(of: text).utf8.count)
        let host = host(of: text)
        let isFit =
            host.first == "["
            ? host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
            : host.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
            }
        guard isFit, !host.isEmpty, text.utf8.count <= 260 else { return false }
        return rest.isEmpty
            || (rest.first == ":" && UInt16(rest.dropFirst()) != nil && rest.utf8.count > 1)
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
