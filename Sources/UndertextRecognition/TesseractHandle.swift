#if Recognition
    internal import CUndertextTesseract
    internal import Synchronization
    internal import UndertextCore

    /// Making a handle reads and writes Tesseract's table of global parameters.
    private let making = Mutex(())

    /// A recognizer for one caller at a time; C: `TessBaseAPI`.
    ///
    /// Unchecked: any thread may use it, but only one at a time; ``TextRecognizer`` sees to it.
    @safe
    final class TesseractHandle: @unchecked Sendable {
        /// The page layout: `PSM_SINGLE_LINE`, `PSM_SINGLE_BLOCK`.
        enum Layout {
            case line
            case block
        }

        private let library: TesseractLibrary
        private let handle: OpaquePointer

        /// Loads the data of languages; C: `TessBaseAPIInit3`.
        ///
        /// - Parameters:
        ///   - languages: the languages of the text, the main one first.
        ///   - silencesLog: `true` to prevent Tesseract from printing to standard error; this is process-wide.
        /// - Throws: `UndertextError`: the library or a language's data is missing.
        init(languages: [RecognitionLanguage], silencesLog: Bool) throws(UndertextError) {
            library = try TesseractLibrary.load()
            let functions = unsafe library.functions
            guard let made = unsafe functions.pointee.TessBaseAPICreate() else {
                throw UndertextError(.io, "Tesseract gives no recognizer")
            }
            unsafe handle = made
            let names = languages.map(\.tesseractName)
            let loaded = making.withLock { _ in
                if silencesLog {
                    unsafe _ = functions.pointee.TessBaseAPISetVariable(
                        made, "debug_file", "/dev/null")
                }
                let result = unsafe functions.pointee.TessBaseAPIInit3(
                    made, nil, names.joined(separator: "+"))
                return result == 0 ? unsafe Self.loaded(functions, made) : []
            }
            // Tesseract continues if one of several is missing.
            let missing = languages.filter { !loaded.contains($0.tesseractName) }
            guard missing.isEmpty else {
                throw UndertextError(
                    .missingLanguage,
                    "Tesseract has no data for \(missing.map(\.tag.rawValue).joined(separator: ", ")); "
                        + "install it with: apt-get install "
                        + missing.map(\.debianPackage).joined(separator: " "))
            }
            // Characters that do not occur in subtitles, but are confused with thin letters.
            unsafe _ = functions.pointee.TessBaseAPISetVariable(
                made, "tessedit_char_blacklist", "|\\`_~")
        }

        deinit {
            let functions = unsafe library.functions
            let handle = unsafe handle
            making.withLock { _ in
                unsafe functions.pointee.TessBaseAPIEnd(handle)
                unsafe functions.pointee.TessBaseAPIDelete(handle)
            }
        }

        /// Forgets what it learned from earlier images, so that their order does not matter.
        func forget() {
            unsafe library.functions.pointee.TessBaseAPIClearAdaptiveClassifier(handle)
        }

        /// Reads dark text on white.
        ///
        /// - Returns: the text, and how sure Tesseract is, 0 to 100; `nil` if it failed.
        func text(in image: GrayscaleImage, as layout: Layout) -> (text: String, confidence: Int)? {
            let functions = unsafe library.functions
            unsafe ctesseract_use_one_thread(functions)
            let mode = layout == .line ? PSM_SINGLE_LINE : PSM_SINGLE_BLOCK
            unsafe functions.pointee.TessBaseAPISetPageSegMode(handle, mode)
            // Tesseract copies the pixels.
            unsafe image.pixels.withUnsafeBufferPointer { pixels in
                unsafe functions.pointee.TessBaseAPISetImage(
                    handle, pixels.baseAddress, Int32(image.width), Int32(image.height), 1,
                    Int32(image.width))
            }
            unsafe functions.pointee.TessBaseAPISetSourceResolution(handle, 150)
            guard unsafe functions.pointee.TessBaseAPIRecognize(handle, nil) == 0,
                let text = unsafe functions.pointee.TessBaseAPIGetUTF8Text(handle)
            else { return nil }
            defer { unsafe functions.pointee.TessDeleteText(text) }
            return unsafe (
                String(cString: text), Int(functions.pointee.TessBaseAPIMeanTextConf(handle))
            )
        }

        private static func loaded(
            _ functions: UnsafePointer<CTesseractFunctions>, _ handle: OpaquePointer
        ) -> Set<String> {
            guard
                let list = unsafe functions.pointee.TessBaseAPIGetLoadedLanguagesAsVector(handle)
            else { return [] }
            defer { unsafe functions.pointee.TessDeleteTextArray(list) }
            var names: Set<String> = []
            var place = 0
            while let name = unsafe list[place] {
                names.insert(unsafe String(cString: name))
                place += 1
            }
            return names
        }
    }
#endif
