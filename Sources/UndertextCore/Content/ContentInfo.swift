/// A description of an input and of the streams that a player can select in it.
///
/// Unknown values are `nil`, never guesses. Properties that depend on the selected streams, such as
/// ``videoCodec``, describe the current stream of that type, or the first if none is current.
/// NexPlayer: `NXContentInfo`.
public struct ContentInfo: Hashable, Sendable {
    /// The kind of file, or `nil` if it does not apply.
    public var fileFormat: FileFormat?
    /// The number of bytes per row of the decoded image, or `nil` until a frame is decoded.
    public var pitch: Int?
    /// The duration, or `nil` for a live stream or if the file does not state it.
    public var totalPlayTime: Duration?
    /// The size in bytes, or `nil` if unknown.
    public var totalContentSize: UInt64?
    /// `true` if the input can seek.
    public var isSeekable: Bool
    /// `true` if the input can be paused: a file always, a live stream perhaps not.
    public var isPausable: Bool
    /// `true` if the index is damaged.
    public var isJunkContent: Bool
    /// The tags of the container, in its order; not safe for a terminal or a path.
    public var metadata: [MetadataTag]
    /// The protection of the content, or `nil` if none is known.
    public var drmInfo: DRMInfo?
    /// The streams that can be selected.
    public var streams: [MediaStreamInfo]
    /// The ``MediaStreamInfo/id`` of the video stream in use; `nil` if none is.
    public var currentVideoStreamID: Int?
    /// The ``MediaStreamInfo/id`` of the audio stream in use; `nil` if none is.
    public var currentAudioStreamID: Int?
    /// The ``MediaStreamInfo/id`` of the text stream in use; `nil` if none is.
    public var currentTextStreamID: Int?
    /// The target bandwidth in bits per second, or `nil` until one is set.
    ///
    /// Set by ``setTargetBandwidth(_:segmentOption:targetOption:)``.
    public internal(set) var targetBandwidth: Int64?
    /// The way in which a player switches to the target track.
    ///
    /// Set by ``setTargetBandwidth(_:segmentOption:targetOption:)``.
    public internal(set) var segmentOption: BandwidthSegmentOption = .default

    /// Creates a description; omitted values are unknown or empty.
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

    /// Returns the streams of one type, in order.
    public func streams(ofType type: MediaStreamInfo.StreamType) -> [MediaStreamInfo] {
        streams.filter { $0.type == type }
    }

    /// Returns the current stream of `type`, or `nil` if there is none.
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
    /// `true` if there is video.
    public var hasVideo: Bool {
        streams.contains { $0.type == .video || $0.tracks.contains(where: \.hasVideo) }
    }

    /// `true` if there is audio.
    public var hasAudio: Bool {
        streams.contains { $0.type == .audio || $0.tracks.contains(where: \.hasAudio) }
    }

    /// The codec of the video.
    public var videoCodec: CodecID? { codec(of: .video) }
    /// The codec of the audio.
    public var audioCodec: CodecID? { codec(of: .audio) }
    /// The family of the subtitles.
    public var captionType: CaptionType? { codec(of: .text).map(CaptionType.init(codec:)) }
    /// The video's width in pixels.
    public var width: Int? { shownTrack(.video)?.width }
    /// The video's height in pixels.
    public var height: Int? { shownTrack(.video)?.height }
    /// The video frame rate in frames per second.
    public var videoFrameRate: Double? { shownTrack(.video)?.frameRate }
    /// The number of audio channels.
    public var audioChannels: Int? { shownTrack(.audio)?.channels }
    /// The audio sample rate in hertz.
    public var audioSampleRate: Int? { shownTrack(.audio)?.sampleRate }
    /// The audio bit rate in bits per second.
    public var audioBitrate: Int64? { shownTrack(.audio)?.bandwidth }
    /// The video bit rate in bits per second.
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
