internal import Undertext
internal import UndertextAlignment
internal import UndertextCore

/// The times with which a subtitle is compared, and their origin.
struct ReferenceTimes {
    /// The use of speech as a reference.
    enum Speech {
        /// Only cues are used.
        case never
        /// Speech is used if there are too few cues.
        case ifNeeded
        /// Only speech is used.
        case always
    }

    /// The input.
    let input: String
    /// The track of the input.
    let stream: StreamDescription
    let times: [Range<Timestamp>]
    let kind: AlignmentOptions.Reference

    /// Reads the times of a track of a media file or of a subtitle file.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - selection: The track; `nil` for the one that suits best.
    ///   - speech: The use of speech.
    ///   - language: The language of the subtitle that is compared.
    ///   - console: Stops the reading on a signal.
    ///   - bar: Shows the progress.
    ///   - note: Receives what the user should know.
    /// - Throws: `UndertextError` with code `no-track` if there is no such track.
    init(
        of input: MediaInput, track selection: TrackSelection?, speech: Speech = .never,
        language: LanguageTag?, console: Console, bar: ProgressBar,
        note: (String) -> Void = { _ in }
    ) throws(UndertextError) {
        var options = Media.Options()
        options.cancellation = console.cancellation
        if let selection, speech != .always {
            options.opensStream = { selection.mayTake($0) }
            options.tracks = selection
        }
        let media = try Media(input, options: options)
        self.input = input.argument
        if speech == .always {
            guard
                let audio = selection.map({ selection in
                    media.description.streams.first { selection.takesAudio($0) }
                }) ?? media.bestAudio
            else {
                throw UndertextError(
                    .noTrack,
                    selection == nil
                        ? "the reference has no audio" : "no audio track of the reference matches",
                    path: input.argument)
            }
            kind = .speech
            stream = audio
            times = try Self.speech(of: audio, in: media, console, bar, note)
            return
        }
        let track = try Self.track(of: media, selection, language)
        let found = try track?.times(cancellation: console.cancellation) { bar.update($0) } ?? []
        if speech == .ifNeeded, selection == nil, found.count < CueAligner.leastCount,
            let audio = media.bestAudio
        {
            note(
                "\(withoutSecrets(input.argument)) has no subtitle track with enough cues; the speech of stream "
                    + "\(audio.label) is the reference")
            kind = .speech
            stream = audio
            times = try Self.speech(of: audio, in: media, console, bar, note)
            return
        }
        guard let track else {
            throw UndertextError(
                .noTrack,
                selection == nil
                    ? "the reference has no subtitle track that can be read"
                    : "no subtitle track of the reference matches",
                path: input.argument)
        }
        kind = .cues
        stream = track.stream
        times = found
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

    /// The ranges of speech of an audio stream.
    private static func speech(
        of stream: StreamDescription, in media: Media, _ console: Console, _ bar: ProgressBar,
        _ note: (String) -> Void
    ) throws(UndertextError) -> [Range<Timestamp>] {
        var detector = SpeechDetector()
        let damaged = try media.readAudio(
            stream: stream.index, cancellation: console.cancellation, progress: { bar.update($0) },
            { samples, rate, time in
                detector.add(samples, rate: rate, at: time)
                return !detector.isFull
            })
        let name = "\(withoutSecrets(media.input.argument)), stream \(stream.label)"
        if damaged > 0 { note("warning: \(name): \(damaged) packets could not be decoded") }
        if detector.isFull { note("warning: \(name): only the first 100 hours are used") }
        return detector.finish()
    }

    /// The name of the reference in messages.
    var name: String {
        "\(withoutSecrets(input)), \(kind == .speech ? "speech of " : "")stream \(stream.label)"
    }
}
