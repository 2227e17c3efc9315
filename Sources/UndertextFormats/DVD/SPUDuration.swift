internal import UndertextCore

/// Writes the end of a DVD sub-picture unit into the unit.
enum SPUDuration {
    /// The unit with a command to stop after `duration`.
    ///
    /// `nil` where it has one already, where it is damaged, or where it would become too large.
    static func stopping(_ data: [UInt8], after duration: Duration) -> [UInt8]? {
        guard let unit = SubPictureUnit(data), !unit.isLarge, !unit.isDamaged, !unit.hasStop,
            unit.size == unit.bytes.count, let last = unit.sequences.last
        else { return nil }
        let size = unit.size
        let units = duration.nanoseconds128 * 90 / 1_024_000_000
        let added = size + 6
        guard added <= Int(UInt16.max), units > 0 else { return nil }
        let delay = UInt16(clamping: max(min(units, 0xFFFE), Int128(last.delay)))
        var result = Array(unit.bytes)
        result[0] = UInt8(truncatingIfNeeded: added >> 8)
        result[1] = UInt8(truncatingIfNeeded: added)
        result[last.offset + 2] = UInt8(truncatingIfNeeded: size >> 8)
        result[last.offset + 3] = UInt8(truncatingIfNeeded: size)
        result.appendBigEndian(delay)
        result.appendBigEndian(UInt16(truncatingIfNeeded: size))
        result += [0x02, 0xFF]
        return result
    }
}
