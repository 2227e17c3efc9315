import UndertextCore

/// A sub-picture unit of a written file, read by a small independent decoder.
struct SPUImage {
    var x = 0
    var y = 0
    var width = 0
    var height = 0
    var isForced = false
    /// The end of the display, in 1024/90000 s.
    var stop = 0
    var pixels: [RGBA] = []

    /// The units in the packs of a .sub file.
    static func units(_ sub: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        for start in stride(from: 0, to: sub.count, by: 2048) {
            let pack = Array(sub[start..<min(start + 2048, sub.count)])
            let length = Int(pack[18]) << 8 | Int(pack[19])
            let header = 23 + Int(pack[22])
            let data = pack[(header + 1)..<(20 + length)]
            if pack[21] & 0x80 != 0 {
                units.append(Array(data))
            } else {
                units[units.count - 1] += data
            }
        }
        return units
    }

    init?(unit: [UInt8], idx: String) {
        func word(_ offset: Int) -> Int { Int(unit[offset]) << 8 | Int(unit[offset + 1]) }
        guard word(0) == unit.count else { return nil }
        guard let line = idx.split(separator: "\n").first(where: { $0.hasPrefix("palette: ") })
        else { return nil }
        let palette = line.dropFirst(9).split(separator: ",").compactMap {
            UInt32($0.drop { $0 == " " }, radix: 16)
        }
        guard palette.count == 16 else { return nil }
        var slots = [0, 0, 0, 0]
        var contrast = [0, 0, 0, 0]
        var fields = (0, 0)
        var sequence = word(2)
        while true {
            var position = sequence + 4
            commands: while true {
                let command = unit[position]
                position += 1
                switch command {
                case 0: isForced = true
                case 1: break
                case 2: stop = word(sequence)
                case 3, 4:
                    let nibbles = [
                        unit[position + 1] & 15, unit[position + 1] >> 4, unit[position] & 15,
                        unit[position] >> 4,
                    ].map { Int($0) }
                    if command == 3 { slots = nibbles } else { contrast = nibbles }
                    position += 2
                case 5:
                    x = word(position) >> 4
                    width = (word(position + 1) & 0xFFF) - x + 1
                    y = word(position + 3) >> 4
                    height = (word(position + 4) & 0xFFF) - y + 1
                    position += 6
                case 6:
                    fields = (word(position), word(position + 2))
                    position += 4
                default: break commands
                }
            }
            let next = word(sequence + 2)
            if next == sequence { break }
            sequence = next
        }
        let colors = (0..<4).map { index in
            contrast[index] == 0
                ? RGBA.clear
                : RGBA(rawValue: palette[slots[index]] << 8 | UInt32(contrast[index] * 17))
        }
        var rows = [[RGBA]](repeating: [], count: height)
        for (field, start) in [fields.0, fields.1].enumerated() {
            var nibble = start * 2
            func take() -> Int {
                defer { nibble += 1 }
                return Int(unit[nibble / 2]) >> (nibble % 2 == 0 ? 4 : 0) & 15
            }
            for row in stride(from: field, to: height, by: 2) {
                while rows[row].count < width {
                    var code = take()
                    for limit in [4, 16, 64] {
                        guard code < limit else { break }
                        code = code << 4 | take()
                    }
                    let run = code >> 2 == 0 ? width - rows[row].count : code >> 2
                    rows[row] += repeatElement(colors[code & 3], count: run)
                }
                nibble = (nibble + 1) / 2 * 2
            }
        }
        guard rows.allSatisfy({ $0.count == width }) else { return nil }
        pixels = rows.flatMap { $0 }
    }
}
