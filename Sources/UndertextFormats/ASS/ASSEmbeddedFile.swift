/// Where an embedded file stands in a script.
struct ASSEmbeddedRange {
    var name: Range<Int>
    var isFont: Bool
    /// The lines of data, their ends included.
    var data: Range<Int>

    /// The file; `nil` if it is longer than `limit` bytes.
    ///
    /// Each four characters from `!` to `` ` `` are three bytes, six bits a character; two or three
    /// at the end are one or two bytes.
    func decoded(from text: [UInt8], limit: Int) -> EmbeddedFile? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(data.count / 4 * 3 + 3, limit))
        var group: UInt32 = 0
        var count = 0
        for index in data {
            let value = text[index] &- 0x21
            guard value < 64 else { continue }
            group = group << 6 | UInt32(value)
            count += 1
            if count == 4 {
                guard bytes.count + 3 <= limit else { return nil }
                bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                bytes.append(UInt8(truncatingIfNeeded: group))
                (group, count) = (0, 0)
            }
        }
        guard bytes.count + max(0, count - 1) <= limit else { return nil }
        if count == 2 { bytes.append(UInt8(truncatingIfNeeded: group >> 4)) }
        if count == 3 {
            bytes.append(UInt8(truncatingIfNeeded: group >> 10))
            bytes.append(UInt8(truncatingIfNeeded: group >> 2))
        }
        return EmbeddedFile(
            name: text[name].trimmed.text, isFont: isFont, bytes: bytes)
    }
}
