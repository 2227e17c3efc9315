internal import UndertextCore

/// The cue text that a rule matches: `::cue`, or the selector in `::cue(…)`.
///
/// W3C WebVTT, section 8.2.1. Text in runs does not know in which order its tags were opened: a tag
/// within another and both on one text are the same here.
struct WebVTTSelector: Hashable {
    private enum Test: Hashable {
        case tag(String)
        case id(String)
        case className(String)
        case voice(String)
        /// The tag's words, or with `:lang()` their beginning.
        case language(String, isRange: Bool)
    }

    private var tests: [Test] = []

    private init() {}

    /// The class name if the selector consists of one class.
    var className: String? {
        guard tests.count == 1, case .className(let name) = tests[0] else { return nil }
        return name
    }

    /// `true` if it applies to the whole cue rather than to the text within tags.
    var isForCues: Bool {
        tests.allSatisfy { if case .id = $0 { true } else { false } }
    }

    /// The specificity: identifiers, then classes and attributes, then tags.
    var specificity: Int {
        tests.reduce(0) { sum, test in
            switch test {
            case .id: sum + 1_000_000
            case .className, .voice, .language: sum + 1000
            case .tag: sum + 1
            }
        }
    }

    /// The depth of the innermost class that the selector requires; `nil` if it requires none.
    func depth(in style: TextStyle) -> Int {
        tests.reduce(-1) { depth, test in
            guard case .className(let name) = test else { return depth }
            return max(depth, style.classes.lastIndex(of: name) ?? -1)
        }
    }

    /// `true` if it is for a run of a cue.
    func matches(_ run: TextRun, id: String) -> Bool {
        let style = run.style
        return tests.allSatisfy { test in
            switch test {
            case .id(let name): return name == id
            case .className(let name): return style.classes.contains(name)
            case .voice(let name): return style.voice == name
            case .language(let tag, let isRange):
                guard let language = style.language?.lowercased() else { return false }
                return language == tag || isRange && language.hasPrefix(tag + "-")
            case .tag("b"): return style.isBold
            case .tag("i"): return style.isItalic
            case .tag("u"): return style.isUnderlined
            case .tag("c"): return !style.classes.isEmpty
            case .tag("v"): return style.voice != nil
            case .tag("lang"): return style.language != nil
            case .tag("ruby"): return run.ruby != nil
            case .tag: return false
            }
        }
    }

    // MARK: Reading

    private static let tags: Set<String> = ["b", "i", "u", "c", "v", "lang", "ruby"]

    /// The selectors of a list such as `::cue, ::cue(b, .loud)`, and which of them are not understood.
    static func list(
        _ text: ArraySlice<UInt8>
    ) -> (understood: [WebVTTSelector], others: [String]) {
        var result: (understood: [WebVTTSelector], others: [String]) = ([], [])
        for selector in WebVTTRuleScanner.parts(of: text, at: Byte.comma) {
            guard let colon = selector.firstIndex(of: Byte.colon),
                ["", "*", "video"].contains(selector[..<colon].text)
            else {
                result.others.append(selector.text)
                continue
            }
            let pseudo = selector[colon...]
            if pseudo.equalsIgnoringCase("::cue") {
                result.understood.append(WebVTTSelector())
                continue
            }
            guard pseudo.prefix(6).equalsIgnoringCase("::cue("), pseudo.last == 0x29 else {
                result.others.append(selector.text)
                continue
            }
            for argument in WebVTTRuleScanner.parts(
                of: pseudo.dropFirst(6).dropLast(), at: Byte.comma)
            {
                if let selector = WebVTTSelector(argument) {
                    result.understood.append(selector)
                } else {
                    result.others.append("::cue(\(argument.text))")
                }
            }
        }
        return result
    }

    /// Parses the selector in `::cue(…)`; `nil` if it is not supported.
    private init?(_ argument: ArraySlice<UInt8>) {
        var cursor = WebVTTSelectorCursor(argument)
        while let mark = cursor.peek {
            guard tests.count < 20 else { return nil }
            switch mark {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: cursor.skipSpace()
            case Byte.period:
                cursor.skip()
                guard let name = cursor.identifier() else { return nil }
                tests.append(.className(name))
            case 0x23:
                cursor.skip()
                guard let name = cursor.identifier() else { return nil }
                tests.append(.id(name))
            case 0x5B:
                guard let test = Self.attribute(&cursor) else { return nil }
                tests.append(test)
            case Byte.colon:
                guard cursor.take(":lang("), let tag = cursor.value(), cursor.take(")") else {
                    return nil
                }
                tests.append(.language(tag.lowercased(), isRange: true))
            default:
                guard let name = cursor.identifier()?.lowercased(), Self.tags.contains(name)
                else { return nil }
                tests.append(.tag(name))
            }
        }
        guard !tests.isEmpty else { return nil }
    }

    /// `[voice="Bob"]` or `[lang="en"]`.
    private static func attribute(_ cursor: inout WebVTTSelectorCursor) -> Test? {
        cursor.skip()
        guard let name = cursor.identifier()?.lowercased(), cursor.take("="),
            let value = cursor.value(), cursor.take("]")
        else { return nil }
        switch name {
        case "voice": return .voice(value)
        case "lang": return .language(value.lowercased(), isRange: false)
        default: return nil
        }
    }
}

/// Reads the words of a selector: W3C CSS Syntax Module Level 3, sections 4.3.7 and 4.3.12.
private struct WebVTTSelectorCursor {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    var peek: UInt8? { rest.first }

    mutating func skip() { rest = rest.dropFirst() }

    mutating func skipSpace() { rest = rest.drop(while: \.isSpace) }

    /// Consumes the expected text and white space around it.
    mutating func take(_ text: String) -> Bool {
        skipSpace()
        guard rest.prefix(text.utf8.count).equalsIgnoringCase(text) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        skipSpace()
        return true
    }

    mutating func identifier() -> String? {
        var name: [UInt8] = []
        while let byte = rest.first {
            if byte == 0x5C {
                skip()
                guard let escaped = escaped() else { return nil }
                name += escaped
            } else if byte.isAlphanumeric || byte == Byte.hyphen || byte == 0x5F || byte >= 0x80 {
                name.append(byte)
                skip()
            } else {
                break
            }
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// A word, or text in quotes.
    mutating func value() -> String? {
        guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { return identifier() }
        skip()
        var text: [UInt8] = []
        while let byte = rest.first {
            skip()
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            if byte == 0x5C {
                guard let escaped = escaped() else { return nil }
                text += escaped
            } else {
                text.append(byte)
            }
        }
        return nil
    }

    /// Parses an escape after a backslash: up to six digits and a space, or any byte.
    private mutating func escaped() -> [UInt8]? {
        var value: UInt32 = 0
        var count = 0
        while count < 6, let digit = rest.first?.hexValue {
            value = value << 4 | UInt32(digit)
            count += 1
            skip()
        }
        guard count == 0 else {
            if rest.first?.isSpace == true { skip() }
            return Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
        }
        guard let byte = rest.first, byte != Byte.lineFeed else { return nil }
        skip()
        return [byte]
    }
}
