/// Limits on the resources that a playlist or manifest may use.
public struct StreamingLimits: Hashable, Sendable {
    /// Bytes of a playlist or manifest; of a playlist also of all values with variables, these replaced, and of a
    /// manifest of all base URLs, resolved.
    public var playlistSize = 32 << 20
    /// Bytes of all media playlists of one presentation together; what is longer is not read.
    public var playlistsSize = 128 << 20
    /// Bytes of one line of a playlist.
    public var lineLength = 1 << 20
    /// Lines of a playlist.
    public var lines = 1_000_000
    /// Attributes of one tag that are looked at.
    public var attributes = 1000
    /// Segments of one media playlist or representation.
    public var segments = 200_000
    /// Segments of all media playlists or representations of one presentation that are read, together.
    public var allSegments = 500_000
    /// Variants, renditions, representations and periods of one presentation, each.
    public var entries = 10_000
    /// Variables of a playlist.
    public var variables = 1000
    /// Bytes of one value after its variables were replaced.
    public var valueLength = 64 << 10
    /// Bytes of one base URL or template of a manifest.
    public var templateLength = 8 << 10
    /// Bytes of the addresses of all segments that a manifest names.
    public var addressSize = 128 << 20
    /// Elements of a manifest.
    public var elements = 500_000
    /// The maximum number of notes of each kind.
    public var notes = 100

    /// The defaults, which suit untrusted input.
    public init() {}
}
