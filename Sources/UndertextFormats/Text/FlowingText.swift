internal import UndertextCore

/// Text of markup: white space becomes one space, and none at the beginning and the end of a line.
///
/// A line break counts once something follows it.
struct FlowingText {
    /// The destination of the text; its style applies to the text that is appended next.
    var builder = StyledTextBuilder()
    /// `true` if the line is empty so far.
    private(set) var isAtLineStart = true
    /// The style of pending white space, which is kept if text follows on the line.
    private var space: TextStyle?
    private var breaks = 0

    /// The maximum number of line breaks before a text.
    private static let breaksAtMost = 64

    /// `true` if white space is pending.
    var hasSpace: Bool { space != nil }

    /// Adds white space.
    mutating func addSpace() { space = space ?? builder.style }

    /// Forgets white space that nothing followed.
    mutating func dropSpace() { space = nil }

    /// Ends the line.
    mutating func breakLine() {
        if !builder.isEmpty { breaks = min(breaks + 1, Self.breaksAtMost) }
        space = nil
        isAtLineStart = true
    }

    /// Appends bytes of UTF-8 that are no white space.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        begin()
        builder.append(bytes)
    }

    /// Appends a byte of UTF-8 that is no white space.
    mutating func append(_ byte: UInt8) {
        begin()
        builder.append(byte)
    }

    /// Writes what waited for something to follow.
    private mutating func begin() {
        for _ in 0..<breaks { builder.append(0x0A) }
        breaks = 0
        if let space, !isAtLineStart {
            let style = builder.style
            builder.setStyle(space)
            builder.append(0x20)
            builder.setStyle(style)
        }
        space = nil
        isAtLineStart = false
    }
}
