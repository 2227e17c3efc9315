internal import UndertextCore

/// The times that an XSUB packet states: `[HH:MM:SS.mmm-HH:MM:SS.mmm]`, its first 27 bytes.
struct XSUBTimes: Hashable, Sendable {
    static let size = 27

    var start: Timestamp
    var end: Timestamp

    /// Reads the head of a packet; `nil` where it is not such a head.
    init?(_ data: [UInt8]) {
        guard data.count >= Self.size, data[0] == UInt8(ascii: "["),
            data[13] == UInt8(ascii: "-"), data[26] == UInt8(ascii: "]"),
            let start = Self.time(data[1..<13]), let end = Self.time(data[14..<26])
        else { return nil }
        self.start = start
        self.end = end
    }

    private static func time(_ text: ArraySlice<UInt8>) -> Timestamp? {
        let bytes = Array(text)
        guard bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":"),
            bytes[8] == UInt8(ascii: "."), let hours: Int64 = decimalNumber(bytes[0..<2]),
            let minutes: Int64 = decimalNumber(bytes[3..<5]),
            let seconds: Int64 = decimalNumber(bytes[6..<8]),
            let milliseconds: Int64 = decimalNumber(bytes[9..<12])
        else { return nil }
        return .milliseconds(((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds)
    }
}
