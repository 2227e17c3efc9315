public import UndertextCore

/// Reads JSON into ``JSON``, member order and repeated names kept; `nil` if it is malformed.
public func readJSON(_ bytes: [UInt8]) -> JSON? {
    var reader = JSONReader(bytes: bytes)
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    return reader.position == bytes.count ? value : nil
}

private struct JSONReader {
    let bytes: [UInt8]
    var position = 0

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
    }

    mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    mutating func value(depth: Int) -> JSON? {
        guard depth < 64 else { return nil }
        skipSpace()
        if take("null") { return .null }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        if take("{") { return object(depth: depth) }
        if take("[") { return array(depth: depth) }
        if next == 0x22 { return string().map(JSON.string) }
        let start = position
        while let byte = next, "+-.eE0123456789".utf8.contains(byte) { position += 1 }
        guard position > start else { return nil }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    mutating func object(depth: Int) -> JSON? {
        var members: [JSON.Member] = []
        skipSpace()
        if take("}") { return .object([]) }
        while true {
            skipSpace()
            guard let key = string() else { return nil }
            skipSpace()
            guard take(":"), let value = value(depth: depth + 1) else { return nil }
            members.append(.init(key, value))
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { return nil }
        }
    }

    mutating func array(depth: Int) -> JSON? {
        var values: [JSON] = []
        skipSpace()
        if take("]") { return .array([]) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
            skipSpace()
            if take("]") { return .array(values) }
            guard take(",") else { return nil }
        }
    }

    mutating func string() -> String? {
        guard take("\"") else { return nil }
        var result: [UInt8] = []
        while let byte = next {
            position += 1
            if byte == 0x22 { return String(decoding: result, as: UTF8.self) }
            guard byte == 0x5C else {
                result.append(byte)
                continue
            }
            guard let escape = next else { return nil }
            position += 1
            switch escape {
            case UInt8(ascii: "b"): result.append(8)
            case UInt8(ascii: "f"): result.append(12)
            case UInt8(ascii: "n"): result.append(10)
            case UInt8(ascii: "r"): result.append(13)
            case UInt8(ascii: "t"): result.append(9)
            case UInt8(ascii: "u"):
                guard let unit = hexUnit(), let scalar = Unicode.Scalar(unit) else { return nil }
                result += String(Character(scalar)).utf8
            default: result.append(escape)
            }
        }
        return nil
    }

    mutating func hexUnit() -> UInt16? {
        guard bytes.count - position >= 4 else { return nil }
        defer { position += 4 }
        return UInt16(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    }
}

extension JSON {
    /// The values of an array.
    public var values: [JSON] { elements }

    /// The names of an object's members, in order.
    public var keys: [String] { members.map(\.key) }
}
