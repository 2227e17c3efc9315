package import UndertextAlignment
package import UndertextCore

/// The times of a media file with which those of subtitles are compared: of a subtitle track, or of its speech.
package struct ReferenceTimes: Sendable {
    /// The use of speech.
    package enum Speech: Sendable {
        /// Only cues are used.
        case never
        /// Speech is used if there are too few cues.
        case ifNeeded
        /// Only speech is used.
        case always
    }

    /// The path or URL of the input.
    package let input: String
    /// The track or the audio stream.
    package let stream: StreamDescription
    /// The times of the cues, or the ranges of speech.
    package let times: [Range<Timestamp>]
    /// The kind of ``times``.
    package let kind: AlignmentOptions.Reference
    /// The number of audio packets that could not be decoded.
    package private(set) var damagedPackets = 0
    /// `true` if only the beginning of the audio was used, because it is too long.
    package private(set) var isCut = false

    /// Reads the times of a media file or of a subtitle file.
    ///
    /// - Parameters:
    ///   - media: The input.
    ///   - selection: The track, or with ``Speech/always`` the audio; `nil` for the one that suits best.
    ///   - speech: The use of speech.
    ///   - language: The language of the subtitles that are compared.
    ///   - cancellation: Stops the reading from another thread.
    ///   - progress: Called ten times a second on a background thread.
    ///   - fallback: Called with the audio stream before its speech is read because there are too few cues.
    /// - Throws: `UndertextError` with code `no-track` if there is nothing to compare with; otherwise as
    ///   ``SubtitleTrack/cueReader(in:)`` and ``Media/readAudio(stream:cancellation:progress:_:)``.
    package init(
        of media: Media, track selection: TrackSelection? = nil, speech: Speech,
        language: LanguageTag?, cancellation: Cancellation?,
        progress: (@Sendable (ExtractionProgress) -> Void)? = nil,
        fallback: (StreamDescription) -> Void = { _ in }
    ) throws(UndertextError) {
        input = media.input.argument
        if speech == .always {
            guard let audio = Self.audio(of: media, selection) else {
                throw UndertextError(
                    .noTrack,
                    selection == nil
                        ? "the reference has no audio" : "no audio track of the reference matches",
                    path: media.input.argument)
            }
            (stream, kind) = (audio, .speech)
            (times, damagedPackets, isCut) = try Self.speech(
                of: audio, in: media, cancellation, progress)
            return
        }
        let track = try Self.track(of: media, selection, language)
        let found = try track?.times(cancellation: cancellation, progress: progress) ?? []
        if speech == .ifNeeded, selection == nil, found.count < CueAligner.leastCount,
            let audio = media.bestAudio
        {
            fallback(audio)
            (stream, kind) = (audio, .speech)
            (times, damagedPackets, isCut) = try Self.speech(
                of: audio, in: media, cancellation, progress)
            return
        }
        guard let track else {
            throw UndertextError(
                .noTrack,
                selection == nil
                    ? "the reference has no subtitle track that can be read"
                    : "no subtitle track of the reference matches",
                path: media.input.argument)
        }
        (stream, kind, times) = (track.stream, .cues, found)
    }

    private static func audio(of media: Media, _ selection: TrackSelection?) -> StreamDescription? {
        guard let selection else { return media.bestAudio }
        return media.description.streams.first { selection.takesAudio($0) }
    }

    private static func track(
        of media: Media, _ selection: TrackSelection?, _ language: LanguageTag?
    ) throws(UndertextError) -> SubtitleTrack? {
        guard let selection else { return media.bestTrack(toCompareWith: language) }
        let stream = media.streams(for: selection).first { selection.takes($0) }
        return try stream.map { stream throws(UndertextError) in
            try media.subtitleTrack(id: stream.index)
        }
    }

    private static func speech(
        of stream: StreamDescription, in media: Media, _ cancellation: Cancellation?,
        _ progress: (@Sendable (ExtractionProgress) -> Void)?
    ) throws(UndertextError) -> (times: [Range<Timestamp>], damaged: Int, isCut: Bool) {
        var detector = SpeechDetector()
        let damaged = try media.readAudio(
            stream: stream.index, cancellation: cancellation, progress: progress,
            { samples, rate, time in
                detector.add(samples, rate: rate, at: time)
                return !detector.isFull
            })
        return (detector.finish(), damaged, detector.isFull)
    }

    /// The name of the reference in messages.
    package var name: String {
        "\(withoutSecrets(input)), \(kind == .speech ? "speech of " : "")stream \(stream.label)"
    }
}
