import SubtitleRecognition
import TestSupport
import Testing

@testable import Undertext

/// What the tests of recognition share.
enum RecognitionSample {
    /// Options for languages; `nil`, with the reason told, where their data is missing.
    static func options(_ languages: String) throws -> RecognitionOptions? {
        var options = RecognitionOptions(
            languages: try RecognitionLanguage.list(parsing: languages))
        options.silencesLog = true
        do throws(MediaError) {
            _ = try RecognitionPool(options, cancellation: nil)
            return options
        } catch {
            skip("recognition in \(languages): \(error)")
            return nil
        }
    }

    /// The cues of the bitmap track `index` of the sample film.
    static func cues(_ index: Int = 8) throws -> [Cue] {
        try MediaFile(fixture("containers/movie.mkv")).cues(ofStream: index)
    }

    static let canvas = PixelSize(width: 720, height: 576)
}
