/// The run-length code of PGS objects.
///
/// `CC` one pixel; `00 0L`, `00 4L LL` runs of color 0; `00 8L CC`, `00 CL LL CC` runs of others;
/// `00 00` ends a line.
enum PGSRunLengthEncoder {
    private static let longestRun = 0x3FFF

    /// Encodes an image of `width` indices a row.
    static func encode(_ indices: [UInt8], width: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(indices.count / 4)
        for start in stride(from: 0, to: indices.count, by: max(1, width)) {
            let end = min(start + width, indices.count)
            var position = start
            while position < end {
                let index = indices[position]
                var next = position + 1
                while next < end, indices[next] == index { next += 1 }
                append(index, count: next - position, to: &output)
                position = next
            }
            output += [0, 0]
        }
        return output
    }

    private static func append(_ index: UInt8, count: Int, to output: inout [UInt8]) {
        var rest = count
        while rest > 0 {
            let run = min(rest, longestRun)
            rest -= run
            // One or two pixels of a color are shorter as they are.
            if index != 0, run < 3 {
                output += repeatElement(index, count: run)
                continue
            }
            let flag: UInt8 = index == 0 ? 0 : 0x80
            if run < 64 {
                output += [0, flag | UInt8(truncatingIfNeeded: run)]
            } else {
                output += [
                    0, flag | 0x40 | UInt8(truncatingIfNeeded: run >> 8),
                    UInt8(truncatingIfNeeded: run),
                ]
            }
            if index != 0 { output.append(index) }
        }
    }
}
