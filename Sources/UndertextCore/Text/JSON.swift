/// A JSON value whose objects keep the order of their members (RFC 8259).
///
/// The output contract fixes the order of members and exact decimals, which Foundation's encoder does not
/// offer; Foundation would also double the start-up time.
public enum JSON: Hashable, Sendable {
    /// An object, members in order.
    case object([Member])
    /// An array.
    case array([JSON])
    /// A string.
    case string(String)
    /// A number, as written.
    case number(String)
    /// `true` or `false`.
    case bool(Bool)
    /// `null`.
    case null

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// The name.
        public var key: String
        /// The value.
        public var value: JSON

        /// Creates a member.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// Creates a whole number.
    public static func integer<Value: BinaryInteger>(_ value: Value) -> JSON {
        .number(String(value))
    }

    /// Creates a time in seconds with one to nine decimals.
    public static func seconds(_ time: Timestamp) -> JSON {
        .number(decimalSeconds(time))
    }

    /// Creates a string, or `null`.
    public static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    /// Creates a number with at most six decimals; not-a-number and infinity become `null`.
    public static func decimal(_ value: Double) -> JSON {
        guard value.isFinite else { return .null }
        guard value.magnitude < 9e9 else {
            // All digits of whole numbers that are exact, otherwise the shortest that identify the value.
            return value.magnitude < 0x1p53 && value == value.rounded()
                ? .integer(Int64(value)) : .number("\(value)")
        }
        let millionths = Int64((value * 1_000_000).rounded())
        guard millionths % 1_000_000 != 0 else { return .integer(millionths / 1_000_000) }
        return .seconds(Timestamp(nanoseconds: millionths * 1000))
    }

    /// The value as one line of UTF-8.
    public var compact: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, indent: nil, depth: 0)
        return bytes
    }

    /// The value over several lines as UTF-8, indented by four spaces per level.
    public var pretty: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, indent: 4, depth: 0)
        return bytes
    }

    private func append(to bytes: inout [UInt8], indent: Int?, depth: Int) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): appendQuoted(text, to: &bytes)
        case .array(let values):
            appendList(values.count, "[", "]", to: &bytes, indent: indent, depth: depth) {
                values[$0].append(to: &$1, indent: indent, depth: depth + 1)
            }
        case .object(let members):
            appendList(members.count, "{", "}", to: &bytes, indent: indent, depth: depth) {
                appendQuoted(members[$0].key, to: &$1)
                $1 += (indent == nil ? ":" : ": ").utf8
                members[$0].value.append(to: &$1, indent: indent, depth: depth + 1)
            }
        }
    }

    private func appendList(
        _ count: Int, _ open: String, _ close: String, to bytes: inout [UInt8], indent: Int?,
        depth: Int, element: (Int, inout [UInt8]) -> Void
    ) {
        func newLine(_ level: Int, _ bytes: inout [UInt8]) {
            guard let indent, count > 0 else { return }
            bytes.append(0x0A)
            bytes += repeatElement(0x20, count: indent * level)
        }
        bytes += open.utf8
        for position in 0..<count {
            if position > 0 { bytes.append(0x2C) }
            newLine(depth + 1, &bytes)
            element(position, &bytes)
        }
        newLine(depth, &bytes)
        bytes += close.utf8
    }

    private func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22: bytes += [0x5C, 0x22]
            case 0x5C: bytes += [0x5C, 0x5C]
            case 0x0A: bytes += [0x5C, 0x6E]
            case 0x0D: bytes += [0x5C, 0x72]
            case 0x09: bytes += [0x5C, 0x74]
            case 0..<0x20, 0x7F:
                bytes += "\\u\(zeroPadded(byte, to: 4, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}

/// Seconds with one to nine decimals, such as `1.001`.
package func decimalSeconds(_ time: Timestamp) -> String {
    let magnitude = time.nanoseconds.magnitude
    var fraction = zeroPadded(magnitude % 1_000_000_000, to: 9)
    while fraction.hasSuffix("0"), fraction.utf8.count > 1 { fraction.removeLast() }
    return (time.nanoseconds < 0 ? "-" : "") + "\(magnitude / 1_000_000_000).\(fraction)"
}
