internal import CFFmpeg
internal import UndertextCore

/// The functions that write containers, looked up at the first use: only packaging writes media.
///
/// Immutable once made; the table is never freed, as the libraries are never unloaded.
@safe
final class MuxingLibrary: @unchecked Sendable {
    /// The table of `shim.h`.
    let functions: UnsafePointer<CFFmpegMuxing>

    private init(adopting functions: UnsafePointer<CFFmpegMuxing>) {
        unsafe self.functions = unsafe functions
    }

    /// The functions, looked up at the first call; every later call gives the same answer.
    static func load() throws(UndertextError) -> MuxingLibrary { try shared.get() }

    private static let shared: Result<MuxingLibrary, UndertextError> = {
        let table = UnsafeMutablePointer<CFFmpegMuxing>.allocate(capacity: 1)
        var failure = unsafe CFFmpegFailure()
        guard unsafe cffmpeg_load_muxing(table, &failure) == 0 else {
            let error = unsafe FFmpegLibrary.describe(failure)
            unsafe table.deallocate()
            return .failure(error)
        }
        return unsafe .success(MuxingLibrary(adopting: table))
    }()
}
