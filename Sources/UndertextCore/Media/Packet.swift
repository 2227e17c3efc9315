/// One unit of a stream as the container stores it, with encodings such as zlib undone.
///
/// FFmpeg: `AVPacket`.
public struct Packet: Hashable, Sendable {
    /// The index of its stream.
    public var streamIndex: Int
    /// The presentation time in ticks of ``timeBase``, or `nil` if the container does not state it.
    public var pts: Int64?
    /// The decoding time in ticks, or `nil` if the container does not state it.
    public var dts: Int64?
    /// The duration in ticks, or `nil` if the container does not state it.
    public var duration: Int64?
    /// The unit of the times.
    public var timeBase: TimeBase
    /// `true` if decoding can start here.
    public var isKey: Bool
    /// `true` if the container marks it as damaged.
    public var isCorrupt: Bool
    /// The byte offset in the input.
    public var position: UInt64?
    /// The payload.
    public var data: [UInt8]
    /// The side data of the packet.
    public var sideData: [SideData]

    /// Creates a packet.
    public init(
        streamIndex: Int, pts: Int64?, dts: Int64? = nil, duration: Int64? = nil,
        timeBase: TimeBase, isKey: Bool = true, isCorrupt: Bool = false, position: UInt64? = nil,
        data: [UInt8], sideData: [SideData] = []
    ) {
        self.streamIndex = streamIndex
        self.pts = pts
        self.dts = dts
        self.duration = duration
        self.timeBase = timeBase
        self.isKey = isKey
        self.isCorrupt = isCorrupt
        self.position = position
        self.data = data
        self.sideData = sideData
    }

    /// ``pts`` as a timestamp, or `nil` if it is unknown or out of range.
    public var start: Timestamp? { pts.flatMap { Timestamp(ticks: $0, timeBase: timeBase) } }

    /// `pts + duration` as a timestamp, or `nil` if either is unknown or the sum is out of range.
    public var end: Timestamp? {
        guard let pts, let duration else { return nil }
        let (sum, overflow) = pts.addingReportingOverflow(duration)
        return overflow ? nil : Timestamp(ticks: sum, timeBase: timeBase)
    }

    /// Returns the bytes of the first side data of a kind, or `nil` if there is none.
    public func sideData(_ kind: SideData.Kind) -> [UInt8]? {
        sideData.first { $0.kind == kind }?.bytes
    }
}

/// Side data of a packet.
///
/// FFmpeg: `AVPacketSideData`.
public struct SideData: Hashable, Sendable {
    /// The kind of side data: an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// A stable name.
        public let rawValue: String
        /// Creates a kind with a name; unknown names are kept.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier of a WebVTT cue, UTF-8.
        ///
        /// FFmpeg: `AV_PKT_DATA_WEBVTT_IDENTIFIER`.
        public static let webVTTIdentifier = Kind(rawValue: "webvtt-identifier")
        /// The settings of a WebVTT cue, UTF-8.
        ///
        /// FFmpeg: `AV_PKT_DATA_WEBVTT_SETTINGS`.
        public static let webVTTSettings = Kind(rawValue: "webvtt-settings")
        /// The comment blocks before a WebVTT cue, separated by empty lines; UTF-8.
        public static let webVTTComment = Kind(rawValue: "webvtt-comment")
        /// The comment blocks after the last WebVTT cue of a file, attached to that cue.
        public static let webVTTTrailer = Kind(rawValue: "webvtt-trailer")
        /// A WebVTT header with STYLE and REGION blocks that are added to those of the track, as in HLS segments.
        public static let webVTTHeader = Kind(rawValue: "webvtt-header")
        /// A Matroska BlockAdditional: BlockAddID as 8 bytes big-endian, then the data.
        ///
        /// FFmpeg: `AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL`.
        public static let blockAdditional = Kind(rawValue: "matroska-blockadditional")
        /// A palette.
        ///
        /// FFmpeg: `AV_PKT_DATA_PALETTE`.
        public static let palette = Kind(rawValue: "palette")
        /// SubRip coordinates, 4 × 32 bit little-endian x1 y1 x2 y2.
        ///
        /// FFmpeg: `AV_PKT_DATA_SUBTITLE_POSITION`.
        public static let subtitlePosition = Kind(rawValue: "subtitle-position")
        /// A codec header that replaces the earlier one.
        ///
        /// FFmpeg: `AV_PKT_DATA_NEW_EXTRADATA`.
        public static let newExtradata = Kind(rawValue: "new-extradata")
        /// The lengths of the parts of an MP4 sample, 32 bits big-endian each.
        ///
        /// ISO/IEC 14496-12, section 8.7.7, `subs`: a document and the images it refers to.
        public static let subsampleSizes = Kind(rawValue: "mp4-subsamples")
        /// The stream_id of a PES packet, one byte.
        ///
        /// FFmpeg: `AV_PKT_DATA_MPEGTS_STREAM_ID`.
        public static let mpegTSStreamID = Kind(rawValue: "mpegts-stream-id")
        /// The URL of the segment that contains the packet, UTF-8; only on request.
        package static let segment = Kind(rawValue: "segment")
        /// The offset from the times within a TTML document to those of the stream: nanoseconds, 64 bits big-endian.
        public static let inlineTimeOffset = Kind(rawValue: "inline-time-offset")
    }

    /// The kind of side data.
    public var kind: Kind
    /// The data.
    public var bytes: [UInt8]

    /// Creates side data.
    public init(_ kind: Kind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}

extension SideData {
    /// Creates side data with an ``Kind/inlineTimeOffset``.
    public static func inlineTimeOffset(_ offset: Duration) -> SideData {
        let value = UInt64(bitPattern: Int64(clamping: offset.nanoseconds128))
        return SideData(
            .inlineTimeOffset, (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
    }
}

extension Packet {
    /// The offset from the times within the packet to those of the stream; zero without
    /// ``SideData/Kind/inlineTimeOffset``.
    public var inlineTimeOffset: Duration {
        guard let bytes = sideData(.inlineTimeOffset), bytes.count == 8 else { return .zero }
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .nanoseconds(Int64(bitPattern: value))
    }
}
