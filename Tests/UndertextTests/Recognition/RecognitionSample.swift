import TestSupport
import Testing
import UndertextCore
import UndertextRecognition

@testable import Undertext

/// Helpers that the tests of recognition share.
enum RecognitionSample {
    /// Options for languages.
    static func options(_ languages: String) throws -> RecognitionOptions {
        var options = RecognitionOptions(
            languages: try RecognitionLanguage.list(parsing: languages))
        options.silencesLog = true
        return options
    }

    /// `true` if Tesseract recognizes text in each of the languages.
    static func isAvailable(_ languages: [String]) -> Bool {
        languages.allSatisfy { language in
            (try? RecognitionPool(options(language), cancellation: nil)) != nil
        }
    }

    /// The cues of the bitmap track `index` of the sample media file.
    static func cues(_ index: Int = 8) throws -> [Cue] {
        try Media(fixture("containers/movie.mkv")).subtitleTrack(id: index).document().cues
    }

    static let canvas = PixelSize(width: 720, height: 576)
}

extension Trait where Self == ConditionTrait {
    /// Skips a test where Tesseract does not recognize text in all of the languages.
    static func requiresRecognition(_ languages: String...) -> Self {
        .enabled(
            if: RecognitionSample.isAvailable(languages),
            "recognition is unavailable: built without it, or no Tesseract with data for \(languages.joined(separator: ", "))"
        )
    }
}
