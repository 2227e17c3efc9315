internal import UndertextCore

/// A command of a display control sequence.
///
/// DVD-Video, part 3, section 5.4.3 (SP_DCCMD); the 0x8x forms are those of HD DVD.
package enum SubPictureCommand: Hashable, Sendable {
    /// The image appears: 0x01 STA_DSP, or 0x00 FSTA_DSP, even where subtitles are off.
    case start(isForced: Bool)
    /// The image disappears: 0x02 STP_DSP.
    case stop
    /// The palette index of pixel values 0 to 3: 0x03 SET_COLOR.
    case colors([UInt8])
    /// The opacity of pixel values 0 to 3, 0 to 15: 0x04 SET_CONTR.
    case contrasts([UInt8])
    /// The display area: 0x05 SET_DAREA, or 0x85 for pixels of eight bits.
    case area(PixelRectangle, hasByteDepth: Bool)
    /// The offsets of lines 0, 2, 4, … and 1, 3, 5, … in the unit: 0x06 SET_DSPXA, 0x86.
    case fields(top: Int, bottom: Int)
    /// Other colors and opacities on parts of the screen: 0x07 CHG_COLCON.
    case changes([SubPictureLineChange])
    /// 256 colors as Y, Cr, Cb: 0x83.
    case fullColors([UInt8])
    /// 256 transparencies, 0 is opaque: 0x84.
    case fullContrasts([UInt8])
}

/// Lines of the screen on which colors and opacities differ (LN_CTLI).
package struct SubPictureLineChange: Hashable, Sendable {
    /// The lines, the last one included, counted on the screen from 0.
    package var lines: ClosedRange<Int>
    /// From left to right; each holds up to the next one's first column.
    package var columns: [Column]

    /// The colors and contrasts from a column on (PX_CTLI).
    package struct Column: Hashable, Sendable {
        /// The first column, counted on the screen from 0.
        package var start: Int
        /// The palette index of pixel values 0 to 3.
        package var colors: [UInt8]
        /// The opacity of pixel values 0 to 3, 0 to 15.
        package var contrasts: [UInt8]
    }
}

extension SubPictureCommand {
    /// The result of reading a command.
    enum Outcome {
        case command(SubPictureCommand)
        /// 0xFF: the sequence ends.
        case end
        /// A command that is not known, or that lacks bytes.
        case damaged
    }

    /// Reads the next command.
    static func read(_ reader: inout ByteReader) -> Outcome {
        guard let code = reader.uint8() else { return .damaged }
        let command: SubPictureCommand?
        switch code {
        case 0xFF: return .end
        case 0x00, 0x01: command = .start(isForced: code == 0)
        case 0x02: command = .stop
        case 0x03: command = nibbles(&reader).map { .colors($0) }
        case 0x04: command = nibbles(&reader).map { .contrasts($0) }
        case 0x05, 0x85:
            command = area(&reader).map { .area($0, hasByteDepth: code == 0x85) }
        case 0x06, 0x86: command = fields(&reader, size: code == 0x86 ? 4 : 2)
        case 0x07: command = changes(&reader)
        case 0x83: command = reader.slice(768).map { .fullColors(Array($0)) }
        case 0x84: command = reader.slice(256).map { .fullContrasts(Array($0)) }
        default: command = nil
        }
        return command.map { .command($0) } ?? .damaged
    }

    /// Four values of four bits, stored from pixel value 3 to 0.
    private static func nibbles(_ reader: inout ByteReader) -> [UInt8]? {
        guard let word = reader.uint16() else { return nil }
        return (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 4) & 15) }
    }

    /// First and last column, first and last line, twelve bits each.
    private static func area(_ reader: inout ByteReader) -> PixelRectangle? {
        guard let columns = reader.uint24(), let lines = reader.uint24() else { return nil }
        let (left, right) = (Int(columns >> 12), Int(columns & 0xFFF))
        let (top, bottom) = (Int(lines >> 12), Int(lines & 0xFFF))
        return PixelRectangle(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    private static func fields(_ reader: inout ByteReader, size: Int) -> SubPictureCommand? {
        guard let top = reader.unsigned(size), let bottom = reader.unsigned(size) else {
            return nil
        }
        return .fields(top: Int(top), bottom: Int(bottom))
    }

    /// The table of CHG_COLCON: its own size, lines with their columns, `0FFFFFFF`.
    private static func changes(_ reader: inout ByteReader) -> SubPictureCommand? {
        guard let size = reader.uint16(), size >= 2, let bytes = reader.slice(Int(size) - 2) else {
            return nil
        }
        var table = ByteReader(bytes)
        var changes: [SubPictureLineChange] = []
        while let word = table.uint32(), word != 0x0FFF_FFFF {
            let first = Int(word >> 16 & 0xFFF)
            let last = Int(word & 0xFFF)
            var columns: [SubPictureLineChange.Column] = []
            for _ in 0..<(word >> 12 & 15) {
                guard let start = table.uint16(), let colors = nibbles(&table),
                    let contrasts = nibbles(&table)
                else { return .changes(changes) }
                columns.append(
                    .init(start: Int(start & 0xFFF), colors: colors, contrasts: contrasts))
            }
            guard first <= last, !columns.isEmpty else { continue }
            changes.append(SubPictureLineChange(lines: first...last, columns: columns))
        }
        return .changes(changes)
    }
}
