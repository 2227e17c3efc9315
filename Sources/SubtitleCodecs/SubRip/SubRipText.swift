public import CueModel

/// What the text of a SubRip cue says: styled text and a place.
public struct SubRipText: Hashable, Sendable {
    /// The text without its tags.
    public var text: StyledText
    /// The place that the first `{\an}` or `{\a}` names.
    public var alignment: NumpadAlignment?
    /// The point that the first `{\pos}` names, on a canvas of ``canvasWidth`` × ``canvasHeight``.
    public var position: Point?

    /// A point in pixels.
    public struct Point: Hashable, Sendable {
        /// From the left.
        public var x: Double
        /// From the top.
        public var y: Double
    }

    /// The width `{\pos}` refers to: that of an ASS script that states none.
    public static let canvasWidth = 384.0
    /// The height `{\pos}` refers to: that of an ASS script that states none.
    public static let canvasHeight = 288.0

    /// Where the cue is placed.
    public var layout: CueLayout {
        if let position {
            return (alignment ?? .bottomCenter).layout(
                x: position.x * 100 / Self.canvasWidth, y: position.y * 100 / Self.canvasHeight)
        }
        return alignment?.layout() ?? CueLayout()
    }

    /// Parses the text of a cue: UTF-8 with line feeds.
    public init(_ bytes: [UInt8]) {
        var parser = SubRipParser(bytes)
        self = parser.parse()
    }

    init(text: StyledText, alignment: NumpadAlignment?, position: Point?) {
        self.text = text
        self.alignment = alignment
        self.position = position
    }
}
