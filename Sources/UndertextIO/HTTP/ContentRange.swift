internal import UndertextCore

/// The header `Content-Range` (RFC 9110, section 14.4): `bytes 0-99/1234`, `bytes */1234`.
struct ContentRange: Hashable {
    /// The first and last byte of the body; `nil` if no range was sent.
    let bytes: ClosedRange<UInt64>?
    /// The length of the entire resource; `nil` if the server does not know it.
    let total: UInt64?

    /// Returns `nil` if the header is malformed.
    init?(_ text: String) { self.init(Array(text.utf8)[...]) }

    /// Returns `nil` if the header is malformed.
    ///
    /// The parser works on bytes, because a multipart response has one header for each range.
    init?(_ field: ArraySlice<UInt8>) {
        var rest = field.trimmed
        guard rest.hasPrefix(ignoringCase: "bytes ") else { return nil }
        rest.removeFirst(6)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let (range, length) = (rest[..<slash], rest[(slash + 1)...])
        if length.elementsEqual([UInt8(ascii: "*")]) {
            total = nil
        } else {
            guard let number: UInt64 = decimalNumber(length) else { return nil }
            total = number
        }
        if range.elementsEqual([UInt8(ascii: "*")]) {
            bytes = nil
            return
        }
        guard let dash = range.firstIndex(of: UInt8(ascii: "-")),
            let first: UInt64 = decimalNumber(range[..<dash]),
            let last: UInt64 = decimalNumber(range[(dash + 1)...]),
            first <= last, last < .max
        else { return nil }
        if let total, last >= total { return nil }
        bytes = first...last
    }
}

extension ArraySlice<UInt8> {
    /// The slice without spaces and line endings at both ends.
    var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first <= 0x20 { slice.removeFirst() }
        while let last = slice.last, last <= 0x20 { slice.removeLast() }
        return slice
    }

    /// `true` if the slice begins with `text`, which must be lowercase ASCII.
    func hasPrefix(ignoringCase text: String) -> Bool {
        count >= text.utf8.count
            && zip(self, text.utf8).allSatisfy { byte, letter in
                (0x41...0x5A).contains(byte) ? byte | 0x20 == letter : byte == letter
            }
    }
}

extension StringProtocol {
    /// The string without spaces and line endings at both ends.
    var trimmed: String {
        String(decoding: Array(utf8)[...].trimmed, as: UTF8.self)
    }
}
