/// Draws the pixel-data sub-blocks of a field (EN 300 743, sections 7.2.5.1 and 7.2.5.2).
///
/// Codes of fewer bits than the region's go through map tables.
struct DVBPixelStrings {
    /// The damage of a field.
    enum Damage: Hashable, Sendable {
        /// A string or map table is cut off.
        case truncated
        /// A data type that does not exist: what follows cannot be read.
        case unknownType(UInt8)
        /// Codes of more bits than the region has; their lower bits count.
        case codesTooWide
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// The bit that comes next, from 7 down.
    private var bit = 7
    private let depth: DVBPixelDepth
    private let leavesEntryOne: Bool
    private var twoToFour = Self.defaultTwoToFour
    private var twoToEight = Self.defaultTwoToEight
    private var fourToEight = Self.defaultFourToEight
    private(set) var damage: Damage?

    // Sections 10.4, 10.5 and 10.6.
    private static let defaultTwoToFour: [UInt8] = [0x0, 0x7, 0x8, 0xF]
    private static let defaultTwoToEight: [UInt8] = [0x00, 0x77, 0x88, 0xFF]
    private static let defaultFourToEight: [UInt8] = (0..<16).map { $0 * 0x11 }

    init(_ bytes: ArraySlice<UInt8>, depth: DVBPixelDepth, leavesEntryOne: Bool) {
        self.bytes = bytes
        position = bytes.startIndex
        self.depth = depth
        self.leavesEntryOne = leavesEntryOne
    }

    /// Draws every other line of `plane` from (`x`, `y`) on.
    mutating func draw(on plane: inout IndexPlane, x: Int, y: Int) {
        var column = x
        var row = y
        while row < plane.height, let type = byte() {
            switch type {
            case 0x10:
                let table: [UInt8] =
                    depth == .two ? [0, 1, 2, 3] : depth == .four ? twoToFour : twoToEight
                while let (count, code) = twoBits() {
                    draw(table[Int(code)], count, on: &plane, &column, row)
                }
                align()
            case 0x11:
                if depth == .two { damage = damage ?? .codesTooWide }
                while let (count, code) = fourBits() {
                    let index = depth == .eight ? fourToEight[Int(code)] : code & depth.mask
                    draw(index, count, on: &plane, &column, row)
                }
                align()
            case 0x12:
                if depth != .eight { damage = damage ?? .codesTooWide }
                while let (count, code) = eightBits() {
                    draw(code & depth.mask, count, on: &plane, &column, row)
                }
            case 0x20:
                guard let high = byte(), let low = byte() else { return }
                twoToFour = [high >> 4, high & 15, low >> 4, low & 15]
            case 0x21:
                guard let table = bytes(4) else { return }
                twoToEight = table
            case 0x22:
                guard let table = bytes(16) else { return }
                fourToEight = table
            case 0xF0:
                column = x
                row += 2
            default:
                damage = damage ?? .unknownType(type)
                return
            }
        }
    }

    private func draw(
        _ index: UInt8, _ count: Int, on plane: inout IndexPlane, _ column: inout Int, _ row: Int
    ) {
        if !leavesEntryOne || index != 1 {
            plane.fill(index, x: column, y: row, count: count)
        }
        column += count
    }

    // MARK: Strings; `nil` = end of the string, or of the data

    private mutating func twoBits() -> (Int, UInt8)? {
        guard let code = bits(2) else { return nil }
        guard code == 0 else { return (1, code) }
        guard let isRun = bits(1) else { return nil }
        if isRun == 1 { return run(3, bits: 3, code: 2) }
        guard let isSingle = bits(1) else { return nil }
        if isSingle == 1 { return (1, 0) }
        switch bits(2) {
        case 1: return (2, 0)
        case 2: return run(12, bits: 4, code: 2)
        case 3: return run(29, bits: 8, code: 2)
        default: return nil
        }
    }

    private mutating func fourBits() -> (Int, UInt8)? {
        guard let code = bits(4) else { return nil }
        guard code == 0 else { return (1, code) }
        guard let isOther = bits(1) else { return nil }
        if isOther == 0 {
            guard let length = bits(3), length != 0 else { return nil }
            return (Int(length) + 2, 0)
        }
        guard let isLong = bits(1) else { return nil }
        if isLong == 0 { return run(4, bits: 2, code: 4) }
        switch bits(2) {
        case 0: return (1, 0)
        case 1: return (2, 0)
        case 2: return run(9, bits: 4, code: 4)
        case 3: return run(25, bits: 8, code: 4)
        default: return nil
        }
    }

    private mutating func eightBits() -> (Int, UInt8)? {
        guard let code = byte() else { return nil }
        guard code == 0 else { return (1, code) }
        guard let length = byte(), length != 0 else { return nil }
        guard length & 0x80 != 0 else { return (Int(length), 0) }
        guard let color = byte() else { return nil }
        return (Int(length & 0x7F), color)
    }

    private mutating func run(_ base: Int, bits count: Int, code width: Int) -> (Int, UInt8)? {
        guard let length = bits(count), let code = bits(width) else { return nil }
        return (base + Int(length), code)
    }

    // MARK: Bits and bytes

    /// 1 to 8 bits; `nil`, with ``damage``, after the end.
    private mutating func bits(_ count: Int) -> UInt8? {
        let left = bit + 1 - count
        guard position < bytes.endIndex, left >= 0 || position + 1 < bytes.endIndex else {
            damage = damage ?? .truncated
            position = bytes.endIndex
            bit = 7
            return nil
        }
        let mask = UInt16(1) << UInt16(count) - 1
        if left > 0 {
            bit -= count
            return UInt8(UInt16(bytes[position]) >> UInt16(left) & mask)
        }
        let value = UInt16(bytes[position]) << 8
        position += 1
        bit = left + 7
        guard left < 0 else { return UInt8(value >> 8 & mask) }
        return UInt8((value | UInt16(bytes[position])) >> UInt16(left + 8) & mask)
    }

    private mutating func align() {
        guard bit != 7 else { return }
        bit = 7
        position += 1
    }

    /// The next byte; `nil` at the end, which is where fields end.
    private mutating func byte() -> UInt8? {
        guard position < bytes.endIndex else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func bytes(_ count: Int) -> [UInt8]? {
        guard bytes.endIndex - position >= count else {
            damage = damage ?? .truncated
            return nil
        }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }
}
