/// U+FFFD in UTF-8, which replaces invalid characters.
package let utf8Replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

/// The length of the UTF-8 sequence at `position`, or of the longest prefix of one.
///
/// The Unicode Standard, table 3-7, and its "maximal subpart" practice: a broken sequence costs
/// the bytes that could have begun one, at least one byte.
package func utf8Sequence(
    in data: ArraySlice<UInt8>, at position: Int
) -> (length: Int, isValid: Bool) {
    let lead = data[position]
    let count: Int
    var allowed: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0..<0x80: return (1, true)
    case 0xC2...0xDF: count = 2
    case 0xE0: (count, allowed) = (3, 0xA0...0xBF)
    case 0xED: (count, allowed) = (3, 0x80...0x9F)
    case 0xE1...0xEF: count = 3
    case 0xF0: (count, allowed) = (4, 0x90...0xBF)
    case 0xF1...0xF3: count = 4
    case 0xF4: (count, allowed) = (4, 0x80...0x8F)
    default: return (1, false)
    }
    for offset in 1..<count {
        let next = position + offset
        guard next < data.endIndex, allowed.contains(data[next]) else { return (offset, false) }
        allowed = 0x80...0xBF
    }
    return (count, true)
}

extension ArraySlice<UInt8> {
    /// The bytes after a byte order mark of UTF-8, or all of them.
    package var withoutByteOrderMark: ArraySlice<UInt8> {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    }
}
