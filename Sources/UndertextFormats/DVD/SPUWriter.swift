internal import UndertextCore

/// Writes a sub-picture unit: pixels of four colors and the commands that show and end them.
struct SPUWriter {
    /// A color of the unit: its index in the track's palette, and its opacity, 0 to 15.
    struct Color: Hashable {
        var slot: UInt8
        var contrast: UInt8
    }

    /// The largest coordinate of the area command.
    static let largestCoordinate = 0xFFF
    /// The longest time until the command that stops the display, in 1024/90000 s; one more means
    /// an unknown time.
    static let longestDelay: Int64 = 0xFFFE

    /// Creates a unit; `nil` if it would exceed the range of its size field.
    ///
    /// - Parameters:
    ///   - image: indices 0 to 3, inside the coordinates.
    ///   - colors: four colors, in the order of the indices.
    ///   - isForced: `true` if it is shown even when subtitles are off.
    ///   - delay: the end of the display, in 1024/90000 s from its start.
    /// - Returns: the unit.
    static func unit(
        _ image: PlacedBitmap, colors: [Color], isForced: Bool, delay: UInt16
    ) -> [UInt8]? {
        let bitmap = image.bitmap
        guard colors.count == 4, image.x >= 0, image.y >= 0,
            image.x + bitmap.width - 1 <= largestCoordinate,
            image.y + bitmap.height - 1 <= largestCoordinate
        else { return nil }
        let top = SPURunLengthEncoder.encode(bitmap.indices, width: bitmap.width, first: 0)
        let bottom = SPURunLengthEncoder.encode(bitmap.indices, width: bitmap.width, first: 1)
        let control = 4 + top.count + bottom.count
        let first: [UInt8] =
            [
                0x03, nibbles(colors[3].slot, colors[2].slot),
                nibbles(colors[1].slot, colors[0].slot),
            ]
            + [
                0x04, nibbles(colors[3].contrast, colors[2].contrast),
                nibbles(colors[1].contrast, colors[0].contrast),
            ]
            + area(image) + offsets(4, 4 + top.count) + [isForced ? 0x00 : 0x01, 0xFF]
        let stop = control + 4 + first.count
        let size = stop + 6
        guard size <= Int(UInt16.max) else { return nil }
        var unit: [UInt8] = []
        unit.reserveCapacity(size)
        unit.appendBigEndian(UInt16(clamping: size))
        unit.appendBigEndian(UInt16(clamping: control))
        unit += top + bottom
        unit.appendBigEndian(UInt16(0))
        unit.appendBigEndian(UInt16(clamping: stop))
        unit += first
        // The last sequence names itself as the next one.
        unit.appendBigEndian(delay)
        unit.appendBigEndian(UInt16(clamping: stop))
        unit += [0x02, 0xFF]
        return unit
    }

    private static func nibbles(_ high: UInt8, _ low: UInt8) -> UInt8 { high << 4 | low & 0xF }

    /// Command 5: the first and last column, the first and last row, 12 bits each.
    private static func area(_ image: PlacedBitmap) -> [UInt8] {
        func pair(_ first: Int, _ count: Int) -> [UInt8] {
            let last = first + count - 1
            return [
                UInt8(truncatingIfNeeded: first >> 4),
                UInt8(truncatingIfNeeded: (first & 0xF) << 4 | last >> 8),
                UInt8(truncatingIfNeeded: last),
            ]
        }
        return [0x05] + pair(image.x, image.bitmap.width)
            + pair(image.y, image.bitmap.height)
    }

    /// Command 6: where the two fields begin.
    private static func offsets(_ top: Int, _ bottom: Int) -> [UInt8] {
        var command: [UInt8] = [0x06]
        command.appendBigEndian(UInt16(clamping: top))
        command.appendBigEndian(UInt16(clamping: bottom))
        return command
    }
}
