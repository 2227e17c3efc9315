/// The origin of a text that is changed before it is parsed.
public struct TextOrigin: Hashable, Sendable {
    /// The extent of a text.
    public enum Extent: Hashable, Sendable {
        /// A file from its first to its last character.
        case file
        /// The text of one packet.
        case packet
    }

    /// The extent of the text.
    public var extent: Extent
    /// The codec of the text, by which its markup is known.
    public var codec: CodecID
    /// The path or URL of the input, or the name of bytes or a source; URLs are without secrets.
    public var source: String
    /// The URL of the segment of an HLS or DASH presentation without secrets, or `nil` for other inputs.
    public var segment: String?

    /// Creates an origin.
    package init(extent: Extent, codec: CodecID, source: String, segment: String? = nil) {
        self.extent = extent
        self.codec = codec
        self.source = source
        self.segment = segment
    }
}
