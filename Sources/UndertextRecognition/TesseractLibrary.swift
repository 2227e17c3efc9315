#if Recognition
    internal import CUndertextTesseract
    internal import UndertextCore

    /// The functions of libtesseract, looked up at the first use.
    ///
    /// Immutable once made; the table is never freed, as the library is never unloaded.
    @safe
    final class TesseractLibrary: @unchecked Sendable {
        /// The table of `shim.h`.
        let functions: UnsafePointer<CTesseractFunctions>

        private init(adopting functions: UnsafePointer<CTesseractFunctions>) {
            unsafe self.functions = unsafe functions
        }

        /// The library, loaded at the first call; every later call gives the same answer.
        static func load() throws(UndertextError) -> TesseractLibrary { try shared.get() }

        private static let shared: Result<TesseractLibrary, UndertextError> = {
            let table = UnsafeMutablePointer<CTesseractFunctions>.allocate(capacity: 1)
            guard let said = unsafe ctesseract_load(table) else {
                return unsafe .success(TesseractLibrary(adopting: table))
            }
            let error = unsafe UndertextError(
                .missingLibrary,
                "libtesseract.so.5 is needed to recognize text; install it with: "
                    + "apt-get install libtesseract5 tesseract-ocr-eng",
                underlying: String(cString: said))
            unsafe table.deallocate()
            return .failure(error)
        }()
    }
#endif
