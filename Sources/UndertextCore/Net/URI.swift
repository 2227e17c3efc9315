/// A URI reference in its parts, nothing unescaped (RFC 3986, appendix B).
///
/// Every text is a reference; ``urlScheme`` distinguishes URLs from paths.
package struct URI: Hashable, Sendable {
    /// The part before the first colon, as written; `nil` for a relative reference.
    package var scheme: String?
    /// User, host and port; `nil` if there are none.
    package var authority: String?
    /// The path; empty if there is none.
    package var path: String
    /// The part after the question mark; `nil` without one.
    package var query: String?
    /// The part after the number sign; `nil` without one.
    package var fragment: String?

    /// Parses a text; every text is a reference.
    package init(_ text: String) {
        var rest = Substring(text).utf8[...]
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(Substring(rest[rest.index(after: mark)...]))
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = String(Substring(rest[rest.index(after: mark)...]))
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = String(Substring(rest[..<colon]))
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(Substring(rest[..<end]))
            rest = rest[end...]
        }
        path = String(Substring(rest))
    }

    /// The scheme of `scheme://…` in lowercase, or `nil` for other texts, such as a path with a colon.
    package var urlScheme: String? { authority == nil ? nil : scheme?.lowercased() }

    /// A Boolean value that indicates whether this is a URL of http or https.
    package var isHTTP: Bool { urlScheme == "http" || urlScheme == "https" }

    /// The last part of the path with its escapes resolved; empty for a path without parts.
    package var fileName: String {
        Self.unescaped(path).split(separator: "/").last.map(String.init) ?? ""
    }

    /// A Boolean value that indicates whether the authority names a user (RFC 3986, section 3.2.1).
    package var hasCredentials: Bool { authority?.utf8.contains(UInt8(ascii: "@")) ?? false }

    /// The reference without a user and a password.
    package var withoutCredentials: URI {
        guard let authority, let sign = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else {
            return self
        }
        var result = self
        result.authority = String(authority[authority.utf8.index(after: sign)...])
        return result
    }

    /// The reference resolved against a base (RFC 3986, section 5.2, strict).
    ///
    /// The base may be relative itself: one without a scheme gives a result without one, and one whose path is
    /// relative keeps the `..` that lead out of it.
    package func resolved(against base: URI) -> URI {
        var target = self
        if scheme != nil {
            target.path = Self.withoutDots(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.withoutDots(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.withoutDots(path)
        } else {
            target.path = Self.withoutDots(merged(with: base))
        }
        return target
    }

    private func merged(with base: URI) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(base.path[...slash]) + path
    }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        guard let first = bytes.first, first.isLetter else { return false }
        return bytes.allSatisfy { $0.isAlphanumeric || [0x2B, 0x2D, 0x2E].contains($0) }
    }

    /// Section 5.2.4, part by part.
    private static func withoutDots(_ path: String) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst(isAbsolute ? 1 : 0)
        var kept: [Substring] = []
        // The number of leading `..` of a relative path.
        var outer = 0
        for (place, part) in parts.enumerated() {
            let isLast = place == parts.count - 1
            switch part {
            case ".":
                if isLast { kept.append("") }
            case ".." where !isAbsolute && kept.count == outer:
                kept.append(part)
                outer += 1
                if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        let rest = kept.joined(separator: "/")
        // A relative reference stays relative, even if its first segment is empty.
        return (isAbsolute ? "/" : rest.utf8.first == UInt8(ascii: "/") ? "./" : "") + rest
    }
}

extension URI: CustomStringConvertible {
    /// The reference put together again (RFC 3986, section 5.3).
    package var description: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + guardedPath
            + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// The path, with a leading dot segment if it could be parsed as an authority or scheme.
    private var guardedPath: String {
        guard authority == nil else { return path }
        if path.hasPrefix("//") { return "/." + path }
        guard scheme == nil, path.prefix(while: { $0 != "/" }).contains(":") else { return path }
        return "./" + path
    }
}
