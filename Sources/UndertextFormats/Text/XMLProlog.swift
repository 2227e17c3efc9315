internal import UndertextCore

/// The prolog of an XML document, before its first element: XML 1.0, section 2.8.
package enum XMLProlog {
    /// The charset in the XML declaration; `nil` if it has none.
    ///
    /// `head` is the beginning of a file in any charset that contains ASCII.
    package static func encoding(of head: ArraySlice<UInt8>) -> String? {
        guard let range = encodingRange(in: head) else { return nil }
        return head[range].text
    }

    /// The document with a declaration of UTF-8, or without a declaration.
    package static func statingUTF8(_ text: [UInt8]) -> [UInt8] {
        guard let range = encodingRange(in: text[...]),
            !text[range].equalsIgnoringCase("utf-8")
        else { return text }
        return text[..<range.lowerBound] + Array("UTF-8".utf8) + text[range.upperBound...]
    }

    /// The value of the pseudo-attribute `encoding`, without its quotes.
    private static func encodingRange(in text: ArraySlice<UInt8>) -> Range<Int>? {
        guard text.hasPrefix("<?xml"), let end = text.firstIndex(of: Byte.greater),
            end - text.startIndex < 400
        else { return nil }
        let declaration = text[..<end]
        guard let name = declaration.firstRange(of: Array("encoding".utf8)) else { return nil }
        var index = name.upperBound
        func skipSpace() { while index < end, text[index].isSpace { index += 1 } }
        skipSpace()
        guard index < end, text[index] == 0x3D else { return nil }
        index += 1
        skipSpace()
        guard index < end, text[index] == 0x22 || text[index] == 0x27 else { return nil }
        let quote = text[index]
        let start = index + 1
        guard let close = text[start..<end].firstIndex(of: quote), close > start else { return nil }
        return start..<close
    }

    /// The name of the first element with its prefix; `nil` if there is none.
    package static func rootElement(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = text.drop { $0.isSpace }
        while rest.first == Byte.less {
            let body = rest.dropFirst()
            if body.hasPrefix("!--") {
                guard let end = body.firstRange(of: Array("-->".utf8)) else { return nil }
                rest = body[end.upperBound...]
            } else if body.first == 0x3F {
                guard let end = body.firstRange(of: Array("?>".utf8)) else { return nil }
                rest = body[end.upperBound...]
            } else if body.hasPrefix("!DOCTYPE") {
                // The document type names the root element. The reader refuses and reports it.
                return name(in: body.dropFirst(8).drop { $0.isSpace })
            } else {
                return name(in: body)
            }
            rest = rest.drop { $0.isSpace }
        }
        return nil
    }

    /// The name at the beginning of a text.
    private static func name(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let name = text.prefix {
            !$0.isSpace && $0 != Byte.greater && $0 != 0x2F && $0 != 0x5B
        }
        return name.isEmpty ? nil : name
    }
}
