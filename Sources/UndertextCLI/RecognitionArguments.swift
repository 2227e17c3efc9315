internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextRecognition

/// Arguments for text recognition, shared by `extract` and `convert`.
struct RecognitionArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Recognize the text of bitmap subtitles in these languages (en, de+en, …) and write vtt, srt "
                + "or json. With png, bdn or json, images are written too, and the index has text and "
                + "confidence. Cues below a confidence of 0.8 are listed. Requires Tesseract and its "
                + "language data.",
            valueName: "lang"), completion: .recognitionLanguages)
    var ocr: String?

    /// The recognition options; `format` is the output format of bitmap tracks.
    func options(for format: SubtitleFormat?) throws -> RecognitionOptions? {
        guard let ocr else { return nil }
        guard RecognitionOptions.isAvailable else {
            throw ValidationError(
                "--ocr: this build has no text recognition; build with --enable-all-traits")
        }
        guard let format, format.takesRecognizedText else {
            throw ValidationError(
                "--ocr: \(format?.name ?? "native") cannot hold recognized text; use vtt, srt, json or png"
            )
        }
        do {
            var options = RecognitionOptions(languages: try RecognitionLanguage.list(parsing: ocr))
            options.silencesLog = true
            return options
        } catch {
            throw ValidationError("--ocr: \(error)")
        }
    }
}
