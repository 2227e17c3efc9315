import UndertextCore

/// A segment of a .sup file, split without interpretation.
struct SUPSegment {
    var pts: Int
    var dts: Int
    var type: UInt8
    var payload: [UInt8]

    /// The segments of a file; stops where the magic is missing.
    static func all(_ bytes: [UInt8]) -> [SUPSegment] {
        var segments: [SUPSegment] = []
        var rest = bytes[...]
        while rest.count >= 13, rest.starts(with: [0x50, 0x47]) {
            let head = Array(rest.prefix(13))
            func number(_ range: Range<Int>) -> Int {
                head[range].reduce(0) { $0 << 8 | Int($1) }
            }
            let size = number(11..<13)
            segments.append(
                SUPSegment(
                    pts: number(2..<6), dts: number(6..<10), type: head[10],
                    payload: Array(rest.dropFirst(13).prefix(size))))
            rest = rest.dropFirst(13 + size)
        }
        return rest.isEmpty ? segments : []
    }

    func number(_ offset: Int, _ count: Int) -> Int {
        payload[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The screen of a composition of a written file.
struct SUPScreen {
    struct Object {
        var x: Int
        var y: Int
        var window: Int
        var isForced: Bool
        var width = 0
        var height = 0
        var indices: [UInt8] = []
    }

    var pts: Int
    var state: UInt8
    var number: Int
    var objects: [Object] = []
    var windows: [[Int]] = []
    /// Y, Cr, Cb, A by index.
    var palette: [UInt8: [UInt8]] = [:]
    var types: [UInt8] = []

    static func all(_ bytes: [UInt8]) -> [SUPScreen] {
        var screens: [SUPScreen] = []
        var data: [Int: [UInt8]] = [:]
        for segment in SUPSegment.all(bytes) {
            if segment.type == 0x16 {
                screens.append(
                    SUPScreen(
                        pts: segment.pts, state: segment.payload[7], number: segment.number(5, 2)))
                for index in 0..<Int(segment.payload[10]) {
                    let start = 11 + 8 * index
                    screens[screens.count - 1].objects.append(
                        Object(
                            x: segment.number(start + 4, 2), y: segment.number(start + 6, 2),
                            window: Int(segment.payload[start + 2]),
                            isForced: segment.payload[start + 3] & 0x40 != 0))
                }
            }
            screens[screens.count - 1].take(segment, &data)
        }
        return screens
    }

    private mutating func take(_ segment: SUPSegment, _ data: inout [Int: [UInt8]]) {
        types.append(segment.type)
        switch segment.type {
        case 0x17:
            for index in 0..<Int(segment.payload[0]) {
                windows.append((0..<4).map { segment.number(2 + 9 * index + 2 * $0, 2) })
            }
        case 0x14:
            for start in stride(from: 2, to: segment.payload.count, by: 5) {
                palette[segment.payload[start]] = Array(segment.payload[start + 1..<start + 5])
            }
        case 0x15:
            let number = segment.number(0, 2)
            let isFirst = segment.payload[3] & 0x80 != 0
            if isFirst {
                objects[number].width = segment.number(7, 2)
                objects[number].height = segment.number(9, 2)
                data[number] = Array(segment.payload[11...])
            } else {
                data[number, default: []] += segment.payload[4...]
            }
            if segment.payload[3] & 0x40 != 0 {
                objects[number].indices = Self.decoded(
                    data[number] ?? [], objects[number].width)
            }
        default: break
        }
    }

    /// Undoes the run-length code; a line of another length gives nothing.
    private static func decoded(_ bytes: [UInt8], _ width: Int) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let first = bytes[position]
            position += 1
            if first != 0 {
                result.append(first)
                continue
            }
            let flags = bytes[position]
            position += 1
            if flags == 0 {
                if result.count % width != 0 { return [] }
                continue
            }
            var count = Int(flags & 0x3F)
            if flags & 0x40 != 0 {
                count = count << 8 | Int(bytes[position])
                position += 1
            }
            var color: UInt8 = 0
            if flags & 0x80 != 0 {
                color = bytes[position]
                position += 1
            }
            result += repeatElement(color, count: count)
        }
        return result
    }
}
