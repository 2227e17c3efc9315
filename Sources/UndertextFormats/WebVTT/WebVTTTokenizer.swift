internal import UndertextCore

/// A token of WebVTT cue text.
enum WebVTTToken: Hashable {
    /// Text, character references resolved.
    case text([UInt8])
    /// A start tag.
    case start(name: ArraySlice<UInt8>, classes: [String], annotation: [UInt8])
    /// An end tag.
    case end(name: ArraySlice<UInt8>)
    /// The content of a tag that begins with a digit.
    case timestamp(ArraySlice<UInt8>)
}

/// Cuts WebVTT cue text into tokens.
///
/// W3C WebVTT, section 6.4, "WebVTT cue text tokenizer".
struct WebVTTTokenizer {
    private let bytes: [UInt8]
    /// The index after the last token.
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next token; `nil` at the end.
    mutating func next() -> WebVTTToken? {
        guard position < bytes.count else { return nil }
        if bytes[position] == 0x3C {
            position += 1
            return tag()
        }
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != 0x3C {
            if bytes[position] == 0x26 {
                appendReference(to: &text)
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return .text(text)
    }

    private mutating func appendReference(to text: inout [UInt8]) {
        if let reference = WebVTTCharacterReference(bytes, at: position) {
            text += reference.text.utf8
            position = reference.end
        } else {
            text.append(0x26)
            position += 1
        }
    }

    private mutating func tag() -> WebVTTToken {
        guard position < bytes.count else { return emptyStart }
        switch bytes[position] {
        case 0x2F:
            position += 1
            let name = takeUntil { $0 == 0x3E }
            skipBracket()
            return .end(name: name)
        case 0x30...0x39:
            let content = takeUntil { $0 == 0x3E }
            skipBracket()
            return .timestamp(content)
        default: return startTag()
        }
    }

    private var emptyStart: WebVTTToken { .start(name: [], classes: [], annotation: []) }

    private mutating func startTag() -> WebVTTToken {
        let name = takeUntil { $0 == 0x2E || $0 == 0x3E || $0.isSpace }
        var classes: [String] = []
        while position < bytes.count, bytes[position] == 0x2E {
            position += 1
            let item = takeUntil { $0 == 0x2E || $0 == 0x3E || $0.isSpace }
            if !item.isEmpty, classes.count < 64 { classes.append(item.text) }
        }
        var annotation: [UInt8] = []
        while position < bytes.count, bytes[position] != 0x3E {
            if bytes[position] == 0x26 {
                appendReference(to: &annotation)
            } else {
                annotation.append(bytes[position])
                position += 1
            }
        }
        skipBracket()
        return .start(name: name, classes: classes, annotation: Self.collapsed(annotation))
    }

    private mutating func takeUntil(_ isEnd: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let end = bytes[position...].firstIndex(where: isEnd) ?? bytes.endIndex
        defer { position = end }
        return bytes[position..<end]
    }

    private mutating func skipBracket() {
        if position < bytes.count, bytes[position] == 0x3E { position += 1 }
    }

    /// Without white space at the ends, runs of it made one space.
    private static func collapsed(_ annotation: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in annotation[...].trimmed {
            if byte.isSpace {
                if result.last != 0x20 { result.append(0x20) }
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
