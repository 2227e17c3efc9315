internal import CFFmpeg
internal import Synchronization
internal import UndertextCore

/// The functions of libavformat, libavcodec and libavutil, looked up at the first use.
///
/// Immutable after ``shared`` was made; the table is never freed, as the libraries are never
/// unloaded.
@safe
final class FFmpegLibrary: @unchecked Sendable {
    /// The table of `shim.h`.
    let functions: UnsafePointer<CFFmpegFunctions>

    private init(adopting functions: UnsafePointer<CFFmpegFunctions>) {
        unsafe self.functions = unsafe functions
    }

    /// `true` if ``shared`` has been used and loaded successfully.
    static var isLoaded: Bool { loadedFlag.load(ordering: .acquiring) }

    /// The library, loaded at the first call; every later call gives the same answer.
    static func load() throws(UndertextError) -> FFmpegLibrary { try shared.get() }

    private static let loadedFlag = Atomic<Bool>(false)

    private static let shared: Result<FFmpegLibrary, UndertextError> = {
        let table = UnsafeMutablePointer<CFFmpegFunctions>.allocate(capacity: 1)
        var failure = unsafe CFFmpegFailure()
        guard unsafe cffmpeg_load(table, &failure) == 0 else {
            let error = unsafe describe(failure)
            unsafe table.deallocate()
            return .failure(error)
        }
        let library = unsafe FFmpegLibrary(adopting: table)
        loadedFlag.store(true, ordering: .sequentiallyConsistent)
        FFmpegLog.libraryWasLoaded(library)
        return .success(library)
    }()

    static func describe(_ failure: CFFmpegFailure) -> UndertextError {
        let name = unsafe failure.library.map { unsafe String(cString: $0) } ?? ""
        let detail = unsafe failure.detail.map { unsafe String(cString: $0) } ?? ""
        let major = unsafe failure.major
        let kind: MissingLibrary.Kind =
            switch unsafe failure.kind {
            case Int32(CFFMPEG_NO_SYMBOL): .symbol
            case Int32(CFFMPEG_WRONG_VERSION): .version
            default: .library
            }
        return MissingLibrary.error(kind: kind, library: name, major: major, detail: detail)
    }
}
