internal import UndertextCore

/// A family of color tables: one for each depth (EN 300 743, section 7.2.4).
struct DVBCLUT: Hashable, Sendable {
    private var two = Self.defaultTwo
    private var four = Self.defaultFour
    private var eight = Self.defaultEight

    /// The colors of regions of that depth.
    func colors(_ depth: DVBPixelDepth) -> [RGBA] {
        switch depth {
        case .two: two
        case .four: four
        case .eight: eight
        }
    }

    /// Sets the entries of a CLUT definition, after its id and version; what it does not name
    /// stays.
    ///
    /// - Returns: `false` if the last entry is cut off.
    mutating func apply(_ entries: ArraySlice<UInt8>, matrix: ColorMatrix) -> Bool {
        var reader = ByteReader(entries)
        while let id = reader.uint8() {
            guard let flags = reader.uint8(),
                let color = Self.color(&reader, isFullRange: flags & 1 != 0, matrix)
            else { return false }
            if flags & 0x80 != 0, id < 4 { two[Int(id)] = color }
            if flags & 0x40 != 0, id < 16 { four[Int(id)] = color }
            if flags & 0x20 != 0 { eight[Int(id)] = color }
        }
        return true
    }

    /// Four bytes, or 6, 4, 4 and 2 bits, which are the upper ones.
    private static func color(
        _ reader: inout ByteReader, isFullRange: Bool, _ matrix: ColorMatrix
    ) -> RGBA? {
        let y: UInt8
        let cr: UInt8
        let cb: UInt8
        let transparency: UInt8
        if isFullRange {
            guard let value = reader.uint32() else { return nil }
            y = UInt8(truncatingIfNeeded: value >> 24)
            cr = UInt8(truncatingIfNeeded: value >> 16)
            cb = UInt8(truncatingIfNeeded: value >> 8)
            transparency = UInt8(truncatingIfNeeded: value)
        } else {
            guard let value = reader.uint16() else { return nil }
            y = UInt8(truncatingIfNeeded: value >> 8) & 0xFC
            cr = UInt8(truncatingIfNeeded: value >> 2) & 0xF0
            cb = UInt8(truncatingIfNeeded: value << 2) & 0xF0
            transparency = UInt8(truncatingIfNeeded: value << 6)
        }
        // "Full transparency is acquired through a value of zero in the Y_value field."
        guard y != 0 else { return .clear }
        return matrix.color(y: y, cb: cb, cr: cr, alpha: 255 - transparency)
    }

    // MARK: Default contents (section 10)

    /// Transparent, white, black, gray (section 10.3).
    private static let defaultTwo: [RGBA] = [
        .clear, .white, .black, RGBA(red: 127, green: 127, blue: 127),
    ]

    /// Bits 1, 2 and 4 of the entry are red, green and blue; half as bright with bit 8 (section
    /// 10.2).
    private static let defaultFour: [RGBA] = (0..<16).map { entry in
        guard entry != 0 else { return .clear }
        let full: UInt8 = entry & 8 == 0 ? 255 : 127
        return RGBA(
            red: entry & 1 != 0 ? full : 0, green: entry & 2 != 0 ? full : 0,
            blue: entry & 4 != 0 ? full : 0)
    }

    /// Bits 1, 2, 4 weigh a third, bits 0x10, 0x20, 0x40 two thirds; bits 8 and 0x80 choose
    /// transparency and brightness (section 10.1).
    private static let defaultEight: [RGBA] = (0..<256).map { entry in
        guard entry != 0 else { return .clear }
        if entry < 8 {
            return RGBA(
                red: entry & 1 != 0 ? 255 : 0, green: entry & 2 != 0 ? 255 : 0,
                blue: entry & 4 != 0 ? 255 : 0, alpha: 63)
        }
        let isDim = entry & 0x80 != 0
        let base = entry & 0x88 == 0x80 ? 127 : 0
        func component(_ bit: Int) -> UInt8 {
            let third = entry & bit != 0 ? (isDim ? 43 : 85) : 0
            let twoThirds = entry & (bit << 4) != 0 ? (isDim ? 85 : 170) : 0
            return UInt8(base + third + twoThirds)
        }
        return RGBA(
            red: component(1), green: component(2), blue: component(4),
            alpha: entry & 0x88 == 0x08 ? 127 : 255)
    }
}
