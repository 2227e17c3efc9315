/// A stream's content at one quality: a variant of HLS, a representation of DASH.
///
/// A plain file has one track per stream. Unknown is `nil`. NexPlayer: `NXTrackInfo`.
public struct TrackInfo: Hashable, Sendable {
    /// Why a track is not used; an open set.
    ///
    /// NexPlayer: `NexTrackInformation.mReason`.
    public struct InvalidReason: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// A reason of that name; unknown ones are kept.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The video codec cannot be played.
        public static let videoCodec = InvalidReason(rawValue: "video-codec")
        /// The audio codec cannot be played.
        public static let audioCodec = InvalidReason(rawValue: "audio-codec")
        /// The resolution cannot be played.
        public static let resolution = InvalidReason(rawValue: "resolution")
        /// The renderer refused it.
        public static let renderer = InvalidReason(rawValue: "renderer")
        /// It does not match the attributes that were asked for.
        public static let customAttributes = InvalidReason(rawValue: "custom-attributes")
    }

    /// A number that no other track of the stream has; in a plain file the stream's index.
    public var id: Int
    /// The codec; `nil` until it is known, which for HLS may be after the first segment.
    public var codec: CodecID?
    /// Bits per second.
    public var bandwidth: Int64?
    /// Width in pixels.
    public var width: Int?
    /// Height in pixels.
    public var height: Int?
    /// Frames per second.
    public var frameRate: Double?
    /// The codec's profile as its standard numbers it.
    public var profile: Int?
    /// The codec's level as its standard numbers it.
    public var level: Int?
    /// Audio channels.
    public var channels: Int?
    /// Audio samples per second.
    public var sampleRate: Int?
    /// What the manifest says of the track, by name.
    public var customAttributes: [String: String]
    /// `true` if it carries sound.
    public var hasAudio: Bool
    /// `true` if it carries images.
    public var hasVideo: Bool
    /// `true` if it holds only images for trick play (`EXT-X-I-FRAME-STREAM-INF`).
    public var isIFrameOnly: Bool
    /// Why it is not used; `nil` for a track that is.
    public var invalidReason: InvalidReason?

    /// Creates a track; what is not given is unknown.
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

    /// `true` if the track has every one of `attributes` with the same value.
    public func matches(_ attributes: [String: String]) -> Bool {
        attributes.allSatisfy { customAttributes[$0.key] == $0.value }
    }
}
