/// What an input is and what can be chosen in it, in a player's words.
///
/// Unknown is `nil`, never a guess. What depends on the choice of streams, such as
/// ``videoCodec``, describes the current stream of that type, or the first if none is current.
/// NexPlayer: `NXContentInfo`.
public struct ContentInfo: Hashable, Sendable {
    /// The kind of file; `nil` if it does not apply.
    public var fileFormat: FileFormat?
    /// Bytes per row of the decoded image; `nil` as long as nothing decodes.
    public var pitch: Int?
    /// The length; `nil` for a live stream or where the file does not say.
    public var totalPlayTime: Duration?
    /// The length in bytes.
    public var totalContentSize: UInt64?
    /// `true` if the input can be sought in.
    public var isSeekable: Bool
    /// `true` if the input can be paused: a file always, a live stream perhaps not.
    public var isPausable: Bool
    /// `true` if the index is damaged.
    public var isJunkContent: Bool
    /// Tags of the container, in its order; not safe for a terminal or a path.
    public var metadata: [MetadataTag]
    /// What protects the content; `nil` if nothing is known to.
    public var drmInfo: DRMInfo?
    /// What can be chosen.
    public var streams: [MediaStreamInfo]
    /// The ``MediaStreamInfo/id`` of the video stream in use; `nil` if none is.
    public var currentVideoStreamID: Int?
    /// The ``MediaStreamInfo/id`` of the audio stream in use; `nil` if none is.
    public var currentAudioStreamID: Int?
    /// The ``MediaStreamInfo/id`` of the text stream in use; `nil` if none is.
    public var currentTextStreamID: Int?
    /// The bandwidth asked for in bits per second; `nil` as long as none was.
    ///
    /// Set by ``setTargetBandwidth(_:segmentOption:targetOption:)``.
    public internal(set) var targetBandwidth: Int64?
    /// How a player goes over to the target.
    ///
    /// Set by ``setTargetBandwidth(_:segmentOption:targetOption:)``.
    public internal(set) var segmentOption: BandwidthSegmentOption = .default

    /// Creates a description; what is not given is unknown or none.
    public init(
        fileFormat: FileFormat? = nil, pitch: Int? = nil, totalPlayTime: Duration? = nil,
        totalContentSize: UInt64? = nil, isSeekable: Bool = false, isPausable: Bool = false,
        isJunkContent: Bool = false, metadata: [MetadataTag] = [], drmInfo: DRMInfo? = nil,
        streams: [MediaStreamInfo] = [], currentVideoStreamID: Int? = nil,
        currentAudioStreamID: Int? = nil, currentTextStreamID: Int? = nil
    ) {
        self.fileFormat = fileFormat
        self.pitch = pitch
        self.totalPlayTime = totalPlayTime
        self.totalContentSize = totalContentSize
        self.isSeekable = isSeekable
        self.isPausable = isPausable
        self.isJunkContent = isJunkContent
        self.metadata = metadata
        self.drmInfo = drmInfo
        self.streams = streams
        self.currentVideoStreamID = currentVideoStreamID
        self.currentAudioStreamID = currentAudioStreamID
        self.currentTextStreamID = currentTextStreamID
    }

    /// The streams of one type, in order.
    public func streams(ofType type: MediaStreamInfo.StreamType) -> [MediaStreamInfo] {
        streams.filter { $0.type == type }
    }

    /// The stream of `type` that is in use; `nil` if none is.
    public func currentStream(ofType type: MediaStreamInfo.StreamType) -> MediaStreamInfo? {
        let id =
            switch type {
            case .video: currentVideoStreamID
            case .audio: currentAudioStreamID
            case .text: currentTextStreamID
            }
        return id.flatMap { id in streams.first { $0.id == id && $0.type == type } }
    }

    /// The video stream in use; `nil` if none is.
    public var currentVideoStream: MediaStreamInfo? { currentStream(ofType: .video) }
    /// The audio stream in use; `nil` if none is.
    public var currentAudioStream: MediaStreamInfo? { currentStream(ofType: .audio) }
    /// The text stream in use; `nil` if none is.
    public var currentTextStream: MediaStreamInfo? { currentStream(ofType: .text) }
}

extension ContentInfo {
    /// `true` if there are moving images.
    public var hasVideo: Bool {
        streams.contains { $0.type == .video || $0.tracks.contains(where: \.hasVideo) }
    }

    /// `true` if there is sound.
    public var hasAudio: Bool {
        streams.contains { $0.type == .audio || $0.tracks.contains(where: \.hasAudio) }
    }

    /// The codec of the video.
    public var videoCodec: CodecID? { codec(of: .video) }
    /// The codec of the sound.
    public var audioCodec: CodecID? { codec(of: .audio) }
    /// The family of the subtitles.
    public var captionType: CaptionType? { codec(of: .text).map(CaptionType.init(codec:)) }
    /// The video's width in pixels.
    public var width: Int? { shownTrack(.video)?.width }
    /// The video's height in pixels.
    public var height: Int? { shownTrack(.video)?.height }
    /// The video's frames per second.
    public var videoFrameRate: Double? { shownTrack(.video)?.frameRate }
    /// The sound's channels.
    public var audioChannels: Int? { shownTrack(.audio)?.channels }
    /// The sound's samples per second.
    public var audioSampleRate: Int? { shownTrack(.audio)?.sampleRate }
    /// The sound's bits per second.
    public var audioBitrate: Int64? { shownTrack(.audio)?.bandwidth }
    /// The video's bits per second.
    public var videoBitrate: Int64? { shownTrack(.video)?.bandwidth }

    private func shownStream(_ type: MediaStreamInfo.StreamType) -> MediaStreamInfo? {
        currentStream(ofType: type) ?? streams.first { $0.type == type }
    }

    private func shownTrack(_ type: MediaStreamInfo.StreamType) -> TrackInfo? {
        shownStream(type)?.shownTrack
    }

    private func codec(of type: MediaStreamInfo.StreamType) -> CodecID? {
        guard let stream = shownStream(type) else { return nil }
        return stream.shownTrack?.codec ?? stream.representativeCodec
    }
}
