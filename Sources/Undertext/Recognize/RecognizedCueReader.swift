package import UndertextCore

/// Reads the cues of a bitmap track in order, each with the text of its images.
package final class RecognizedCueReader {
    private let reader: CueReader
    private let diagnostics = DiagnosticSink()
    private var recognizer: CueRecognizer
    private var hasEnded = false

    /// Opens a track and loads the recognizers.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - options: The languages of the text.
    ///   - cancellation: Ends the reading.
    /// - Throws: `UndertextError`: the track cannot be read, or the recognizer or the data of a language is missing.
    package init(
        _ track: SubtitleTrack, _ options: RecognitionOptions, cancellation: Cancellation?
    ) throws(UndertextError) {
        let pool = try RecognitionPool(options, cancellation: cancellation)
        reader = try track.cueReader(in: .all)
        recognizer = CueRecognizer(
            pool, becomesText: false, canvas: PixelSize(width: 1920, height: 1080),
            diagnostics: diagnostics)
    }

    /// Returns the next cues, or `nil` after the last one.
    package func nextCues() throws(UndertextError) -> [Cue]? {
        while !hasEnded {
            var finished: [Cue] = []
            if let cues = try reader.nextCues() {
                for cue in cues { finished += try recognizer.add(cue) }
            } else {
                hasEnded = true
                finished = try recognizer.finish()
            }
            _ = diagnostics.take()
            _ = reader.takeDiagnostics()
            if !finished.isEmpty { return finished }
        }
        return nil
    }
}
