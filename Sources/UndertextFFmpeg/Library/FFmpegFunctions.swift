internal import CFFmpeg
internal import UndertextCore

/// A table of functions that few jobs need, looked up at their first use.
///
/// Immutable once made; the table is never freed, as the libraries are never unloaded.
@safe
final class FFmpegFunctions<Table>: @unchecked Sendable {
    /// The table of `shim.h`.
    let functions: UnsafePointer<Table>

    private init(adopting functions: UnsafePointer<Table>) {
        unsafe self.functions = unsafe functions
    }

    /// Makes a table that `load` fills.
    fileprivate static func result(
        _ load: (UnsafeMutablePointer<Table>, UnsafeMutablePointer<CFFmpegFailure>) -> Int32
    ) -> Result<FFmpegFunctions, UndertextError> {
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        var failure = unsafe CFFmpegFailure()
        guard unsafe load(table, &failure) == 0 else {
            let error = unsafe FFmpegLibrary.describe(failure)
            unsafe table.deallocate()
            return .failure(error)
        }
        return unsafe .success(FFmpegFunctions(adopting: table))
    }
}

/// The functions that write containers: only packaging writes media.
typealias MuxingLibrary = FFmpegFunctions<CFFmpegMuxing>
/// The functions of libswscale: most jobs scale nothing.
typealias ScalingLibrary = FFmpegFunctions<CFFmpegScaling>

private let muxing = unsafe MuxingLibrary.result { unsafe cffmpeg_load_muxing($0, $1) }
private let scaling = unsafe ScalingLibrary.result { unsafe cffmpeg_load_scaling($0, $1) }

extension MuxingLibrary {
    /// The functions, looked up at the first call; every later call gives the same answer.
    static func load() throws(UndertextError) -> MuxingLibrary { try muxing.get() }
}

extension ScalingLibrary {
    /// The functions, looked up at the first call; every later call gives the same answer.
    static func load() throws(UndertextError) -> ScalingLibrary { try scaling.get() }
}
