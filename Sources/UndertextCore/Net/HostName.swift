extension URI {
    /// The parts of an authority, `user@host:port` (RFC 3986, section 3.2).
    package struct Authority: Hashable, Sendable {
        /// User and password; `nil` without an `@`.
        package var user: Substring?
        /// The host, an IPv6 address with its brackets; empty if there is none.
        package var host: Substring
        /// The digits of the port; `nil` without a colon.
        package var port: Substring?

        /// Parses an authority, or returns `nil` if the port is not a number or a bracket is not closed.
        package init?(_ text: String) {
            var rest = text[...]
            if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
                user = rest[..<at]
                rest = rest[rest.utf8.index(after: at)...]
            }
            var end = rest.utf8.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
            if rest.utf8.first == UInt8(ascii: "[") {
                guard let bracket = rest.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
                end = rest.utf8.index(after: bracket)
            }
            host = rest[..<end]
            rest = rest[end...]
            guard !rest.isEmpty else { return }
            let digits = rest.utf8.dropFirst()
            guard rest.utf8.first == UInt8(ascii: ":"), digits.allSatisfy(\.isDigit) else {
                return nil
            }
            port = Substring(digits)
        }
    }

    /// The host; `nil` for a reference without one, or with one that hides where it leads.
    package var host: HostName? { authority.flatMap(HostName.init(authority:)) }
}

/// The host of a URL, classified by its spelling.
package struct HostName: Hashable, Sendable {
    /// In lower case, without user, port and brackets.
    package let text: String
    /// The bytes of the address, if it is one of IPv4 or IPv6.
    package let bytes: [UInt8]?

    /// The host of an authority; `nil` for what no host is, or hides what it is.
    package init?(authority: String) {
        guard let parts = URI.Authority(authority) else { return nil }
        var rest = parts.host
        if rest.first == "[" {
            let address = rest.dropFirst().dropLast()
            guard let bytes = Self.version6(address) else { return nil }
            self.bytes = bytes
            text = address.lowercased()
            return
        }
        while rest.last == "." { rest.removeLast() }
        let isPlain = rest.utf8.allSatisfy {
            $0 > 0x20 && $0 < 0x7F && !"%<>\\^`{|}\"".utf8.contains($0)
        }
        guard !rest.isEmpty, isPlain else { return nil }
        text = rest.lowercased()
        bytes = Self.version4(text[...])
        // `127.1`, `0x7f000001` and `2130706433` are addresses to some who open them.
        guard bytes != nil || !Self.endsInNumber(text) else { return nil }
    }

    /// A Boolean value that indicates whether this is this machine or one of the networks around it, by its
    /// spelling alone.
    package var isPrivate: Bool {
        if let bytes { return PrivateAddress.contains(bytes) }
        return text == "localhost" || text.hasSuffix(".localhost")
    }

    private static func endsInNumber(_ host: String) -> Bool {
        guard let last = host.split(separator: ".").last else { return false }
        return last.utf8.allSatisfy { $0.isDigit } || last.hasPrefix("0x")
    }

    private static func version4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard part.utf8.count <= 3, part.utf8.allSatisfy({ $0.isDigit }),
                part == "0" || part.first != "0", let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Eight groups, `::` for a run of zeros, the last two perhaps as IPv4 (RFC 4291, section 2.2).
    private static func version6(_ text: Substring) -> [UInt8]? {
        guard let gap = text.range(ofDoubleColon: ()) else {
            let bytes = groups(text)
            return bytes?.count == 16 ? bytes : nil
        }
        guard let head = groups(text[..<gap.lowerBound]),
            let tail = groups(text[gap.upperBound...]),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var bytes: [UInt8] = []
        for (place, part) in parts.enumerated() {
            if place == parts.count - 1, part.contains(".") {
                guard let last = version4(part) else { return nil }
                bytes += last
            } else {
                guard (1...4).contains(part.utf8.count), let group = UInt16(part, radix: 16),
                    part.first != "+"
                else { return nil }
                bytes.appendBigEndian(group)
            }
        }
        return bytes
    }
}

extension Substring {
    /// Returns the range of the first two consecutive colons.
    fileprivate func range(ofDoubleColon: Void) -> Range<Index>? {
        var place = startIndex
        while place < endIndex {
            let next = index(after: place)
            if self[place] == ":", next < endIndex, self[next] == ":" {
                return place..<index(after: next)
            }
            place = next
        }
        return nil
    }
}
