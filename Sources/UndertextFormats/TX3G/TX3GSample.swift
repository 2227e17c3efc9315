internal import UndertextCore

/// A `tx3g` sample: text and the boxes that modify its style.
///
/// 3GPP TS 26.245, section 5.17. A sample without text is a gap.
struct TX3GSample {
    /// The characters; a byte order mark is not among them.
    private(set) var characters: [Unicode.Scalar] = []
    /// Number of characters that had to be replaced.
    private(set) var invalidCount = 0
    /// The offset of the first of them in the sample.
    private(set) var firstInvalid = 0
    /// `true` if the sample is shorter than its text's length says.
    private(set) var isTruncated = false
    /// The boxes after the text.
    private(set) var modifiers = TX3GModifiers([])

    /// Parses a sample; `nil` if it is too short to have a length.
    init?(_ data: [UInt8]) {
        var reader = ByteReader(data)
        guard let length = reader.uint16() else { return nil }
        isTruncated = Int(length) > reader.remaining
        guard let text = reader.slice(min(Int(length), reader.remaining)) else { return nil }
        decode(text)
        modifiers = TX3GModifiers(reader.rest())
    }

    private mutating func decode(_ text: ArraySlice<UInt8>) {
        if text.starts(with: [0xFE, 0xFF]) {
            decodeUTF16(text.dropFirst(2), isBigEndian: true)
        } else if text.starts(with: [0xFF, 0xFE]) {
            decodeUTF16(text.dropFirst(2), isBigEndian: false)
        } else {
            decodeUTF8(text.withoutByteOrderMark)
        }
        // Some programs store a C string.
        if let end = characters.firstIndex(of: "\0") { characters.removeSubrange(end...) }
    }

    private mutating func decodeUTF8(_ text: ArraySlice<UInt8>) {
        characters.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            let byte = text[position]
            if byte < 0x80 {
                characters.append(Unicode.Scalar(byte))
                position += 1
                continue
            }
            let (length, isValid) = utf8Sequence(in: text, at: position)
            if isValid {
                let string = String(decoding: text[position..<position + length], as: UTF8.self)
                characters += string.unicodeScalars
            } else {
                replace(at: position)
            }
            position += length
        }
    }

    private mutating func decodeUTF16(_ text: ArraySlice<UInt8>, isBigEndian: Bool) {
        var position = text.startIndex
        func unit(at index: Int) -> UInt16? {
            guard index + 1 < text.endIndex else { return nil }
            let first = UInt16(text[index])
            let second = UInt16(text[index + 1])
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        while position < text.endIndex {
            guard let high = unit(at: position) else {
                replace(at: position)
                return
            }
            if let scalar = Unicode.Scalar(high) {
                characters.append(scalar)
                position += 2
            } else if high < 0xDC00, let low = unit(at: position + 2),
                (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(
                    0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF)))
            {
                characters.append(scalar)
                position += 4
            } else {
                replace(at: position)
                position += 2
            }
        }
    }

    private mutating func replace(at position: Int) {
        if invalidCount == 0 { firstInvalid = position }
        invalidCount += 1
        characters.append("\u{FFFD}")
    }
}
