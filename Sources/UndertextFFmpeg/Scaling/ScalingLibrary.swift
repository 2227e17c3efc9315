internal import CFFmpeg
internal import UndertextCore

/// The functions of libswscale, looked up at the first use: most jobs scale nothing.
///
/// Immutable once made; the table is never freed, as the library is never unloaded.
@safe
final class ScalingLibrary: @unchecked Sendable {
    /// The table of `shim.h`.
    let functions: UnsafePointer<CFFmpegScaling>

    private init(adopting functions: UnsafePointer<CFFmpegScaling>) {
        unsafe self.functions = unsafe functions
    }

    /// The library, loaded at the first call; every later call gives the same answer.
    static func load() throws(UndertextError) -> ScalingLibrary { try shared.get() }

    private static let shared: Result<ScalingLibrary, UndertextError> = {
        let table = UnsafeMutablePointer<CFFmpegScaling>.allocate(capacity: 1)
        var failure = unsafe CFFmpegFailure()
        guard unsafe cffmpeg_load_scaling(table, &failure) == 0 else {
            let error = unsafe FFmpegLibrary.describe(failure)
            unsafe table.deallocate()
            return .failure(error)
        }
        return unsafe .success(ScalingLibrary(adopting: table))
    }()
}
