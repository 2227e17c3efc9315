internal import UndertextCore

/// The body of a response with several ranges: `multipart/byteranges` (RFC 9110, section 14.6).
struct MultipartRanges {
    /// A range of the file.
    struct Part {
        let offset: UInt64
        let bytes: ArraySlice<UInt8>
        var end: UInt64 { offset + UInt64(bytes.count) }
    }

    /// The parts, in the order of the response.
    private(set) var parts: [Part] = []

    /// The limit for the headers of a part, in bytes.
    private static let longestHead = 4096

    /// Parses the parts of `body` that are complete and belong to a file of `size` bytes.
    ///
    /// Parsing stops at the first malformed part; earlier parts are valid.
    init(_ body: [UInt8], boundary: String, size: UInt64?) {
        let delimiter = Array("--\(boundary)".utf8)
        var rest = body[...]
        while let start = Self.find(delimiter, in: rest.prefix(Self.longestHead)) {
            rest = rest[(start + delimiter.count)...]
            if rest.starts(with: [0x2D, 0x2D]) { return }
            guard
                let end = Self.find([13, 10, 13, 10], in: rest.prefix(Self.longestHead)),
                let range = Self.range(rest[..<end]), range.total == size || range.total == nil,
                let bytes = range.bytes,
                let count = Int(exactly: bytes.upperBound - bytes.lowerBound),
                count < rest.endIndex - (end + 4)
            else { return }
            let data = rest[(end + 4)...].prefix(count + 1)
            parts.append(Part(offset: bytes.lowerBound, bytes: data))
            rest = rest[data.endIndex...]
        }
    }

    /// The bytes of a range; `nil` if no part contains all of them.
    func bytes(of range: ByteRange) -> [UInt8]? {
        for part in parts where part.offset <= range.offset && part.end >= range.end {
            let start = part.bytes.startIndex + Int(range.offset - part.offset)
            return Array(part.bytes[start..<start + range.count])
        }
        return nil
    }

    /// The boundary in a `Content-Type`; `nil` for other types.
    static func boundary(in contentType: String) -> String? {
        let fields = contentType.split(separator: ";").map(\.trimmed)
        guard fields.first?.lowercased() == "multipart/byteranges" else { return nil }
        for field in fields.dropFirst() where field.lowercased().hasPrefix("boundary=") {
            let value = field.dropFirst("boundary=".count)
            let boundary = value.hasPrefix("\"") ? value.dropFirst().prefix { $0 != "\"" } : value
            guard (1...70).contains(boundary.utf8.count) else { return nil }
            return String(boundary)
        }
        return nil
    }

    private static func range(_ head: ArraySlice<UInt8>) -> ContentRange? {
        for line in head.split(separator: 10) where line.hasPrefix(ignoringCase: "content-range:") {
            return ContentRange(line.dropFirst("content-range:".utf8.count))
        }
        return nil
    }

    /// The index at which `pattern` begins; `pattern` must not be empty.
    private static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (bytes.startIndex...bytes.endIndex - pattern.count).first { place in
            bytes[place] == pattern[0] && bytes[place...].starts(with: pattern)
        }
    }
}
