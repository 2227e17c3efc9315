/// The charset of a text, with its source.
package struct TextCharset: Hashable, Sendable {
    /// The source of a charset; reports use the raw values.
    package enum Source: String, Hashable, Sendable {
        /// The text begins with a byte order mark.
        case byteOrderMark = "bom"
        /// The bytes are UTF-8, except for damage.
        case valid
        /// The charset was detected from the bytes.
        case detected
        /// The caller stated the charset.
        case option
    }

    /// The name known to iconv, in lower case.
    package var name: String
    /// The source of the charset.
    package var source: Source
    /// The confidence, 0 to 1.
    ///
    /// For UTF-8, the share of valid characters. For a detected charset, the share of characters
    /// beyond ASCII that are letters or punctuation, reduced if there are few of them.
    package var confidence: Double

    /// Creates a description.
    package init(name: String, source: Source, confidence: Double) {
        self.name = name
        self.source = source
        self.confidence = confidence
    }
}
