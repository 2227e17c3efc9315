package import UndertextCore
package import UndertextRecognition

/// Options for recognizing text in images.
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

    /// The languages of the text, the main one first.
    package var languages: [RecognitionLanguage]
    /// The maximum number of threads, each with its own recognizer; `nil` for one per processor.
    package var threads: Int?
    /// `true` to prevent Tesseract from printing to standard error.
    ///
    /// This setting of Tesseract is process-wide.
    package var silencesLog = false

    /// Recognizes text in languages such as `en` or `de+en`, the main one first.
    ///
    /// - Throws: `UndertextError` with code `invalid-value` if text of a language cannot be recognized.
    package init(parsing languages: String) throws(UndertextError) {
        self.init(languages: try RecognitionLanguage.list(parsing: languages))
    }

    /// Recognizes text in `languages`.
    package init(languages: [RecognitionLanguage]) {
        self.languages = languages
    }
}
