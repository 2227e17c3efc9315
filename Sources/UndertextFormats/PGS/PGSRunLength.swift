/// The pixels of an object, and what was wrong with their code.
struct PGSPixels {
    /// The index of a missing pixel: transparent, by the format's convention.
    static let missing: UInt8 = 0xFF

    /// Palette indices row by row.
    var indices: [UInt8]
    /// The indices that occur; more may be marked if the code is damaged.
    var used: [Bool]
    /// Lines that were too long or too short, or did not come.
    var damagedLines: Int

    /// Decodes the run-length code of an object.
    ///
    /// US 2009/0185789, table 6: `C` a pixel of color C; `00 0L` L pixels of color 0; `00 4L LL` the same with
    /// 14 bits; `00 8L C`, `00 CL LL C` L pixels of color C; `00 00` the end of the line. Each end of line
    /// restores the position, so that damage costs one line; if lines run into each other and fill the object
    /// exactly, only the ends are missing.
    init(decoding code: ArraySlice<UInt8>, width: Int, height: Int) {
        var decoded = [UInt8](repeating: Self.missing, count: width * height)
        var occurring = [Bool](repeating: false, count: 256)
        var damaged = 0
        var pixels = decoded.mutableSpan
        var marks = occurring.mutableSpan
        let rows = Self.decode(code.span, width, &pixels, &marks, &damaged)
        damaged += height - rows
        if damaged > 0 { occurring[Int(Self.missing)] = true }
        indices = decoded
        used = occurring
        damagedLines = damaged
    }

    /// Fills `pixels`; returns the number of lines.
    private static func decode(
        _ code: Span<UInt8>, _ width: Int, _ pixels: inout MutableSpan<UInt8>,
        _ used: inout MutableSpan<Bool>, _ damaged: inout Int
    ) -> Int {
        let total = pixels.count
        let count = code.count
        var place = 0
        var lineStart = 0
        var position = 0
        while place < count, lineStart < total {
            let first = code[place]
            place += 1
            if first != 0 {
                if position < total {
                    pixels[position] = first
                    used[Int(first)] = true
                    position += 1
                }
                continue
            }
            guard place < count else { break }
            let flags = code[place]
            place += 1
            if flags == 0 {
                lineStart = endLine(lineStart, position, width, &pixels, &damaged)
                position = lineStart
                continue
            }
            var length = Int(flags & 0x3F)
            if flags & 0x40 != 0 {
                guard place < count else { break }
                length = length << 8 | Int(code[place])
                place += 1
            }
            var color: UInt8 = 0
            if flags & 0x80 != 0 {
                guard place < count else { break }
                color = code[place]
                place += 1
            }
            let end = min(total, position + length)
            guard position < end else { continue }
            used[Int(color)] = true
            while position < end {
                pixels[position] = color
                position += 1
            }
        }
        if position > lineStart, lineStart < total {
            lineStart = endLine(lineStart, position, width, &pixels, &damaged)
        }
        return lineStart / width
    }

    /// The start of the next line.
    private static func endLine(
        _ lineStart: Int, _ position: Int, _ width: Int, _ pixels: inout MutableSpan<UInt8>,
        _ damaged: inout Int
    ) -> Int {
        let length = position - lineStart
        if length == width { return position }
        if length > width, length % width == 0 { return position }
        damaged += 1
        // Pixels beyond the end of a line do not belong to the next one.
        var excess = lineStart + width
        while excess < position {
            pixels[excess] = missing
            excess += 1
        }
        return lineStart + width
    }
}
