#if Recognition
    internal import Synchronization
    package import UndertextCore

    /// Reads the text in images of subtitles, with Tesseract.
    ///
    /// Any number of threads may use it at the same time: each gets a handle of Tesseract's to itself,
    /// which takes some 20 MB for each language.
    package final class TextRecognizer: Sendable {
        private let languages: [RecognitionLanguage]
        private let silencesLog: Bool
        private let repair: OCRPostProcessor
        /// The idle handles.
        private let idle: Mutex<[TesseractHandle]>

        /// Loads the library and the data of languages.
        ///
        /// - Parameters:
        ///   - languages: the languages of the text, the main one first.
        ///   - silencesLog: `true` to prevent Tesseract from printing to standard error. This setting is
        ///     process-wide, so only a program may choose it, not a library.
        /// - Throws: `UndertextError`: the library (`UndertextError/Code/missingLibrary`) or a language's data
        ///   (`UndertextError/Code/missingLanguage`) is not installed; the message names the package.
        package init(
            languages: [RecognitionLanguage], silencesLog: Bool = false
        ) throws(UndertextError) {
            self.languages = languages
            self.silencesLog = silencesLog
            idle = Mutex([try TesseractHandle(languages: languages, silencesLog: silencesLog)])
            repair = OCRPostProcessor(languages)
        }

        /// The text of an image, line by line.
        ///
        /// - Throws: `UndertextError/Code/cancelled`, or that there is no memory for another handle.
        package func text(
            of bitmap: IndexedBitmap, cancellation: Cancellation? = nil
        ) throws(UndertextError) -> RecognizedText {
            let handle = try takeHandle()
            defer { idle.withLock { $0.append(handle) } }
            let plane = ForegroundMask(bitmap)
            // Clear adaptive state, so that earlier images do not affect this one.
            handle.forget()
            var parts: [RecognizedText] = []
            for line in plane.lines() {
                if cancellation?.isCancelled == true { throw UndertextError(.cancelled, "stopped") }
                let image = GrayscaleImage(line, of: plane)
                guard let read = handle.text(in: image, as: line.isBlock ? .block : .line) else {
                    continue
                }
                let lines = read.text.split(whereSeparator: \.isNewline)
                    .map { String(trimmed($0)) }.filter { !$0.isEmpty }
                guard !lines.isEmpty else { continue }
                parts.append(
                    RecognizedText(
                        text: repair.repaired(lines.joined(separator: "\n")),
                        confidence: Double(max(0, min(100, read.confidence))) / 100))
            }
            return RecognizedText(joining: parts)
        }

        private func takeHandle() throws(UndertextError) -> TesseractHandle {
            if let handle = idle.withLock({ $0.popLast() }) { return handle }
            return try TesseractHandle(languages: languages, silencesLog: silencesLog)
        }

        private func trimmed(_ text: Substring) -> Substring {
            var text = text.drop(while: \.isWhitespace)
            while text.last?.isWhitespace == true { text.removeLast() }
            return text
        }
    }
#endif
