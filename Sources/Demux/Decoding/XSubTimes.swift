internal import MediaCore

/// The times that an XSUB packet states: `[HH:MM:SS.mmm-HH:MM:SS.mmm]` in its first 27 bytes.
///
/// libavcodec computes them from the packet's time as if that were in microseconds, whatever its
/// time base is, so they are read here.
struct XSubTimes: Hashable {
    /// Milliseconds since the zero of the file.
    var start: Int64
    /// Milliseconds since the zero of the file.
    var end: Int64

    /// Reads the head of a packet; `nil` where it is not such a head.
    init?(_ data: [UInt8]) {
        guard data.count >= 27, data[0] == 0x5B, data[13] == 0x2D, data[26] == 0x5D,
            let start = Self.time(data[1..<13]), let end = Self.time(data[14..<26])
        else { return nil }
        self.start = start
        self.end = end
    }

    private static func time(_ text: ArraySlice<UInt8>) -> Int64? {
        let bytes = Array(text)
        guard bytes[2] == 0x3A, bytes[5] == 0x3A, bytes[8] == 0x2E,
            let hours = number(bytes[0..<2]), let minutes = number(bytes[3..<5]),
            let seconds = number(bytes[6..<8]), let milliseconds = number(bytes[9..<12])
        else { return nil }
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - 0x30)
        }
        return value
    }
}
