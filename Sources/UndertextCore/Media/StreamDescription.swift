/// A name and a value from the container, in the container's order.
public struct MetadataTag: Hashable, Sendable {
    /// The name as the container spells it.
    public var key: String
    /// The value.
    public var value: String

    /// Creates a tag.
    public init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// One stream of a container as its reader found it.
///
/// Unknown is `nil`, never a guess.
///
/// FFmpeg: `AVStream` and `AVCodecParameters`.
public struct StreamDescription: Hashable, Sendable {
    /// The index: the same on every read path.
    public var index: Int
    /// What it carries.
    public var kind: MediaKind
    /// The codec by our name: `webvtt` also where FFmpeg knows none.
    public var codec: CodecID
    /// The container's own number for the stream.
    ///
    /// FFmpeg: `AVStream.id`.
    public var id: Int64?
    /// The unit of its packets' times.
    public var timeBase: TimeBase
    /// The language as BCP 47, normalized; `nil` if undetermined.
    public var language: LanguageTag?
    /// The title from the file.
    public var title: String?
    /// What the stream is meant for.
    public var disposition: Disposition
    /// The codec's header.
    ///
    /// FFmpeg: `extradata`; Matroska: `CodecPrivate`.
    public var codecPrivate: [UInt8]
    /// Pixels, for video, images and subtitles that state their canvas.
    public var size: PixelSize?
    /// The width of a pixel of the video divided by its height; `nil` = square, as far as is known.
    ///
    /// FFmpeg: `sample_aspect_ratio`; Matroska: `DisplayWidth`, `DisplayHeight`.
    public var pixelAspect: Double?
    /// Length in ticks of ``timeBase``.
    public var duration: Int64?
    /// Number of packets where the container states it.
    public var packetCount: Int?
    /// The time of the first packet, in ticks.
    public var startTime: Int64?
    /// Nanoseconds of a frame, where our own reader found that stated (Matroska: `DefaultDuration`).
    public var frameDuration: Int64?
    /// What times within the text of its packets count from, where the reader knows that.
    ///
    /// `nil` leaves it to the codec's mapping into the container.
    public var inlineTimeOrigin: InlineTimeOrigin?
    /// The service of a caption stream that it is: `CC1` to `CC4`, `T1` to `T4`; `nil` = the first one, or not captions.
    public var service: String?
    /// Where its area lies on the film's screen, where our own reader found that stated.
    public var area: TrackArea?
    /// Tags of the stream.
    public var tags: [MetadataTag]
    /// What only libavformat tells; `nil` on our own readers' paths.
    public var details: StreamDetails?

    /// Creates a description.
    public init(
        index: Int, kind: MediaKind, codec: CodecID, id: Int64? = nil,
        timeBase: TimeBase = .milliseconds, language: LanguageTag? = nil, title: String? = nil,
        disposition: Disposition = [], codecPrivate: [UInt8] = [], size: PixelSize? = nil,
        duration: Int64? = nil, packetCount: Int? = nil, startTime: Int64? = nil,
        tags: [MetadataTag] = [], details: StreamDetails? = nil
    ) {
        self.index = index
        self.kind = kind
        self.codec = codec
        self.id = id
        self.timeBase = timeBase
        self.language = language
        self.title = title
        self.disposition = disposition
        self.codecPrivate = codecPrivate
        self.size = size
        self.duration = duration
        self.packetCount = packetCount
        self.startTime = startTime
        self.tags = tags
        self.details = details
    }

    /// `true` if the stream is forced.
    public var isForced: Bool { disposition.contains(.forced) }
    /// `true` if the stream is for the hard of hearing.
    public var isHearingImpaired: Bool { disposition.contains(.hearingImpaired) }
}

/// What times within the text of a packet count from.
public enum InlineTimeOrigin: Hashable, Sendable {
    /// The zero of the timeline, as in a file.
    case timeline
    /// The start of the packet.
    case packet
}

/// What libavformat says of a stream, in FFmpeg's own terms.
public struct StreamDetails: Hashable, Sendable {
    /// `video`, `audio`, `subtitle`, `data`, `attachment`; `nil` if unknown.
    public var codecType: String?
    /// FFmpeg's canonical codec name; `nil` for `AV_CODEC_ID_NONE`.
    public var codecName: String?
    /// The codec tag as a number.
    ///
    /// FFmpeg: `codec_tag`.
    public var codecTag: UInt32
    /// The codec tag as printable characters.
    ///
    /// FFmpeg: `av_fourcc_make_string`.
    public var codecTagString: String
    /// `true` if ffprobe prints ``StreamDescription/id`` for this container (`AVFMT_SHOW_IDS`).
    public var showsID: Bool
    /// Samples per second.
    public var sampleRate: Int?
    /// Channels.
    public var channels: Int?
    /// The layout's name; `nil` if unspecified.
    public var channelLayout: String?
    /// Frames per second as a fraction.
    ///
    /// FFmpeg: `avg_frame_rate`.
    public var frameRate: TimeBase?
    /// Bits per second.
    public var bitRate: Int64?
    /// The profile's number; `nil` if unknown.
    public var profile: Int?
    /// The level; `nil` if unknown.
    public var level: Int?
    /// Bytes of the codec's header.
    ///
    /// FFmpeg: `extradata_size`.
    public var extradataSize: Int

    /// Creates the details.
    public init(
        codecType: String?, codecName: String?, codecTag: UInt32, codecTagString: String,
        showsID: Bool, sampleRate: Int? = nil, channels: Int? = nil, channelLayout: String? = nil,
        frameRate: TimeBase? = nil, bitRate: Int64? = nil, profile: Int? = nil, level: Int? = nil,
        extradataSize: Int = 0
    ) {
        self.codecType = codecType
        self.codecName = codecName
        self.codecTag = codecTag
        self.codecTagString = codecTagString
        self.showsID = showsID
        self.sampleRate = sampleRate
        self.channels = channels
        self.channelLayout = channelLayout
        self.frameRate = frameRate
        self.bitRate = bitRate
        self.profile = profile
        self.level = level
        self.extradataSize = extradataSize
    }
}
