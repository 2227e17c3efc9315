internal import UndertextCore

/// A piece of a SAMI text: a tag, or the text between two.
package enum SAMIToken {
    /// The bytes of the file, with unresolved references.
    case text(Range<Int>)
    /// A tag that begins an element.
    case start(SAMITag)
    /// A tag that ends one.
    case end(SAMITag)
}

/// A tag of a SAMI text.
package struct SAMITag {
    /// The element's name in lower case.
    package let name: String
    /// Names in lower case, and values without quotes.
    package fileprivate(set) var attributes: [(name: String, value: ArraySlice<UInt8>)] = []
    /// The range of the tag.
    package fileprivate(set) var range: Range<Int>

    /// The value of the first attribute of a name, given in lower case.
    package func value(_ name: String) -> ArraySlice<UInt8>? {
        attributes.first { $0.name == name }?.value
    }
}

/// Splits SAMI, which is HTML of 1998, into tokens.
///
/// Quotes may be missing, comments may lack their `!`, and a `<` that begins no tag is text.
package struct SAMITokenizer {
    package let bytes: [UInt8]
    /// The start of the next piece.
    package private(set) var position: Int
    private let end: Int
    /// The next end tag of an element by its name, once it was searched for; the end where there is none.
    private var nextEndTag: [String: Int] = [:]
    /// `true` if no comment ends after what was looked at.
    private var lacksCommentEnd = false
    /// The next `>`, once it was searched for; the end where there is none.
    private var nextClose = -1

    /// Attributes of one tag at most.
    private static let attributesAtMost = 32
    /// The maximum distance after a `>` at which the end of a quoted value is searched for.
    private static let longestQuote = 256

    /// Goes through a part of `bytes`.
    package init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    /// The next piece; `nil` at the end.
    package mutating func next() -> SAMIToken? {
        while position < end {
            let start = position
            if bytes[start] == 0x3C {
                if let token = tag() { return token }
                // A comment: it is gone.
                if position > start { continue }
                position = start + 1
            }
            while position < end, bytes[position] != 0x3C { position += 1 }
            return .text(start..<position)
        }
        return nil
    }

    /// Goes on after the end tag of an element whose content is no markup.
    ///
    /// - Parameters:
    ///   - name: the element's name in lower case.
    ///   - length: bytes that the content may have.
    /// - Returns: the range of the content; `nil` if it does not end, which leaves the position unchanged.
    package mutating func skipContent(of name: String, atMost length: Int) -> Range<Int>? {
        let start = position
        let open = endTag(of: name)
        guard open < end, open - start <= length else { return nil }
        position = min(closing(from: open + 2 + name.utf8.count) + 1, end)
        return start..<open
    }

    /// Returns the start of the next end tag of an element; the end if there is none.
    private mutating func endTag(of name: String) -> Int {
        if let known = nextEndTag[name], known >= position { return known }
        var index = position
        while let open = bytes[index..<end].firstIndex(of: 0x3C) {
            index = open + 1
            let after = open + 2 + name.utf8.count
            if after <= end, bytes[open + 1] == 0x2F,
                bytes[open + 2..<after].equalsIgnoringCase(name)
            {
                nextEndTag[name] = open
                return open
            }
        }
        nextEndTag[name] = end
        return end
    }

    /// The tag at a `<`; `nil` where there is none, and then after a comment where there is one.
    private mutating func tag() -> SAMIToken? {
        let open = position
        var index = open + 1
        guard index < end else { return nil }
        if bytes[index] == 0x21 || bytes[index] == 0x2D || bytes[index] == 0x3F {
            skipComment(at: index)
            return nil
        }
        let isEnd = bytes[index] == 0x2F
        if isEnd { index += 1 }
        let nameStart = index
        while index < end, bytes[index].isAlphanumeric { index += 1 }
        guard index > nameStart, bytes[nameStart].isLetter, index - nameStart <= 32 else {
            return nil
        }
        let close = closing(from: index)
        // A tag that is never closed, or another one that begins before it is.
        guard close < end, !bytes[index..<close].contains(0x3C) else { return nil }
        let name = String(decoding: bytes[nameStart..<index].map(\.lowercased), as: UTF8.self)
        var tag = SAMITag(name: name, range: open..<close + 1)
        let last = readAttributes(of: &tag, from: index, to: close)
        tag.range = open..<last + 1
        position = last + 1
        return isEnd ? .end(tag) : .start(tag)
    }

    /// `<!-- … -->`, `<-- … -->`, `<!DOCTYPE …>` and `<?xml … ?>`; a lone `<-` is text, and so is a comment
    /// that never ends.
    private mutating func skipComment(at mark: Int) {
        let hasMark = bytes[mark] == 0x21
        let dashes = hasMark ? mark + 1 : mark
        if dashes + 1 < end, bytes[dashes] == 0x2D, bytes[dashes + 1] == 0x2D {
            var index = dashes + 2
            while index < end, !lacksCommentEnd {
                guard let close = bytes[index..<end].firstIndex(of: 0x3E) else { break }
                index = close + 1
                if close - 2 >= dashes, bytes[close - 1] == 0x2D, bytes[close - 2] == 0x2D {
                    position = index
                    return
                }
            }
            lacksCommentEnd = true
            return
        }
        guard bytes[mark] != 0x2D else { return }
        position = min(closing(from: mark) + 1, end)
    }

    /// The next `>` from `index` on; the end where there is none.
    private mutating func closing(from index: Int) -> Int {
        if nextClose < index {
            nextClose = index < end ? bytes[index..<end].firstIndex(of: 0x3E) ?? end : end
        }
        return nextClose
    }

    /// Reads attributes up to the `>` at `close`, or one after it where that is quoted.
    private mutating func readAttributes(
        of tag: inout SAMITag, from start: Int, to close: Int
    ) -> Int {
        var close = close
        var index = start
        while index < close {
            if bytes[index].isSpace || bytes[index] == 0x2F {
                index += 1
                continue
            }
            let nameStart = index
            while index < close, !bytes[index].isSpace, bytes[index] != 0x3D { index += 1 }
            let name = bytes[nameStart..<index]
            while index < close, bytes[index].isSpace { index += 1 }
            var value = bytes[index..<index]
            if index < close, bytes[index] == 0x3D {
                index += 1
                while index < close, bytes[index].isSpace { index += 1 }
                value = attributeValue(at: &index, &close)
            }
            if tag.attributes.count < Self.attributesAtMost, name.count <= 32 {
                let lower = String(decoding: name.map(\.lowercased), as: UTF8.self)
                tag.attributes.append((lower, value))
            }
        }
        return close
    }

    private mutating func attributeValue(
        at index: inout Int, _ close: inout Int
    ) -> ArraySlice<UInt8> {
        let start = index
        if index < close, bytes[index] == 0x22 || bytes[index] == 0x27 {
            let limit = min(end, close + Self.longestQuote)
            if let quote = bytes[start + 1..<limit].firstIndex(of: bytes[start]) {
                if quote > close {
                    let outer = closing(from: quote)
                    guard outer < end else { return plainValue(at: &index, close) }
                    close = outer
                }
                index = quote + 1
                return bytes[start + 1..<quote]
            }
            index += 1
        }
        return plainValue(at: &index, close)
    }

    /// A value without quotes, up to white space.
    private func plainValue(at index: inout Int, _ close: Int) -> ArraySlice<UInt8> {
        let start = index
        while index < close, !bytes[index].isSpace { index += 1 }
        // `<br/>` and `<P Class=X/>`.
        let isSlash = index == close && index > start && bytes[index - 1] == 0x2F
        return bytes[start..<(isSlash ? index - 1 : index)]
    }
}
