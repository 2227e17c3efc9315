package import UndertextCore

/// A node of the tree that WebVTT cue text describes.
///
/// W3C WebVTT, section 6.4.
package enum WebVTTNode: Hashable, Sendable {
    /// Text, character references resolved.
    case text(String)
    /// A timestamp: the following text appears at this time.
    case timestamp(Timestamp)
    /// An element and what it holds.
    case element(WebVTTElement)
}

/// An element of WebVTT cue text.
package struct WebVTTElement: Hashable, Sendable {
    /// The kind.
    package enum Tag: String, Hashable, Sendable {
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
        /// A voice span.
        case voice = "v"
        /// Text in a language.
        case language = "lang"
    }

    /// The kind.
    package var tag: Tag
    /// Its classes, in order; empty names are left out.
    package var classes: [String]
    /// The annotation of a voice or language element; empty for others.
    package var annotation: String
    /// The children.
    package var children: [WebVTTNode]

    /// Creates an element.
    package init(
        tag: Tag, classes: [String] = [], annotation: String = "", children: [WebVTTNode] = []
    ) {
        self.tag = tag
        self.classes = classes
        self.annotation = annotation
        self.children = children
    }
}
