internal import Undertext
internal import UndertextCore

/// The times with which a subtitle is compared, and their origin.
struct ReferenceTimes {
    /// The input.
    let input: String
    /// The track of the input.
    let stream: StreamDescription
    let times: [Range<Timestamp>]

    /// Reads the times of a track of a media file or of a subtitle file.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - selection: The track; `nil` for the one that suits best.
    ///   - language: The language of the subtitle that is compared.
    ///   - console: Stops the reading on a signal.
    ///   - bar: Shows the progress.
    /// - Throws: `UndertextError` with code `no-track` if there is no such track.
    init(
        of input: MediaInput, track selection: TrackSelection?, language: LanguageTag?,
        console: Console, bar: ProgressBar
    ) throws(UndertextError) {
        var options = Media.Options()
        options.cancellation = console.cancellation
        if let selection {
            options.opensStream = { selection.mayTake($0) }
            options.tracks = selection
        }
        let media = try Media(input, options: options)
        let track: SubtitleTrack?
        if let selection {
            let stream = media.streams(for: selection).first { selection.takes($0) }
            track = try stream.map { stream throws(UndertextError) in
                try media.subtitleTrack(id: stream.index)
            }
        } else {
            track = media.bestTrack(toCompareWith: language)
        }
        guard let track else {
            throw UndertextError(
                .noTrack,
                selection == nil
                    ? "the reference has no subtitle track that can be read"
                    : "no subtitle track of the reference matches",
                path: input.argument)
        }
        self.input = input.argument
        stream = track.stream
        times = try track.times(cancellation: console.cancellation) { bar.update($0) }
    }

    /// The name of the reference in messages.
    var name: String {
        "\(withoutSecrets(input)), stream \(stream.label)"
    }
}
