/// The bytes in a line that matter to readers, found together with the end of the line.
struct LineTraits: OptionSet, Sendable {
    let rawValue: UInt8

    /// A `>`.
    static let greater = LineTraits(rawValue: 1)
    /// An arrow, `-->`.
    static let arrow = LineTraits(rawValue: 2)
    /// A NUL.
    static let null = LineTraits(rawValue: 4)
    /// The line ends with a carriage return, alone or before a line feed.
    static let carriageReturn = LineTraits(rawValue: 8)
    /// The line ends with CR CR LF, treated as one line ending.
    static let doubledReturn = LineTraits(rawValue: 16)
    /// A `<` or `{`, which begin tags.
    static let tag = LineTraits(rawValue: 32)
}

/// Iterates over the lines of a text; LF, CR LF and CR end a line.
struct LineCursor {
    /// The text.
    let bytes: [UInt8]
    /// The offset of the next line.
    private(set) var position = 0
    /// The number of the last line, from 1.
    private(set) var number = 0
    /// The content of the last line.
    private(set) var traits: LineTraits = []
    private let joinsReturns: Bool

    /// Starts at the first line.
    ///
    /// With `joinsReturns` CR CR LF is one end of a line: what is left where CR LF went through a
    /// conversion twice.
    init(_ bytes: [UInt8], joinsReturns: Bool = false) {
        self.bytes = bytes
        self.joinsReturns = joinsReturns
    }

    /// `true` after the last line.
    var isAtEnd: Bool { position >= bytes.count }

    /// The next line without its end; `nil` after the last one.
    ///
    /// An end of line at the end of the text begins no further line.
    mutating func next() -> Range<Int>? {
        let count = bytes.count
        let start = position
        guard start < count else { return nil }
        number += 1
        var found: LineTraits = []
        let index = Self.endOfLine(in: bytes, from: start, &found)
        position = min(index + 1, count)
        if index < count, bytes[index] == 0x0D {
            found.insert(.carriageReturn)
            if index + 1 < count, bytes[index + 1] == 0x0A {
                position = index + 2
            } else if joinsReturns, index + 2 < count, bytes[index + 1] == 0x0D,
                bytes[index + 2] == 0x0A
            {
                found.insert(.doubledReturn)
                position = index + 3
            }
        }
        traits = found
        return start..<index
    }

    /// Returns the end of the line that begins at `start`, and its content.
    private static func endOfLine(
        in bytes: [UInt8], from start: Int, _ found: inout LineTraits
    ) -> Int {
        let span = bytes.span
        var index = start
        while true {
            index = endOfPlainText(in: span, from: index)
            guard index < span.count else { break }
            let byte = span[index]
            if byte > 0x3E {
                if byte == 0x7B { found.insert(.tag) }
            } else if byte == 0x3E {
                found.insert(.greater)
                if index >= start + 2, span[index - 1] == 0x2D, span[index - 2] == 0x2D {
                    found.insert(.arrow)
                }
            } else if byte == 0x3C {
                found.insert(.tag)
            } else if byte <= 0x0D {
                if byte == 0x0A || byte == 0x0D { break }
                if byte == 0 { found.insert(.null) }
            }
            index += 1
        }
        return index
    }

    /// The offset of the next byte that may end a line or be a trait; passes over eight bytes at a time.
    private static func endOfPlainText(in bytes: Span<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while index + 8 <= bytes.count {
            // Compiles to one load.
            let part = bytes.extracting(index..<(index + 8))
            var word: UInt64 = 0
            for place in 0..<8 { word |= UInt64(part[place]) << UInt64(place * 8) }
            // Each sets the highest bit of a byte: below 0x0E, equal to `{`, equal to `<` or `>`. A borrow
            // may set it in bytes after a match, so that the lowest one is exact.
            let control = (word &- ones &* 0x0E) & ~word
            let brace = word ^ ones &* 0x7B
            let angle = (word | ones &* 0x02) ^ ones &* 0x3E
            let found = control | (brace &- ones) & ~brace | (angle &- ones) & ~angle
            let marks = found & ones << 7
            guard marks == 0 else { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        return index
    }

    /// Goes to the line that begins at `start` and has that number.
    mutating func go(to start: Int, line: Int) {
        position = start
        number = line - 1
    }
}
