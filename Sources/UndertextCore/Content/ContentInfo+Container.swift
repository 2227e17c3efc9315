extension ContentInfo {
    /// Describes a plain file: one track per stream, identified by the stream's index.
    ///
    /// Cover images are not video angles. The current video and audio streams are the default ones, otherwise the
    /// first; the current text stream is the default one, otherwise none.
    public init(container: ContainerDescription) {
        let streams = container.streams.compactMap(MediaStreamInfo.init(file:))
        func preferred(_ type: MediaStreamInfo.StreamType) -> MediaStreamInfo? {
            streams.first { $0.type == type && $0.disposition.contains(.default) }
        }
        func first(_ type: MediaStreamInfo.StreamType) -> MediaStreamInfo? {
            streams.first { $0.type == type }
        }
        self.init(
            fileFormat: container.fileFormat,
            totalPlayTime: container.duration.flatMap {
                Duration(ticks: $0, timeBase: .microseconds)
            },
            totalContentSize: container.size,
            isSeekable: container.isSeekable,
            isPausable: true,
            isJunkContent: container.isIndexDamaged,
            metadata: container.tags,
            drmInfo: container.drmInfo,
            streams: streams,
            currentVideoStreamID: (preferred(.video) ?? first(.video))?.id,
            currentAudioStreamID: (preferred(.audio) ?? first(.audio))?.id,
            currentTextStreamID: preferred(.text)?.id
        )
    }
}

extension MediaStreamInfo {
    /// A stream of a plain file; `nil` for what a user does not choose: data, attachments, covers.
    init?(file stream: StreamDescription) {
        let type: StreamType
        switch stream.kind {
        case .video: type = .video
        case .audio: type = .audio
        case .text, .bitmap: type = .text
        case .attachment, .data: return nil
        }
        guard stream.disposition.isDisjoint(with: [.attachedPicture, .timedThumbnails]) else {
            return nil
        }
        let codec = stream.codec == .unknown ? nil : stream.codec
        let stated = CodecProfile(stream.codec, header: stream.codecPrivate)
        self.init(
            id: stream.index,
            type: type,
            name: stream.title,
            language: stream.language,
            tracks: [
                TrackInfo(
                    id: stream.index,
                    codec: codec,
                    bandwidth: stream.bitRate.flatMap { $0 > 0 ? $0 : nil },
                    width: stream.size?.width,
                    height: stream.size?.height,
                    frameRate: stream.frameRate.flatMap(framesPerSecond),
                    profile: stated?.profile ?? stream.profile,
                    level: stated?.level ?? stream.level,
                    channels: type == .audio ? stream.channels : nil,
                    sampleRate: type == .audio ? stream.sampleRate : nil,
                    hasAudio: type == .audio,
                    hasVideo: type == .video
                )
            ],
            currentTrackID: stream.index,
            inStreamID: stream.service,
            representativeCodec: codec,
            disposition: stream.disposition
        )
    }
}

extension ContainerDescription {
    /// Fills in what is unknown from another description of the same input.
    package mutating func complete(by other: ContainerDescription) {
        duration = duration ?? other.duration
        size = size ?? other.size
        drmInfo = drmInfo ?? other.drmInfo
        guard streams.count == other.streams.count else { return }
        for index in streams.indices {
            let known = other.streams[index]
            streams[index].frameRate = streams[index].frameRate ?? known.frameRate
            streams[index].sampleRate = streams[index].sampleRate ?? known.sampleRate
            streams[index].channels = streams[index].channels ?? known.channels
            streams[index].bitRate = streams[index].bitRate ?? known.bitRate
            streams[index].profile = streams[index].profile ?? known.profile
            streams[index].level = streams[index].level ?? known.level
        }
    }
}

/// The fraction as a number; `nil` for FFmpeg's `0/0` and its like, which mean unknown.
private func framesPerSecond(_ fraction: TimeBase) -> Double? {
    guard fraction.isValid else { return nil }
    return Double(fraction.numerator) / Double(fraction.denominator)
}
