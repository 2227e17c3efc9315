/// Replaces the secrets of URLs by `***`: users, passwords, and the values of query parameters that grant
/// access.
///
/// Use it for everything that people or logs see: messages, reports and JSON; never for URLs to open. Users are
/// hidden, too, because tokens are passed as users. A query value is hidden if the name of its parameter refers
/// to a key, a token, a signature or a password. A text without `://` is returned unchanged.
package func withoutSecrets(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard URLSecrets.firstAuthority(in: bytes, from: 0) != nil else { return text }
    var secrets = URLSecrets(bytes)
    secrets.hideUsers()
    secrets.hideParameters()
    return String(decoding: secrets.bytes, as: UTF8.self)
}

/// The search for secrets in the bytes of a text.
private struct URLSecrets {
    private(set) var bytes: [UInt8]
    private static let mask = Array("***".utf8)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the start of the next authority: after `://`.
    static func firstAuthority(in bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while place + 3 <= bytes.count {
            if bytes[place] == UInt8(ascii: ":"), bytes[place + 1] == UInt8(ascii: "/"),
                bytes[place + 2] == UInt8(ascii: "/")
            {
                return place + 3
            }
            place += 1
        }
        return nil
    }

    /// Hides the user information before the host (RFC 3986, section 3.2.1).
    ///
    /// Each byte is visited a constant number of times: authorities do not overlap, and a run without spaces is
    /// searched once.
    mutating func hideUsers() {
        let firstBlank = bytes.firstIndex(where: Self.endsURL) ?? bytes.endIndex
        let firstEnd =
            bytes[firstBlank...].firstIndex { Self.endsURL($0) && $0 != UInt8(ascii: " ") }
            ?? bytes.endIndex
        var run = Run(end: 0, lastAt: nil)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var done = 0
        while let start = Self.firstAuthority(in: bytes, from: done) {
            result += bytes[done..<start]
            done = start
            if start >= run.end { run = Run(in: bytes, from: start) }
            // If the entire text is a URL, spaces may be part of a password.
            let end = start <= firstBlank ? firstEnd : run.end
            guard let user = userEnd(bytes[start..<end], run) else { continue }
            result += Self.mask
            done = user
        }
        bytes = result + bytes[done...]
    }

    /// Bytes without a blank.
    private struct Run {
        var end: Int
        /// The last `@` in it.
        var lastAt: Int?

        init(end: Int, lastAt: Int?) {
            self.end = end
            self.lastAt = lastAt
        }

        init(in bytes: [UInt8], from start: Int) {
            end = bytes[start...].firstIndex(where: URLSecrets.endsURL) ?? bytes.endIndex
            lastAt = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
        }
    }

    /// Returns the offset of the `@` after the user information, or `nil` if there is none.
    private func userEnd(_ rest: ArraySlice<UInt8>, _ run: Run) -> Int? {
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return at }
        // A password with an unescaped slash: the apparent port is not one.
        guard authority.first != UInt8(ascii: "["),
            let colon = authority.firstIndex(of: UInt8(ascii: ":")),
            authority[(colon + 1)...].contains(where: { $0 &- 0x30 > 9 }),
            let at = run.lastAt, at >= rest.startIndex
        else { return nil }
        return at
    }

    /// Hides the values of parameters that grant access.
    mutating func hideParameters() {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            result.append(byte)
            place += 1
            guard byte == UInt8(ascii: "?") || byte == UInt8(ascii: "&") else { continue }
            let name = bytes[place...].prefix { Self.isOfName($0) }
            guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "="),
                Self.isSecret(name)
            else { continue }
            let start = name.endIndex + 1
            var value = bytes[start...].prefix {
                !Self.endsURL($0) && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "#")
            }
            // Punctuation at the end of a sentence is not a part of it.
            while let last = value.last, "'),.:;".utf8.contains(last) { value.removeLast() }
            result += bytes[place..<start] + (value.isEmpty ? [] : Self.mask)
            place = value.endIndex
        }
        bytes = result
    }

    private static func endsURL(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || "\"<>".utf8.contains(byte)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_.~%".utf8.contains(byte)
        }
    }

    /// `true` if a parameter of that name grants access: those of signed URLs of Amazon, Google, Azure and Akamai,
    /// and what services call their keys.
    private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        let plain = String(
            decoding: name.filter { !"-_.".utf8.contains($0) }, as: UTF8.self
        ).lowercased()
        return names.contains(plain) || ends.contains(where: plain.hasSuffix)
    }

    private static let names: Set = [
        "accesskeyid", "auth", "authkey", "authorization", "awsaccesskeyid", "hdnea", "hdntl",
        "hdnts",
        "hmac", "jwt", "key", "keypairid", "pass", "passwd", "pwd", "session", "sessionid", "sid",
        "sig",
    ]
    private static let ends = [
        "apikey", "accesskey", "credential", "password", "secret", "signature", "token",
    ]
}
