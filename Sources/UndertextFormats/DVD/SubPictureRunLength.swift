/// Undoes the run-length coding of a field's lines.
///
/// Each line begins on a byte. A run that is longer than its line is cut there, so that one wrong
/// bit costs a line or a few, not the image.
struct SubPictureRunLength {
    /// The damage of the pixel data.
    private(set) var hasClippedRun = false
    /// `true` if the data ended before the last line.
    private(set) var isTruncated = false

    private let bytes: ArraySlice<UInt8>
    private let end: Int
    /// The next bit of pixels of eight bits, counted from the start of the unit.
    private var position = 0

    /// Decodes from the pixel data in `bytes`, the unit.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        end = bytes.count
    }

    /// Draws every second line of `plane` from `line` on, with pixels of two bits.
    ///
    /// - Parameters:
    ///   - offset: the offset of the data in the unit.
    ///   - line: the first line.
    ///   - plane: the plane to draw on.
    mutating func drawNibbles(from offset: Int, line: Int, on plane: inout IndexPlane) {
        var runs = NibbleRunLength(bytes, from: offset)
        let (isClipped, isCutOff) = runs.draw(from: line, on: &plane)
        if isClipped { hasClippedRun = true }
        if isCutOff { isTruncated = true }
    }

    /// Draws every second line of `plane` from `line` on, with pixels of eight bits (HD DVD).
    mutating func drawBytes(from offset: Int, line: Int, on plane: inout IndexPlane) {
        position = 8 * min(offset, end)
        for row in stride(from: line, to: plane.height, by: 2) {
            var column = 0
            while column < plane.width {
                guard let (color, run) = nextRun() else {
                    isTruncated = true
                    return
                }
                let room = plane.width - column
                let length = run ?? room
                if length > room { hasClippedRun = true }
                plane.fill(color, x: column, y: row, count: min(length, room))
                column += min(length, room)
            }
            position = (position + 7) & ~7
        }
    }

    /// Run flag, color flag, color of 8 or 2 bits, and of a run its length: 3 bits for 2 to 9
    /// pixels, 7 for more; 0 of them goes to the end of the line.
    private mutating func nextRun() -> (color: UInt8, length: Int?)? {
        guard let isRun = bits(1), let isFull = bits(1), let color = bits(isFull == 1 ? 8 : 2)
        else { return nil }
        guard isRun == 1 else { return (UInt8(color), 1) }
        guard let isLong = bits(1), let length = bits(isLong == 1 ? 7 : 3) else { return nil }
        if isLong == 0 { return (UInt8(color), length + 2) }
        return (UInt8(color), length == 0 ? nil : length + 9)
    }

    private mutating func bits(_ count: Int) -> Int? {
        guard position + count <= 8 * end else { return nil }
        var value = 0
        for _ in 0..<count {
            let byte = bytes[bytes.startIndex + position >> 3]
            value = value << 1 | Int(byte >> (7 - UInt8(position & 7)) & 1)
            position += 1
        }
        return value
    }
}
