/// A stream's content at one quality: a variant of HLS, a representation of DASH.
///
/// A plain file has one track per stream. Unknown values are `nil`. NexPlayer: `NXTrackInfo`.
public struct TrackInfo: Hashable, Sendable {
    /// The reason why a track is not used; an open set.
    ///
    /// NexPlayer: `NexTrackInformation.mReason`.
    public struct InvalidReason: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a reason with a name; unknown names are kept.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The video codec cannot be played.
        public static let videoCodec = InvalidReason(rawValue: "video-codec")
        /// The audio codec cannot be played.
        public static let audioCodec = InvalidReason(rawValue: "audio-codec")
        /// The resolution cannot be played.
        public static let resolution = InvalidReason(rawValue: "resolution")
        /// The renderer refused it.
        public static let renderer = InvalidReason(rawValue: "renderer")
        /// It does not match the requested attributes.
        public static let customAttributes = InvalidReason(rawValue: "custom-attributes")
    }

    /// The unique identifier within the stream; in a plain file, the stream's index.
    public var id: Int
    /// The codec, or `nil` until it is known; for HLS that may be after the first segment.
    public var codec: CodecID?
    /// The bandwidth in bits per second.
    public var bandwidth: Int64?
    /// Width in pixels.
    public var width: Int?
    /// Height in pixels.
    public var height: Int?
    /// The frame rate in frames per second.
    public var frameRate: Double?
    /// The codec's profile as its standard numbers it.
    public var profile: Int?
    /// The codec's level as its standard numbers it.
    public var level: Int?
    /// The number of audio channels.
    public var channels: Int?
    /// The audio sample rate in hertz.
    public var sampleRate: Int?
    /// The attributes of the track in the manifest, by name.
    public var customAttributes: [String: String]
    /// `true` if the track has audio.
    public var hasAudio: Bool
    /// `true` if the track has video.
    public var hasVideo: Bool
    /// `true` if the track has only I-frames for trick play (`EXT-X-I-FRAME-STREAM-INF`).
    public var isIFrameOnly: Bool
    /// The reason why the track is not used, or `nil` if it is.
    public var invalidReason: InvalidReason?

    /// Creates a track; omitted values are unknown.
    public init(
        id: Int, codec: CodecID? = nil, bandwidth: Int64? = nil, width: Int? = nil,
        height: Int? = nil, frameRate: Double? = nil, profile: Int? = nil, level: Int? = nil,
        channels: Int? = nil, sampleRate: Int? = nil, customAttributes: [String: String] = [:],
        hasAudio: Bool = false, hasVideo: Bool = false, isIFrameOnly: Bool = false,
        invalidReason: InvalidReason? = nil
    ) {
        self.id = id
        self.codec = codec
        self.bandwidth = bandwidth
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.profile = profile
        self.level = level
        self.channels = channels
        self.sampleRate = sampleRate
        self.customAttributes = customAttributes
        self.hasAudio = hasAudio
        self.hasVideo = hasVideo
        self.isIFrameOnly = isIFrameOnly
        self.invalidReason = invalidReason
    }

    /// `true` if the track may be used.
    public var isValid: Bool { invalidReason == nil }

    /// Returns `true` if the track has each of `attributes` with the same value.
    public func matches(_ attributes: [String: String]) -> Bool {
        attributes.allSatisfy { customAttributes[$0.key] == $0.value }
    }
}
