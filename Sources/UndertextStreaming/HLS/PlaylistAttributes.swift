/// The attribute list of a tag; order, spacing and unknown attributes are kept.
///
/// RFC 8216, section 4.2. Of attributes with the same name, which are forbidden, the first counts.
public struct PlaylistAttributes: Hashable, Sendable {
    /// An attribute.
    public struct Attribute: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value without quotation marks, variables replaced.
        public fileprivate(set) var value: String
        /// `true` if the value is quoted.
        public let isQuoted: Bool
        /// The position of the value, quotation marks included.
        fileprivate let range: Range<Int>
    }

    /// A value to be written.
    public enum Value: Hashable, Sendable {
        /// A quoted string; characters that are not allowed are replaced.
        case quoted(String)
        /// An unquoted value: numbers and words such as `YES`.
        case plain(String)

        var bytes: [UInt8] {
            switch self {
            case .plain(let text): Array(text.utf8)
            case .quoted(let text): [0x22] + PlaylistAttributes.quotable(text).utf8 + [0x22]
            }
        }
    }

    /// The list as it is stored.
    public private(set) var bytes: [UInt8]
    /// The attributes in order.
    public private(set) var list: [Attribute] = []
    /// A Boolean value that indicates whether the list contains an invalid attribute or lacks a quotation mark.
    public private(set) var isDamaged = false
    private let limit: Int

    /// Parses a list: what follows a tag's colon.
    public init(_ bytes: [UInt8], limits: StreamingLimits = StreamingLimits()) {
        self.bytes = bytes
        limit = limits.attributes
        parse()
    }

    /// The value of the first attribute of that name.
    public subscript(_ name: String) -> String? { list.first { $0.name == name }?.value }

    /// `true` if the attribute has the value `YES`.
    public func isYes(_ name: String) -> Bool { self[name] == "YES" }

    /// Sets an attribute in its place, or after the others, before them where the list is
    /// damaged; all else stays as it is.
    public mutating func set(_ name: String, to value: Value) {
        if let known = list.first(where: { $0.name == name }) {
            bytes.replaceSubrange(known.range, with: value.bytes)
        } else {
            let new = Array(name.utf8) + [0x3D] + value.bytes
            var end = bytes.count
            while end > 0, isBlank(bytes[end - 1]) { end -= 1 }
            // After damage it would not be seen.
            if isDamaged {
                bytes.insert(contentsOf: new + [0x2C], at: 0)
            } else {
                bytes.insert(contentsOf: (end > 0 ? [0x2C] : []) + new, at: end)
            }
        }
        list = []
        isDamaged = false
        parse()
    }

    /// Replaces variables in values; what is stored stays as it is.
    mutating func replaceVariables(
        _ replace: (String) throws(PlaylistVariables.Failure) -> String
    ) throws(PlaylistVariables.Failure) {
        for index in list.indices where list[index].value.utf8.contains(0x24) {
            list[index].value = try replace(list[index].value)
        }
    }

    /// A text without characters that are not allowed in quotes, or would be read as a variable.
    static func quotable(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: result += "'"
            case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: result += " "
            case 0x24 where result.unicodeScalars.last == "{": result += " $"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private mutating func parse() {
        var position = 0
        while position < bytes.count {
            guard list.count < limit else {
                isDamaged = true
                return
            }
            let start = position
            while position < bytes.count, bytes[position] != 0x3D, bytes[position] != 0x2C {
                position += 1
            }
            let name = trimmed(start..<position)
            guard position < bytes.count, bytes[position] == 0x3D, !name.isEmpty else {
                // Not an attribute; white space between commas is ignored.
                if !name.isEmpty || (position < bytes.count && bytes[position] == 0x3D) {
                    isDamaged = true
                }
                skipToComma(&position)
                continue
            }
            position += 1
            while position < bytes.count, isBlank(bytes[position]) { position += 1 }
            let valueStart = position
            if position < bytes.count, bytes[position] == 0x22 {
                let end = bytes[(position + 1)...].firstIndex(of: 0x22)
                isDamaged = isDamaged || end == nil
                let inner = position + 1..<(end ?? bytes.count)
                position = end.map { $0 + 1 } ?? bytes.count
                append(name, inner, true, valueStart..<position)
                skipToComma(&position)
            } else {
                skipToComma(&position, consuming: false)
                let value = trimmed(valueStart..<position)
                append(name, value, false, value)
                position += 1
            }
        }
    }

    private mutating func append(
        _ name: Range<Int>, _ value: Range<Int>, _ isQuoted: Bool, _ range: Range<Int>
    ) {
        list.append(
            Attribute(
                name: String(decoding: bytes[name], as: UTF8.self),
                value: String(decoding: bytes[value], as: UTF8.self), isQuoted: isQuoted,
                range: range))
    }

    private func skipToComma(_ position: inout Int, consuming: Bool = true) {
        while position < bytes.count, bytes[position] != 0x2C { position += 1 }
        if consuming { position += 1 }
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, isBlank(bytes[first]) { range.removeFirst() }
        while let last = range.last, isBlank(bytes[last]) { range.removeLast() }
        return range
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
