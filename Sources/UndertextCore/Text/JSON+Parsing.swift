/// Why bytes are no JSON.
public struct JSONError: Error, Hashable, Sendable {
    /// What is wrong.
    public var message: String
    /// Where, in bytes from the beginning.
    public var offset: Int

    /// Creates an error.
    public init(_ message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }
}

extension JSON {
    /// Reads one JSON text (RFC 8259) that may come from anybody.
    ///
    /// Strict in structure. Lenient where it costs nothing: a byte order mark is skipped, invalid
    /// UTF-8 and half surrogate pairs become U+FFFD. Numbers keep their text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - depth: how deep arrays and objects may be nested.
    ///   - values: how many values there may be.
    /// - Throws: ``JSONError`` for anything else, also for what exceeds the limits.
    public init(
        parsing bytes: some Sequence<UInt8>, depth: Int = 64, values: Int = 1_000_000
    ) throws(JSONError) {
        var parser = JSONParser(Array(bytes), depth: depth, values: values)
        self = try parser.document()
    }
}

/// A cursor over a JSON text.
private struct JSONParser {
    private let bytes: [UInt8]
    private var offset = 0
    private let depthLimit: Int
    private var valuesLeft: Int

    init(_ bytes: [UInt8], depth: Int, values: Int) {
        self.bytes = bytes
        depthLimit = depth
        valuesLeft = values
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    mutating func document() throws(JSONError) -> JSON {
        let value = try value(depth: 0)
        skipBlanks()
        guard offset == bytes.count else { throw error("something follows the value") }
        return value
    }

    private func error(_ message: String) -> JSONError { JSONError(message, offset: offset) }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
            offset += 1
        }
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipBlanks()
        guard valuesLeft > 0 else { throw error("it has too many values") }
        valuesLeft -= 1
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw error("it ends early")
        default: return try number()
        }
    }

    private mutating func word(_ text: String, _ value: JSON) throws(JSONError) -> JSON {
        guard bytes[offset...].starts(with: text.utf8) else { throw error("no JSON value") }
        offset += text.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        guard depth < depthLimit else { throw error("it is nested too deeply") }
        offset += 1
        var members: [JSON.Member] = []
        skipBlanks()
        if take("}") { return .object([]) }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw error("the name of a member is missing") }
            let key = try string()
            skipBlanks()
            guard take(":") else { throw error("a colon is missing") }
            members.append(JSON.Member(key, try value(depth: depth + 1)))
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw error("a comma or brace is missing") }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        guard depth < depthLimit else { throw error("it is nested too deeply") }
        offset += 1
        var values: [JSON] = []
        skipBlanks()
        if take("]") { return .array([]) }
        while true {
            values.append(try value(depth: depth + 1))
            skipBlanks()
            if take("]") { return .array(values) }
            guard take(",") else { throw error("a comma or bracket is missing") }
        }
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = offset
        _ = take("-")
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else {
            throw error("no JSON value")
        }
        if take("."), digits() == 0 { throw error("digits are missing") }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            if !take("+") { _ = take("-") }
            guard digits() > 0 else { throw error("digits are missing") }
        }
        return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private mutating func digits() -> Int {
        let start = offset
        while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
        return offset - start
    }

    private mutating func string() throws(JSONError) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw error("a control character stands in a string")
            default: text.append(byte)
            }
        }
        throw error("it ends early")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = next else { throw error("it ends early") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            text += String(Character(try scalar())).utf8
        default: throw error("an unknown escape")
        }
    }

    /// What follows `\u`, and the second half of a pair.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let replacement: Unicode.Scalar = "\u{FFFD}"
        guard (0xD800...0xDBFF).contains(first),
            bytes[offset...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
        else { return replacement }
        let before = offset
        offset += 2
        let second = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(second) else {
            // Not a pair: the second one speaks for itself.
            offset = before
            return replacement
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch next {
            case .some(let byte) where (0x30...0x39).contains(byte): digit = byte - 0x30
            case .some(let byte) where (0x61...0x66).contains(byte | 0x20):
                digit = (byte | 0x20) - 0x61 + 10
            default: throw error("four hexadecimal digits are missing")
            }
            offset += 1
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
