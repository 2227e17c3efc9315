/// A name and a value from the container.
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

/// A description of a stream of a container.
///
/// Unknown values are `nil`, never guesses.
///
/// FFmpeg: `AVStream` and `AVCodecParameters`.
public struct StreamDescription: Hashable, Sendable {
    /// The index, which is the same on every read path.
    public var index: Int
    /// The kind of the stream.
    public var kind: MediaKind
    /// The codec, such as `webvtt`, even if FFmpeg does not know it.
    public var codec: CodecID
    /// The identifier of the stream in the container.
    ///
    /// FFmpeg: `AVStream.id`.
    public var id: Int64?
    /// The unit of the times of its packets.
    public var timeBase: TimeBase
    /// The BCP 47 language tag, or `nil` if undetermined.
    public var language: LanguageTag?
    /// The title from the file.
    public var title: String?
    /// The purpose of the stream.
    public var disposition: Disposition
    /// The codec's header.
    ///
    /// FFmpeg: `extradata`; Matroska: `CodecPrivate`.
    public var codecPrivate: [UInt8]
    /// The size in pixels of video, images or the canvas of subtitles, or `nil` if not stated.
    public var size: PixelSize?
    /// The pixel aspect ratio (width divided by height) of the video, or `nil` if square or unknown.
    ///
    /// FFmpeg: `sample_aspect_ratio`; Matroska: `DisplayWidth`, `DisplayHeight`.
    public var pixelAspect: Double?
    /// The duration in ticks of ``timeBase``.
    public var duration: Int64?
    /// The number of packets, or `nil` if the container does not state it.
    public var packetCount: Int?
    /// The time of the first packet, in ticks.
    public var startTime: Int64?
    /// Frames per second of the video; `nil` if unknown.
    ///
    /// FFmpeg: `avg_frame_rate`; Matroska: `DefaultDuration`.
    public var frameRate: TimeBase?
    /// Samples per second of the audio; `nil` if unknown.
    public var sampleRate: Int?
    /// Channels of the audio; `nil` if unknown.
    public var channels: Int?
    /// Bits per second; `nil` if unknown.
    ///
    /// FFmpeg: `bit_rate`; Matroska: the tag `BPS`.
    public var bitRate: Int64?
    /// The profile as FFmpeg numbers it; `nil` if unknown, and where only the codec's header states it.
    public var profile: Int?
    /// The level as FFmpeg numbers it; `nil` if unknown, and where only the codec's header states it.
    public var level: Int?
    /// The origin of times within the text of its packets, if known.
    ///
    /// `nil` means that the codec's mapping into the container determines it.
    public var inlineTimeOrigin: InlineTimeOrigin?
    /// The caption service, `CC1` to `CC4`, `T1` to `T4`, `SERVICE1` to `SERVICE63` or `page100` to `page899`; `nil` means the
    /// first one, or no captions.
    public var service: String?
    /// The index of the stream that carries it together with other services; `nil` if it is a stream of the container.
    package var carrier: Int?
    /// The flags of ``disposition`` that libavformat does not report: those of teletext pages and of captions.
    package var impliedDisposition: Disposition = []
    /// The area of the track within the movie, if stated.
    public var area: TrackArea?
    /// Tags of the stream.
    public var tags: [MetadataTag]
    /// The details that only libavformat reports, or `nil` if it did not open the input.
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

/// The origin of times within the text of a packet.
public enum InlineTimeOrigin: Hashable, Sendable {
    /// The zero of the timeline, as in a file.
    case timeline
    /// The start of the packet.
    case packet
}

/// The details of a stream that libavformat reports, in FFmpeg's terms.
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
    /// The name of the channel layout, or `nil` if unspecified.
    public var channelLayout: String?
    /// The size of the codec's header in bytes.
    ///
    /// FFmpeg: `extradata_size`.
    public var extradataSize: Int

    /// Creates the details.
    public init(
        codecType: String?, codecName: String?, codecTag: UInt32, codecTagString: String,
        showsID: Bool, channelLayout: String? = nil, extradataSize: Int = 0
    ) {
        self.codecType = codecType
        self.codecName = codecName
        self.codecTag = codecTag
        self.codecTagString = codecTagString
        self.showsID = showsID
        self.channelLayout = channelLayout
        self.extradataSize = extradataSize
    }
}
