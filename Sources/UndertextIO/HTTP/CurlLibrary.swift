internal import CUndertextCurl
internal import UndertextCore

/// The functions of libcurl, bound at first use.
///
/// The table is immutable and never freed, because the library is never unloaded.
@safe
final class CurlLibrary: @unchecked Sendable {
    /// The function table of `shim.h`.
    let functions: UnsafePointer<CCurlFunctions>

    private init(adopting functions: UnsafePointer<CCurlFunctions>) {
        unsafe self.functions = unsafe functions
    }

    /// The library, loaded by the first call; later calls return the same result.
    static func load() throws(UndertextError) -> CurlLibrary { try shared.get() }

    private static let shared: Result<CurlLibrary, UndertextError> = {
        let table = UnsafeMutablePointer<CCurlFunctions>.allocate(capacity: 1)
        guard let said = unsafe ccurl_load(table) else {
            return unsafe .success(CurlLibrary(adopting: table))
        }
        let error = unsafe UndertextError(
            .missingLibrary,
            "libcurl.so.4 is needed for URLs; install it with: apt-get install libcurl4",
            underlying: String(cString: said))
        unsafe table.deallocate()
        return .failure(error)
    }()

    /// libcurl's text for a result code.
    func text(_ code: Int32) -> String {
        unsafe functions.pointee.curl_easy_strerror(CURLcode(rawValue: UInt32(bitPattern: code)))
            .map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
