/// A stream that a user can select: a video angle, an audio language or a subtitle language.
///
/// Its tracks are the same content at different qualities. Unknown values are `nil`.
/// NexPlayer: `NXMediaStreamInfo`.
public struct MediaStreamInfo: Hashable, Sendable {
    /// The type of a stream as users see it.
    ///
    /// NexPlayer: `NXMediaType`; bitmap subtitles are text, too.
    public enum StreamType: String, Hashable, Sendable, CaseIterable {
        /// Video.
        case video
        /// Audio.
        case audio
        /// Subtitles and captions.
        case text
    }

    /// The unique identifier of the stream; in a plain file, the stream's index.
    public var id: Int
    /// The type of the stream.
    public var type: StreamType
    /// The title from the file or manifest: not safe for a terminal or a path.
    public var name: String?
    /// The language; `nil` if undetermined.
    public var language: LanguageTag?
    /// The same content at different qualities, in the order of the manifest.
    public var tracks: [TrackInfo]
    /// The ``TrackInfo/id`` of the track in use; `nil` if none is.
    public var currentTrackID: Int?
    /// The sets of attributes that a user can select, the default first.
    public var customAttributeSets: [[String: String]]
    /// The caption channel inside the video: `CC1` to `CC4`, `SERVICE1` to `SERVICE63`.
    public var inStreamID: String?
    /// The codec of the stream's tracks, or `nil` until it is known.
    public var representativeCodec: CodecID?
    /// The purpose of the stream.
    public var disposition: Disposition

    /// Creates a stream; omitted values are unknown.
    public init(
        id: Int, type: StreamType, name: String? = nil, language: LanguageTag? = nil,
        tracks: [TrackInfo] = [], currentTrackID: Int? = nil,
        customAttributeSets: [[String: String]] = [], inStreamID: String? = nil,
        representativeCodec: CodecID? = nil, disposition: Disposition = []
    ) {
        self.id = id
        self.type = type
        self.name = name
        self.language = language
        self.tracks = tracks
        self.currentTrackID = currentTrackID
        self.customAttributeSets = customAttributeSets
        self.inStreamID = inStreamID
        self.representativeCodec = representativeCodec
        self.disposition = disposition
    }

    /// The track in use; `nil` if none is.
    public var currentTrack: TrackInfo? {
        currentTrackID.flatMap { id in tracks.first { $0.id == id } }
    }

    /// The current track, otherwise the first.
    var shownTrack: TrackInfo? { currentTrack ?? tracks.first }
}
