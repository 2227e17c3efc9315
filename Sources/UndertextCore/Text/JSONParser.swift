/// A pull parser of JSON (RFC 8259): it returns one token at a time and keeps nothing.
///
/// Several values may follow one another, as in JSON Lines.
package struct JSONParser {
    /// A part of a JSON text.
    package enum Token: Hashable, Sendable {
        /// The beginning of an object.
        case objectStart
        /// The end of an object.
        case objectEnd
        /// The beginning of an array.
        case arrayStart
        /// The end of an array.
        case arrayEnd
        /// The name of a member; ``JSONParser/text`` has it, and its value comes next.
        case name
        /// A string; ``JSONParser/text`` has it.
        case string
        /// A number; ``JSONParser/text`` has it as it is written.
        case number
        /// `true` or `false`.
        case bool(Bool)
        /// `null`.
        case null
    }

    /// The tokens that may come next.
    private enum Expectation {
        case value, firstElement, firstName, separator
    }

    /// The position of the parser, in bytes from the beginning.
    package private(set) var offset = 0
    private let bytes: [UInt8]
    private let depthLimit: Int
    private var valuesLeft: Int
    /// The arrays and objects that are open: `true` for objects.
    private var open: [Bool] = []
    private var expected = Expectation.value
    /// The name, string or number read last, without quotation marks.
    private var range = 0..<0
    private var hasEscapes = false

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - bytes: the text; a byte order mark is skipped.
    ///   - depth: the maximum nesting of arrays and objects.
    ///   - values: the maximum number of values.
    package init(_ bytes: [UInt8], depth: Int = 64, values: Int = .max) {
        self.bytes = bytes
        depthLimit = depth
        valuesLeft = values
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Number of arrays and objects that are open.
    package var depth: Int { open.count }

    /// A Boolean value that indicates whether only white space is left.
    package var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return offset == bytes.count
        }
    }

    /// The next token; `nil` at the end of the text.
    package mutating func next() throws(UndertextError) -> Token? {
        skipBlanks()
        switch expected {
        case .value:
            if open.isEmpty, offset == bytes.count { return nil }
            return try value()
        case .firstElement: return take("]") ? close(.arrayEnd) : try value()
        case .firstName: return take("}") ? close(.objectEnd) : try name()
        case .separator:
            let isObject = open.last ?? false
            if take(isObject ? "}" : "]") { return close(isObject ? .objectEnd : .arrayEnd) }
            guard take(",") else {
                throw error("a comma or \(isObject ? "brace" : "bracket") is missing")
            }
            skipBlanks()
            return isObject ? try name() : try value()
        }
    }

    /// The name, string or number that ``next()`` returned last, escapes resolved.
    ///
    /// Invalid UTF-8 and half surrogate pairs become U+FFFD.
    package var text: String {
        guard hasEscapes else { return String(decoding: bytes[range], as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var rest = bytes[range]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                Self.appendEscape(&rest, to: &text)
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// An error at the current offset.
    func error(_ message: String) -> UndertextError {
        UndertextError(.malformed, message, byteOffset: UInt64(offset))
    }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
            offset += 1
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: scalar) else { return false }
        offset += 1
        return true
    }

    private mutating func close(_ token: Token) -> Token {
        open.removeLast()  // trap: only called with an array or object open
        expected = open.isEmpty ? .value : .separator
        return token
    }

    private mutating func name() throws(UndertextError) -> Token {
        guard byte == UInt8(ascii: "\"") else { throw error("the name of a member is missing") }
        try string()
        skipBlanks()
        guard take(":") else { throw error("a colon is missing") }
        expected = .value
        return .name
    }

    private mutating func value() throws(UndertextError) -> Token {
        guard valuesLeft > 0 else { throw error("it has too many values") }
        valuesLeft -= 1
        switch byte {
        case UInt8(ascii: "{"): return try begin(.objectStart, isObject: true)
        case UInt8(ascii: "["): return try begin(.arrayStart, isObject: false)
        default: break
        }
        let token: Token
        switch byte {
        case UInt8(ascii: "\""):
            try string()
            token = .string
        case UInt8(ascii: "t"): token = try word("true", .bool(true))
        case UInt8(ascii: "f"): token = try word("false", .bool(false))
        case UInt8(ascii: "n"): token = try word("null", .null)
        case nil: throw error("it ends early")
        default:
            try number()
            token = .number
        }
        expected = open.isEmpty ? .value : .separator
        return token
    }

    private mutating func begin(_ token: Token, isObject: Bool) throws(UndertextError) -> Token {
        guard open.count < depthLimit else { throw error("it is nested too deeply") }
        offset += 1
        open.append(isObject)
        expected = isObject ? .firstName : .firstElement
        return token
    }

    private mutating func word(_ text: String, _ token: Token) throws(UndertextError) -> Token {
        guard bytes[offset...].starts(with: text.utf8) else { throw error("no JSON value") }
        offset += text.utf8.count
        return token
    }

    private mutating func number() throws(UndertextError) {
        let start = offset
        _ = take("-")
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else {
            throw error("no JSON value")
        }
        if take("."), digits() == 0 { throw error("digits are missing") }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            offset += 1
            if !take("+") { _ = take("-") }
            guard digits() > 0 else { throw error("digits are missing") }
        }
        (range, hasEscapes) = (start..<offset, false)
    }

    private mutating func digits() -> Int {
        let start = offset
        while let byte, byte.isDigit { offset += 1 }
        return offset - start
    }

    private mutating func string() throws(UndertextError) {
        offset += 1
        let start = offset
        hasEscapes = false
        while let byte {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                range = start..<(offset - 1)
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try checkEscape()
            case 0..<0x20: throw error("a string contains a control character")
            default: break
            }
        }
        throw error("it ends early")
    }

    private mutating func checkEscape() throws(UndertextError) {
        guard let byte else { throw error("it ends early") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard self.byte.flatMap(Self.hexadecimal) != nil else {
                    throw error("four hexadecimal digits are missing")
                }
                offset += 1
            }
        default: throw error("an unknown escape")
        }
    }

    /// Appends the character of an escape that was checked; `rest` begins after its backslash.
    private static func appendEscape(_ rest: inout ArraySlice<UInt8>, to text: inout [UInt8]) {
        guard let byte = rest.popFirst() else { return }
        switch byte {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += String(Character(scalar(&rest))).utf8
        default: text.append(byte)
        }
    }

    /// The character of `\u`, and of the second half of its pair.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        let first = codeUnit(&rest)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let replacement: Unicode.Scalar = "\u{FFFD}"
        guard (0xD800...0xDBFF).contains(first),
            rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
        else { return replacement }
        var after = rest.dropFirst(2)
        let second = codeUnit(&after)
        // Without a pair, the second surrogate is a separate character.
        guard (0xDC00...0xDFFF).contains(second) else { return replacement }
        rest = after
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
    }

    private static func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        return digits.reduce(0) { $0 << 4 | (hexadecimal($1) ?? 0) }
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46, 0x61...0x66: UInt32((byte | 0x20) - 0x61 + 10)
        default: nil
        }
    }
}
