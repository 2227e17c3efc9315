#if Rendering
    internal import CUndertextAss
    internal import UndertextCore

    /// The functions of libass, looked up at the first use.
    ///
    /// Immutable once made; the table is never freed, as the library is never unloaded.
    @safe
    final class AssLibrary: @unchecked Sendable {
        /// The table of `shim.h`.
        let functions: UnsafePointer<CAssFunctions>

        private init(adopting functions: UnsafePointer<CAssFunctions>) {
            unsafe self.functions = unsafe functions
        }

        /// The library, loaded at the first call; every later call gives the same answer.
        static func load() throws(UndertextError) -> AssLibrary { try shared.get() }

        private static let shared: Result<AssLibrary, UndertextError> = {
            let table = UnsafeMutablePointer<CAssFunctions>.allocate(capacity: 1)
            guard let said = unsafe cass_load(table) else {
                return unsafe .success(AssLibrary(adopting: table))
            }
            let error = unsafe UndertextError(
                .missingLibrary,
                "libass.so.9 is needed to draw subtitles; install it with: apt-get install libass9",
                underlying: String(cString: said))
            unsafe table.deallocate()
            return .failure(error)
        }()
    }
#endif
