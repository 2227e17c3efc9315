/// Cuts a style sheet into its rules.
///
/// W3C CSS Syntax Module Level 3, section 5: what is not closed ends with the sheet.
struct WebVTTRuleScanner {
    /// The prelude of a rule, and its block without braces; an at-rule may have no block.
    struct Rule {
        let selector: ArraySlice<UInt8>
        let block: ArraySlice<UInt8>?
    }

    private var rest: ArraySlice<UInt8>

    /// Starts at the first rule.
    init(_ sheet: String) {
        rest = SAMIStyleSheet.withoutComments(Array(sheet.utf8)[...])
    }

    /// The next rule.
    mutating func next() -> Rule? {
        rest = rest.trimmed
        guard let first = rest.first else { return nil }
        let isAtRule = first == 0x40
        let ends: [UInt8] = isAtRule ? [0x7B, Byte.semicolon] : [0x7B]
        guard let open = Self.firstIndex(of: ends, in: rest) else {
            defer { rest = [] }
            return Rule(selector: rest, block: nil)
        }
        let selector = rest[..<open].trimmed
        guard rest[open] == 0x7B else {
            rest = rest[(open + 1)...]
            return Rule(selector: selector, block: nil)
        }
        let start = open + 1
        var position = start
        var depth = 1
        while depth > 0 {
            guard let brace = Self.firstIndex(of: [0x7B, 0x7D], in: rest[position...]) else {
                defer { rest = [] }
                return Rule(selector: selector, block: rest[start...])
            }
            depth += rest[brace] == 0x7B ? 1 : -1
            position = brace + 1
        }
        let block = rest[start..<(position - 1)]
        rest = rest[position...]
        return Rule(selector: selector, block: block)
    }

    /// The parts between separators that are in no parentheses, brackets or quotes.
    static func parts(
        of text: ArraySlice<UInt8>, at separator: UInt8
    ) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var rest = text
        while parts.count < 100, let end = firstIndex(of: [separator], in: rest, depth: 0) {
            parts.append(rest[..<end].trimmed)
            rest = rest[(end + 1)...]
        }
        return parts + [rest.trimmed]
    }

    /// The position of one of some bytes outside of quotes and not after a backslash; with a depth,
    /// outside of parentheses and brackets, too.
    private static func firstIndex(
        of bytes: [UInt8], in text: ArraySlice<UInt8>, depth: Int? = nil
    ) -> Int? {
        var quote: UInt8?
        var depth = depth
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == 0x5C {
                index += 1
            } else if let open = quote {
                if byte == open || byte == Byte.lineFeed { quote = nil }
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            } else if depth ?? 0 == 0, bytes.contains(byte) {
                return index
            } else if byte == 0x28 || byte == 0x5B {
                depth? += 1
            } else if byte == 0x29 || byte == 0x5D {
                depth? -= 1
            }
            index += 1
        }
        return nil
    }
}
