/// Tests of single bytes that the readers of text files share.
extension UInt8 {
    /// Tab, line feed, form feed, carriage return or space.
    var isWhiteSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D
    }

    /// `0` to `9`.
    var isDigit: Bool { self &- 0x30 < 10 }
}
