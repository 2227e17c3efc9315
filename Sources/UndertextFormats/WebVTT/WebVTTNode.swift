public import UndertextCore

/// A node of the tree that WebVTT cue text describes.
///
/// W3C WebVTT, section 6.4.
public enum WebVTTNode: Hashable, Sendable {
    /// Text, character references resolved.
    case text(String)
    /// What follows appears at this time.
    case timestamp(Timestamp)
    /// An element and what it holds.
    case element(WebVTTElement)
}

/// An element of WebVTT cue text.
public struct WebVTTElement: Hashable, Sendable {
    /// What it is.
    public enum Tag: String, Hashable, Sendable {
        /// A span that only carries classes.
        case classSpan = "c"
        /// Slanted text.
        case italic = "i"
        /// Heavy text.
        case bold = "b"
        /// Underlined text.
        case underline = "u"
        /// Text with ruby text.
        case ruby
        /// Ruby text.
        case rubyText = "rt"
        /// What someone says.
        case voice = "v"
        /// Text in a language.
        case language = "lang"
    }

    /// What it is.
    public var tag: Tag
    /// Its classes, in order; empty names are left out.
    public var classes: [String]
    /// The annotation of a voice or language element; empty for others.
    public var annotation: String
    /// What it holds.
    public var children: [WebVTTNode]

    /// Creates an element.
    public init(
        tag: Tag, classes: [String] = [], annotation: String = "", children: [WebVTTNode] = []
    ) {
        self.tag = tag
        self.classes = classes
        self.annotation = annotation
        self.children = children
    }
}
