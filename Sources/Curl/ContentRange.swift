/// The header `Content-Range` (RFC 9110, section 14.4): `bytes 0-99/1234`, `bytes */1234`.
struct ContentRange: Hashable {
    /// The first and last byte of the body; `nil` where no range was sent.
    let bytes: ClosedRange<UInt64>?
    /// The length of the whole; `nil` if the server does not know.
    let total: UInt64?

    /// `nil` for what is not well-formed.
    init?(_ text: String) {
        let trimmed = text.trimmed
        guard trimmed.utf8.count > 6, trimmed.prefix(6).lowercased() == "bytes " else { return nil }
        let parts = trimmed.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let number = Self.number(parts[1]) else { return nil }
            total = number
        }
        if parts[0] == "*" {
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < .max
        else { return nil }
        if let total, last >= total { return nil }
        bytes = first...last
    }

    private static func number(_ text: Substring) -> UInt64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
    }
}

extension StringProtocol {
    /// Without blanks and line ends at both ends.
    var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
