/// Goes through a text line by line, whatever ends a line: LF, CR LF or CR.
struct LineCursor {
    /// The text.
    let bytes: [UInt8]
    /// The offset of the next line.
    private(set) var position = 0
    /// How many lines came out: the number of the last one, from 1.
    private(set) var number = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether every line came out.
    var isAtEnd: Bool { position >= bytes.count }

    /// The next line without its end; `nil` behind the last one.
    ///
    /// An end of line at the end of the text begins no further line.
    mutating func next() -> Range<Int>? {
        let count = bytes.count
        let start = position
        guard start < count else { return nil }
        number += 1
        var index = start
        while index < count {
            let byte = bytes[index]
            // Both ends of a line are below this.
            if byte <= 0x0D, byte == 0x0A || byte == 0x0D { break }
            index += 1
        }
        position = index + 1
        if index < count, bytes[index] == 0x0D, index + 1 < count, bytes[index + 1] == 0x0A {
            position = index + 2
        }
        return start..<index
    }

    /// Goes back to the line that begins at `start` and has that number.
    mutating func goBack(to start: Int, line: Int) {
        position = start
        number = line - 1
    }
}
