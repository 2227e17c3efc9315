/// In which characters a text is stored, and how that is known.
public struct TextCharset: Hashable, Sendable {
    /// How a charset is known; the raw values are those of reports.
    public enum Source: String, Hashable, Sendable {
        /// The text begins with a byte order mark.
        case byteOrderMark = "bom"
        /// The bytes are UTF-8, but for damage.
        case valid
        /// The bytes look like it.
        case detected
        /// The caller said so.
        case option
    }

    /// The name as iconv knows it, in lower case.
    public var name: String
    /// How it is known.
    public var source: Source
    /// How sure that is: 0 to 1.
    ///
    /// Of UTF-8, the share of characters that are valid. Of a detected charset, the share of
    /// characters beyond ASCII that are letters or punctuation, less where there are few of them.
    public var confidence: Double

    /// Creates a description.
    public init(name: String, source: Source, confidence: Double) {
        self.name = name
        self.source = source
        self.confidence = confidence
    }
}
