/// Letters as the text of an event writes them.
enum ASSTextEscaping {
    /// Appends text; line feeds become `\N`, braces and backslashes stay what they are.
    ///
    /// - Parameters:
    ///   - text: the letters.
    ///   - isLast: whether nothing follows, not even tags.
    ///   - bytes: what is appended to.
    static func append(_ text: String, isLast: Bool, to bytes: inout [UInt8]) {
        let letters = unifiedLineEnds(text.utf8)
        for (index, byte) in letters.enumerated() {
            switch byte {
            case Byte.lineFeed: bytes += [0x5C, 0x4E]
            case 0: bytes += Byte.replacement
            case 0x7B: bytes += [0x5C, 0x7B]
            case 0x5C:
                bytes.append(byte)
                let next = index + 1 < letters.count ? letters[index + 1] : nil
                if needsJoiner(next, isLast: isLast) { bytes += [0xE2, 0x81, 0xA0] }
            default: bytes.append(byte)
            }
        }
    }

    /// Whether a backslash before `next` would begin something: `N n h { }` and a word joiner do.
    private static func needsJoiner(_ next: UInt8?, isLast: Bool) -> Bool {
        switch next {
        // What follows another run begins with a brace.
        case nil: !isLast
        case 0x4E, 0x6E, 0x68, 0x7D, 0xE2: true
        default: false
        }
    }
}
