/// A font attached to a file: TrueType, OpenType or a collection of them.
public struct AttachedFont: Hashable, Sendable {
    /// The name of the attachment; untrusted, and never a path.
    public var name: String
    /// The bytes of the font file.
    public var bytes: [UInt8]

    /// Creates a font.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
