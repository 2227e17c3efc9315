internal import UndertextCore

extension FrameRate {
    /// The high nibble of a PGS composition's frame rate, shifted.
    var pgsCode: UInt8 {
        switch self {
        case .film: 0x10
        case .cinema: 0x20
        case .pal: 0x30
        case .ntsc: 0x40
        case .palFields: 0x60
        case .ntscFields: 0x70
        }
    }

    /// A frame's number as `HH:MM:SS:FF`; the frames carry into the seconds.
    func timecode(ofFrame frame: Int64) -> String {
        let (seconds, frames) = max(0, frame).quotientAndRemainder(dividingBy: integerRate)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
        return
            "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)):\(two(frames))"
    }

    /// The frame number of `HH:MM:SS:FF`; `nil` if malformed.
    ///
    /// BDSup2Sub writes a frame equal to the rate when it rounds up: it belongs to the next second.
    func frame(ofTimecode text: String) -> Int64? {
        let parts = text.utf8.split(separator: 0x3A, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var values: [Int64] = []
        for part in parts {
            guard (1...4).contains(part.count), part.allSatisfy({ $0.isDigit })
            else { return nil }
            values.append(part.reduce(0) { $0 * 10 + Int64($1 - 0x30) })
        }
        guard values[1] < 60, values[2] < 60, values[3] <= integerRate else { return nil }
        return ((values[0] * 60 + values[1]) * 60 + values[2]) * integerRate + values[3]
    }
}
