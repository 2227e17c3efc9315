/// Draws the runs of an XSUB picture: two bits of colour behind a length of 2, 6, 10 or 14 bits of
/// which the leading zeros tell the size; length 0 reaches to the end of the line.
///
/// Lines begin at a byte. The upper field's come first.
struct XSUBRunLength {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var isLowNibble = false
    /// Whether a run was longer than its line, or the data ended too soon.
    private(set) var isDamaged = false

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// How many bytes were read.
    var offset: Int { position - bytes.startIndex }

    /// Goes on at a place of the data.
    mutating func seek(to offset: Int) { position = bytes.startIndex + offset }

    /// Draws every other line, from `row` on.
    mutating func drawField(on plane: inout IndexPlane, from row: Int) {
        var y = row
        while y < plane.height {
            var x = 0
            while x < plane.width {
                guard let (length, color) = run() else {
                    isDamaged = true
                    return
                }
                let rest = plane.width - x
                if length > rest { isDamaged = true }
                let count = length == 0 ? rest : min(length, rest)
                plane.fill(color, x: x, y: y, count: count)
                x += count
            }
            if isLowNibble {
                isLowNibble = false
                position += 1
            }
            y += 2
        }
    }

    private mutating func run() -> (Int, UInt8)? {
        guard var value = nibble() else { return nil }
        var limit = 4
        while value < limit, limit <= 0x40 {
            guard let next = nibble() else { return nil }
            value = value << 4 | next
            limit <<= 2
        }
        return (value >> 2, UInt8(value & 3))
    }

    private mutating func nibble() -> Int? {
        guard position < bytes.endIndex else { return nil }
        let byte = bytes[position]
        if isLowNibble { position += 1 }
        isLowNibble.toggle()
        return Int(isLowNibble ? byte >> 4 : byte & 15)
    }
}
