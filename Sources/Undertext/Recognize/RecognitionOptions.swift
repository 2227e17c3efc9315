public import UndertextRecognition

/// How the text of images is recognized.
public struct RecognitionOptions: Hashable, Sendable {
    /// Below this confidence a cue gets a diagnostic `low-confidence`.
    public static let lowConfidence = RecognizedText.lowConfidence

    /// `true` if this build can: it was made with the package trait `Recognition`.
    public static var isAvailable: Bool {
        #if Recognition
            true
        #else
            false
        #endif
    }

    /// The languages to look for, the main one first.
    public var languages: [RecognitionLanguage]
    /// Threads at most, each with a recognizer of its own; `nil` = one for each processor.
    public var threads: Int?
    /// `true` if Tesseract writes nothing to standard error.
    ///
    /// Tesseract has one such setting for the whole process.
    public var silencesLog = false

    /// Recognizes text in `languages`.
    public init(languages: [RecognitionLanguage]) {
        self.languages = languages
    }
}
