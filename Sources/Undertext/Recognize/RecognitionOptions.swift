internal import UndertextCore
package import UndertextRecognition

/// How the text of images is recognized.
package struct RecognitionOptions: Hashable, Sendable {
    /// Below this confidence a cue gets a diagnostic `low-confidence`.
    package static let lowConfidence = RecognizedText.lowConfidence

    /// `true` if this build can: it was made with the package trait `Recognition`.
    package static var isAvailable: Bool {
        #if Recognition
            true
        #else
            false
        #endif
    }

    /// The languages to look for, the main one first.
    package var languages: [RecognitionLanguage]
    /// Threads at most, each with a recognizer of its own; `nil` = one for each processor.
    package var threads: Int?
    /// `true` if Tesseract writes nothing to standard error.
    ///
    /// Tesseract has one such setting for the whole process.
    package var silencesLog = false

    /// Recognizes text in `languages`.
    package init(languages: [RecognitionLanguage]) {
        self.languages = languages
    }
}
