/// Reads the runs of two-bit pixels that sub-pictures of DVDs and XSUB share: a color after a
/// length of 2, 6, 10 or 14 bits whose leading zeros determine the size.
struct NibbleRunLength {
    private let bytes: ArraySlice<UInt8>
    /// The next half byte.
    private var position: Int

    /// Reads from a byte of `bytes` on.
    init(_ bytes: ArraySlice<UInt8>, from offset: Int = 0) {
        self.bytes = bytes
        position = 2 * min(max(0, offset), bytes.count)
    }

    /// The next run, `nil` after the data; a length of 0 reaches to the end of the line.
    mutating func next() -> (length: Int, color: UInt8)? {
        var code = 0
        var limit = 1
        while code < limit, limit <= 0x40 {
            guard position < 2 * bytes.count else { return nil }
            let byte = bytes[bytes.startIndex + position >> 1]
            code = code << 4 | Int(position & 1 == 0 ? byte >> 4 : byte & 15)
            position += 1
            limit <<= 2
        }
        return (code >> 2, UInt8(code & 3))
    }

    /// Goes to the next whole byte, where the next line begins.
    mutating func align() { position += position & 1 }

    /// Draws every second line of `plane` from `line` on.
    ///
    /// - Returns: whether a run was longer than its line, and whether the data ended early.
    mutating func draw(
        from line: Int, on plane: inout IndexPlane
    ) -> (hasClippedRun: Bool, isTruncated: Bool) {
        var hasClippedRun = false
        for row in stride(from: line, to: plane.height, by: 2) {
            var column = 0
            while column < plane.width {
                guard let run = next() else { return (hasClippedRun, true) }
                let room = plane.width - column
                let length = run.length == 0 ? room : run.length
                if length > room { hasClippedRun = true }
                plane.fill(run.color, x: column, y: row, count: min(length, room))
                column += min(length, room)
            }
            align()
        }
        return (hasClippedRun, false)
    }
}
