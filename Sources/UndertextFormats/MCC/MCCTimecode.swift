internal import UndertextCore

/// The rate of the time codes of an MCC file, such as `Time Code Rate=30DF`.
struct MCCRate: Hashable {
    /// Numbers of frames in a second.
    var count: Int64 = 30
    /// `true` if numbers are left out, so that time codes keep up with the clock.
    var dropsFrames = false

    init() {}

    init(_ rate: FrameRate) { count = rate.integerRate }

    /// Reads the rate; `nil` if it is none.
    ///
    /// Time codes of a fraction such as 29.97 count up to the next whole number.
    init?(_ text: ArraySlice<UInt8>) {
        let digits = text.prefix { $0.isDigit }
        guard let number: Int64 = decimalNumber(digits) else { return nil }
        let rest = text.dropFirst(digits.count)
        let isFraction = rest.first == Byte.period && rest.dropFirst().first == 0x39
        count = number + (isFraction ? 1 : 0)
        let suffix = rest.text.uppercased()
        dropsFrames = suffix.hasSuffix("DF") && !suffix.hasSuffix("NDF")
        guard Self.counts.contains(count) else { return nil }
    }

    private static let counts: Set<Int64> = [24, 25, 30, 50, 60]

    /// `true` if a frame lasts 1001/1000 of what the number says, unless the file says otherwise.
    var isUsuallyNTSC: Bool { count != 25 && count != 50 }

    /// The number of frames of a day of time codes that leave numbers out or not.
    func day(dropsFrames: Bool) -> Int64 {
        24 * 3600 * count
            - (dropsFrames && count % 30 == 0 ? count / 15 * (24 * 60 - 24 * 6) : 0)
    }

    /// The number of the frame of a time code, which is removed from `text` with the field and line after it.
    ///
    /// `HH:MM:SS:FF`, then perhaps `.field` and `,line`.
    func frame(of text: inout ArraySlice<UInt8>) -> Int64? {
        var rest = text
        var parts: [Int64] = []
        var separator = Byte.colon
        for index in 0..<4 {
            if index > 0 {
                guard let byte = rest.popFirst(), byte == Byte.colon || byte == Byte.semicolon
                else { return nil }
                separator = byte
            }
            let digits = rest.prefix(3).prefix { $0.isDigit }
            guard let number: Int64 = decimalNumber(digits) else { return nil }
            parts.append(number)
            rest = rest.dropFirst(digits.count)
        }
        guard parts[1] < 60, parts[2] < 60, parts[3] < count else { return nil }
        for byte in [Byte.period, Byte.comma] where rest.first == byte {
            rest = rest.dropFirst().drop { $0.isDigit }
        }
        text = rest
        let minutes = parts[0] * 60 + parts[1]
        let frame = (minutes * 60 + parts[2]) * count + parts[3]
        // SMPTE ST 12-1, section 5.2.2.
        guard dropsFrames || separator == Byte.semicolon, count % 30 == 0 else { return frame }
        return frame - count / 15 * (minutes - minutes / 10)
    }
}
