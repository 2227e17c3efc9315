internal import UndertextCore

/// A time of a line of SCC: the number of a frame at 29.97 frames a second, as `HH:MM:SS:FF`.
///
/// SMPTE ST 12-1, section 5.2.2: with a semicolon before the frames, the numbers 00 and 01 are left out in each minute
/// but every tenth, so that labels keep up with the clock.
struct SCCTimecode: Hashable {
    /// Frames since 00:00:00:00.
    var frame: Int64
    /// `true` if numbers of frames are left out.
    var dropsFrames: Bool

    private static let rate: Int64 = 30
    private static let framesPerMinute: Int64 = 60 * rate - 2
    private static let framesPerTenMinutes: Int64 = 10 * framesPerMinute + 2

    /// Creates a time.
    init(frame: Int64, dropsFrames: Bool) {
        self.frame = frame
        self.dropsFrames = dropsFrames
    }

    /// Reads the time code at the beginning of `text`.
    ///
    /// - Parameters:
    ///   - text: the line; what follows the time code stays in it.
    ///   - rate: the whole rate of a file that does not have 29.97 frames a second.
    init?(_ text: inout ArraySlice<UInt8>, rate: Int64 = SCCTimecode.rate) {
        var rest = text
        var fields: [Int64] = []
        var separator: UInt8 = 0
        for index in 0..<4 {
            if index > 0 {
                guard let byte = rest.popFirst(), Self.separators.contains(byte) else { return nil }
                separator = byte
            }
            let digits = rest.prefix(4).prefix { $0.isDigit }
            guard (1...3).contains(digits.count) else { return nil }
            fields.append(digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) })
            rest = rest.dropFirst(digits.count)
        }
        guard fields[1] < 60, fields[2] < 60, fields[3] < rate else { return nil }
        dropsFrames = separator != Byte.colon && rate == Self.rate
        let minutes = fields[0] * 60 + fields[1]
        frame = (minutes * 60 + fields[2]) * rate + fields[3]
        if dropsFrames { frame -= 2 * (minutes - minutes / 10) }
        text = rest
    }

    /// The number of frames of a day whose time codes count to `rate`.
    func day(rate: Int64) -> Int64 {
        24 * 3600 * rate - (dropsFrames ? 2 * (24 * 60 - 24 * 6) : 0)
    }

    private static let separators = Array(":;.,".utf8)

    /// The time code as a line begins with it.
    var text: String {
        var label = max(0, frame)
        if dropsFrames {
            let (tens, rest) = label.quotientAndRemainder(dividingBy: Self.framesPerTenMinutes)
            // The first minute of ten has all numbers.
            let minutes = rest < 60 * Self.rate ? 0 : (rest - 2) / Self.framesPerMinute
            label += tens * 18 + minutes * 2
        }
        let (seconds, frames) = label.quotientAndRemainder(dividingBy: Self.rate)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
        return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
            + "\(dropsFrames ? ";" : ":")\(two(frames))"
    }

    /// A line of a file, and an empty one before it: the time code and pairs as hexadecimal digits.
    func line(of pairs: some Collection<UInt8>) -> [UInt8] {
        var line = [Byte.lineFeed] + text.utf8
        for (index, byte) in pairs.enumerated() {
            if index % 2 == 0 { line.append(index == 0 ? 0x09 : Byte.space) }
            line.append(Self.digits[Int(byte >> 4)])
            line.append(Self.digits[Int(byte & 15)])
        }
        line.append(Byte.lineFeed)
        return line
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
