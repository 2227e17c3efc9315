package import UndertextCore

/// The styled text and the position of a SubRip cue.
package struct SubRipText: Hashable, Sendable {
    /// The text without its tags.
    package var text: StyledText
    /// The position of the first `{\an}` or `{\a}`.
    package var alignment: NumpadAlignment?
    /// The point that the first `{\pos}` names, on a canvas of ``canvasWidth`` × ``canvasHeight``.
    package var position: Point?

    /// A point in pixels.
    package struct Point: Hashable, Sendable {
        /// From the left.
        package var x: Double
        /// From the top.
        package var y: Double
    }

    /// The width `{\pos}` refers to: that of an ASS script that states none.
    package static let canvasWidth = 384.0
    /// The height `{\pos}` refers to: that of an ASS script that states none.
    package static let canvasHeight = 288.0

    /// The position of the cue.
    package var layout: CueLayout {
        if let position {
            return (alignment ?? .bottomCenter).layout(
                x: position.x * 100 / Self.canvasWidth, y: position.y * 100 / Self.canvasHeight)
        }
        return alignment?.layout() ?? CueLayout()
    }

    /// `true` if nothing in it can be a tag: then ``text`` is all there is.
    var isPlain = false

    /// Parses the text of a cue: UTF-8 with line feeds.
    package init(_ bytes: [UInt8]) {
        guard !Self.isPlain(bytes) else {
            text = StyledText(String(decoding: bytes, as: UTF8.self))
            isPlain = true
            return
        }
        var parser = SubRipParser(bytes)
        self = parser.parse()
    }

    /// `true` if no byte can begin a tag, and no line ends with a space that only the stored form keeps.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        var last: UInt8 = 0x0A
        for byte in bytes {
            if byte == 0x3C || byte == 0x7B { return false }
            if byte == 0x0A, last <= 0x20 { return false }
            last = byte
        }
        return last > 0x20
    }

    init(text: StyledText, alignment: NumpadAlignment?, position: Point?) {
        self.text = text
        self.alignment = alignment
        self.position = position
    }
}
