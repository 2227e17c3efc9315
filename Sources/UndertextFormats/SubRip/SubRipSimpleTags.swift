/// Tells text of which other formats take the tags unchanged.
///
/// WebVTT has SubRip's `<i>`, `<b>` and `<u>`. Where one of them is closed before another opens, with
/// words in it, writing the styled text again would give the same bytes.
enum SubRipSimpleTags {
    /// `true` if the text has only such tags and no other `<`, `>` or `{`.
    ///
    /// No white space is allowed at an inner edge of a tag or at the end of a line, where writers
    /// take it away.
    static func areAll(in bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var open: UInt8 = 0
        // The last tag that was closed, and its position.
        var closed: UInt8 = 0
        var closedAt = -1
        var index = range.lowerBound
        while index < range.upperBound {
            switch bytes[index] {
            case Byte.less:
                let isClosing = index + 1 < range.upperBound && bytes[index + 1] == 0x2F
                let name = index + (isClosing ? 2 : 1)
                guard name + 1 < range.upperBound, bytes[name + 1] == Byte.greater,
                    isSimple(bytes[name])
                else { return false }
                if isClosing {
                    guard bytes[name] == open, bytes[index - 1] > Byte.space else { return false }
                    closed = open
                    closedAt = name + 2
                    open = 0
                } else {
                    let next = name + 2
                    // Nothing in it, or more of what was just closed.
                    guard open == 0, closedAt != index || closed != bytes[name],
                        next < range.upperBound, bytes[next] > Byte.space, bytes[next] != Byte.less
                    else { return false }
                    open = bytes[name]
                }
                index = name + 2
            case Byte.greater, 0x7B: return false
            default: index += 1
            }
        }
        return open == 0
    }

    /// `b`, `i` or `u`.
    private static func isSimple(_ name: UInt8) -> Bool {
        name == 0x62 || name == 0x69 || name == 0x75
    }
}
