/// A change of the selected stream of one type.
public enum StreamChoice: Hashable, Sendable {
    /// The selection stays.
    case unchanged
    /// No stream of the type is selected.
    case off
    /// The stream with this ``MediaStreamInfo/id`` is selected.
    case stream(Int)
    /// The first stream of the language; a broader language takes narrower ones, `en` also `en-US`.
    ///
    /// Default streams come before others.
    case language(LanguageTag)
}

extension ContentInfo {
    /// Selects streams, and the tracks of the video stream by their attributes.
    ///
    /// Of the current video stream, only tracks that have all of `attributes` stay valid; the
    /// others get the reason ``TrackInfo/InvalidReason/customAttributes``. Streams of other types
    /// and tracks that are invalid for another reason do not change. If the current track becomes
    /// invalid, the first valid track replaces it. A selection of audio or text alone changes no video track.
    ///
    /// - Parameters:
    ///   - video: The video angle.
    ///   - audio: The audio language.
    ///   - text: The subtitle language.
    ///   - attributes: The attributes that a video track must have; `nil` means the stream's first set.
    /// - Throws: ``UndertextError`` with code `no-such-stream`, or `no-such-track` if `attributes` would leave the
    ///   video stream without a valid track; in both cases nothing changes.
    public mutating func select(
        video: StreamChoice = .unchanged, audio: StreamChoice = .unchanged,
        text: StreamChoice = .unchanged, attributes: [String: String]? = nil
    ) throws(UndertextError) {
        let videoID = try resolve(video, .video, current: currentVideoStreamID)
        let audioID = try resolve(audio, .audio, current: currentAudioStreamID)
        let textID = try resolve(text, .text, current: currentTextStreamID)
        if let attributes, !attributes.isEmpty,
            let video = streams.first(where: { $0.id == videoID && $0.type == .video }),
            !video.hasUsableTrack(with: attributes)
        {
            let wanted = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            throw UndertextError(
                .noSuchTrack, "no video track has \(wanted.joined(separator: ", "))")
        }
        currentVideoStreamID = videoID
        currentAudioStreamID = audioID
        currentTextStreamID = textID
        let keepsVideo =
            video == .unchanged && attributes == nil && (audio != .unchanged || text != .unchanged)
        for position in streams.indices where streams[position].type == .video && !keepsVideo {
            let isCurrent = streams[position].id == videoID
            streams[position].applyAttributes(isCurrent ? attributes : [:])
        }
        for position in streams.indices where isCurrent(streams[position]) {
            streams[position].settleCurrentTrack()
        }
    }

    private func resolve(
        _ choice: StreamChoice, _ type: MediaStreamInfo.StreamType, current: Int?
    ) throws(UndertextError) -> Int? {
        switch choice {
        case .unchanged: return current
        case .off: return nil
        case .stream(let id):
            guard streams.contains(where: { $0.id == id && $0.type == type }) else {
                throw UndertextError(.noSuchStream, "there is no \(type.rawValue) stream \(id)")
            }
            return id
        case .language(let language):
            let spoken = streams(ofType: type).filter { $0.language.map(language.covers) ?? false }
            let found = spoken.first { $0.disposition.contains(.default) } ?? spoken.first
            guard let found else {
                throw UndertextError(
                    .noSuchStream, "there is no \(type.rawValue) stream in '\(language)'")
            }
            return found.id
        }
    }

    private func isCurrent(_ stream: MediaStreamInfo) -> Bool {
        currentStream(ofType: stream.type)?.id == stream.id
    }

    /// Adopts the selection of another description of the same input, for the streams and tracks that both
    /// have.
    package mutating func adoptSelection(of other: ContentInfo) {
        func adopted(_ id: Int?, else own: Int?) -> Int? {
            guard let id else { return nil }
            let isSame = streams.contains { stream in
                stream.id == id
                    && other.streams.contains { $0.id == id && $0.type == stream.type }
            }
            return isSame ? id : own
        }
        currentVideoStreamID = adopted(other.currentVideoStreamID, else: currentVideoStreamID)
        currentAudioStreamID = adopted(other.currentAudioStreamID, else: currentAudioStreamID)
        currentTextStreamID = adopted(other.currentTextStreamID, else: currentTextStreamID)
        targetBandwidth = other.targetBandwidth
        segmentOption = other.segmentOption
        for position in streams.indices {
            let stream = streams[position]
            let same = other.streams.first { $0.id == stream.id && $0.type == stream.type }
            if let same { streams[position].adoptSelection(of: same) }
        }
    }
}

extension MediaStreamInfo {
    /// `true` if a track has all of `wanted` and is not invalid for another reason.
    fileprivate func hasUsableTrack(with wanted: [String: String]) -> Bool {
        tracks.contains { track in
            let reason = track.invalidReason
            return (reason == nil || reason == .customAttributes) && track.matches(wanted)
        }
    }

    /// Marks the tracks that lack one of the attributes `wanted`; `nil` means the first set.
    fileprivate mutating func applyAttributes(_ wanted: [String: String]?) {
        let wanted = wanted ?? customAttributeSets.first ?? [:]
        for position in tracks.indices {
            let reason = tracks[position].invalidReason
            guard reason == nil || reason == .customAttributes else { continue }
            tracks[position].invalidReason =
                tracks[position].matches(wanted) ? nil : .customAttributes
        }
    }

    /// Adopts the current track and the validity of the tracks that both have.
    fileprivate mutating func adoptSelection(of other: MediaStreamInfo) {
        let known = Dictionary(other.tracks.map { ($0.id, $0) }) { first, _ in first }
        for position in tracks.indices {
            guard let same = known[tracks[position].id] else { continue }
            tracks[position].invalidReason = same.invalidReason
        }
        let isThere = tracks.contains { $0.id == other.currentTrackID }
        if isThere || other.currentTrackID == nil { currentTrackID = other.currentTrackID }
    }

    /// Keeps a valid current track, otherwise selects the first valid one with more than I-frames.
    fileprivate mutating func settleCurrentTrack() {
        if let currentTrack, currentTrack.isValid { return }
        currentTrackID = tracks.first { $0.isValid && !$0.isIFrameOnly }?.id
    }
}
