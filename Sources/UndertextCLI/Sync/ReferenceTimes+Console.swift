internal import Undertext
internal import UndertextAlignment
internal import UndertextCore

extension ReferenceTimes {
    /// Reads the times of a media file or of a subtitle file, with its progress and with what the user should know.
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
        of input: MediaInput, track selection: TrackSelection?, speech: Speech,
        language: LanguageTag?, console: Console, bar: ProgressBar, note: (String) -> Void
    ) throws(UndertextError) {
        var options = Media.Options()
        options.cancellation = console.cancellation
        if let selection, speech != .always {
            options.opensStream = { selection.mayTake($0) }
            options.tracks = selection
        }
        let media = try Media(input, options: options)
        try self.init(
            of: media, track: selection, speech: speech, language: language,
            cancellation: console.cancellation, progress: { bar.update($0) },
            fallback: { audio in
                note(
                    "\(withoutSecrets(input.argument)) has no subtitle track with enough cues; the speech of stream "
                        + "\(audio.label) is the reference")
            })
        let name = "\(withoutSecrets(input.argument)), stream \(stream.label)"
        if damagedPackets > 0 {
            note("warning: \(name): \(damagedPackets) packets could not be decoded")
        }
        if isCut { note("warning: \(name): only the first 100 hours are used") }
    }
}
