extension JSON {
    /// Parses untrusted JSON text (RFC 8259).
    ///
    /// The structure must be strictly valid. A byte order mark is skipped; invalid UTF-8 and lone surrogates
    /// become U+FFFD. Numbers keep their text.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - depth: The maximum nesting of arrays and objects.
    ///   - values: The maximum number of values.
    /// - Throws: ``UndertextError`` with code `malformed` and the offset if the text is invalid or exceeds the limits.
    public init(
        parsing bytes: some Sequence<UInt8>, depth: Int = 64, values: Int = 1_000_000
    ) throws(UndertextError) {
        var parser = JSONParser(Array(bytes), depth: depth, values: values)
        guard let first = try parser.next() else {
            throw parser.error("it ends early")
        }
        self = try JSON(first, &parser)
        guard parser.isAtEnd else {
            throw parser.error("something follows the value")
        }
    }

    /// The value that begins with a token.
    private init(_ token: JSONParser.Token, _ parser: inout JSONParser) throws(UndertextError) {
        switch token {
        case .objectStart:
            var members: [Member] = []
            while try parser.next() == .name {
                let name = parser.text
                // After a name comes a value, otherwise the parser throws.
                guard let value = try parser.next() else { break }
                members.append(Member(name, try JSON(value, &parser)))
            }
            self = .object(members)
        case .arrayStart:
            var values: [JSON] = []
            while let value = try parser.next(), value != .arrayEnd {
                values.append(try JSON(value, &parser))
            }
            self = .array(values)
        case .string: self = .string(parser.text)
        case .number: self = .number(parser.text)
        case .bool(let value): self = .bool(value)
        case .null, .name, .objectEnd, .arrayEnd: self = .null
        }
    }
}
