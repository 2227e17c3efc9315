internal import MediaCore

/// The control sequences of a DVD sub-picture unit, as far as its end is concerned.
///
/// A unit is its size, the offset of the first control sequence, the pixel data, and the control
/// sequences: delay (1024/90000 s), offset of the next one (of itself in the last), commands.
enum SPUDuration {
    /// The control sequences of a unit.
    struct Sequences {
        /// Whether one of them has the command to stop the display.
        var hasStop: Bool
        /// The offset of the last one.
        var last: Int
        /// The delay of the last one.
        var lastDelay: UInt16
    }

    /// Reads the control sequences; `nil` where they are damaged.
    static func sequences(of unit: [UInt8]) -> Sequences? {
        var reader = ByteReader(unit)
        guard let size = reader.uint16(), Int(size) <= unit.count,
            let first = reader.uint16()
        else { return nil }
        reader = ByteReader(unit[..<Int(size)])
        var offset = Int(first)
        var hasStop = false
        while true {
            guard offset >= 4, reader.seek(to: offset), let delay = reader.uint16(),
                let next = reader.uint16(), let stops = readCommands(&reader)
            else { return nil }
            hasStop = hasStop || stops
            guard Int(next) > offset else {
                return Sequences(hasStop: hasStop, last: offset, lastDelay: delay)
            }
            offset = Int(next)
        }
    }

    /// Reads the commands of a sequence: whether one stops the display; `nil` for damage.
    private static func readCommands(_ reader: inout ByteReader) -> Bool? {
        var stops = false
        while let command = reader.uint8() {
            let length: Int
            switch command {
            case 0xFF: return stops
            case 0x00, 0x01: length = 0
            case 0x02:
                length = 0
                stops = true
            case 0x03, 0x04: length = 2
            case 0x05: length = 6
            case 0x06: length = 4
            case 0x07:
                // CHG_COLCON states its own size, these two bytes included.
                guard let size = reader.uint16(), size >= 2 else { return nil }
                length = Int(size) - 2
            default: return nil
            }
            guard reader.skip(length) else { return nil }
        }
        return nil
    }

    /// The unit with a command to stop after `duration`.
    ///
    /// `nil` where it has one already, where it is damaged, or where it would become too large.
    static func stopping(_ unit: [UInt8], after duration: Duration) -> [UInt8]? {
        guard let sequences = sequences(of: unit), !sequences.hasStop else { return nil }
        let size = Int(unit[0]) << 8 | Int(unit[1])
        let units = duration.nanoseconds128 * 90 / 1_024_000_000
        let added = size + 6
        guard added <= Int(UInt16.max), units > 0 else { return nil }
        let delay = UInt16(clamping: max(units, Int128(sequences.lastDelay)))
        var result = Array(unit[..<size])
        result[0] = UInt8(truncatingIfNeeded: added >> 8)
        result[1] = UInt8(truncatingIfNeeded: added)
        result[sequences.last + 2] = UInt8(truncatingIfNeeded: size >> 8)
        result[sequences.last + 3] = UInt8(truncatingIfNeeded: size)
        result.appendBigEndian(delay)
        result.appendBigEndian(UInt16(truncatingIfNeeded: size))
        result += [0x02, 0xFF]
        return result
    }
}
