internal import UndertextContainers
internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextIO

/// Information about the FFmpeg libraries in this process.
package enum FFmpegInfo {
    /// The version of libavformat, such as `59.27.100`; `nil` if nothing has needed it so far.
    package static var loadedVersion: String? { FFmpegVersion.runningIfLoaded?.avformat }

    /// Starts loading the libraries in the background, which takes tens of milliseconds; missing libraries are
    /// reported when they are used.
    ///
    /// - Parameters:
    ///   - inputs: The inputs that are probed next. The names of Matroska and MP4 files need no libraries yet: most of them are
    ///     described without.
    ///   - deep: `true` to decode.
    /// - Returns: The loading, which the caller keeps until the libraries are needed; its `deinit` waits for
    ///   the end. `nil` if nothing is loaded.
    package static func preload(toProbe inputs: [String], deep: Bool) -> FFmpegLoading? {
        let isNative = inputs.allSatisfy { input in
            let name = PathName.fileExtension(input).lowercased()
            return MatroskaFile.fileExtensions.contains(name)
                || MP4File.fileExtensions.contains(name)
        }
        return isNative && !deep ? nil : FFmpegLoading()
    }

    /// Prevents FFmpeg from printing to standard error; errors contain its last message instead.
    ///
    /// This is process-wide state, so only a program may change it.
    package static func silenceLog() { FFmpegLog.install() }
}

extension Media {
    /// Replaces FFmpeg's log callback, so that FFmpeg prints nothing to standard error; its last error message on the
    /// failing thread becomes part of the `UndertextError` instead.
    ///
    /// This changes the state of the process, so only a program may call it, not a library. It does not load FFmpeg; if
    /// FFmpeg is not loaded yet, the callback is replaced when it is.
    ///
    /// C: `undertext_silence_ffmpeg`.
    public static func silenceFFmpeg() { FFmpegInfo.silenceLog() }
}

/// FFmpeg's libraries on their way into the process.
package final class FFmpegLoading {
    private let loading = BackgroundProducer<Never>(ahead: 1) { _ in
        _ = try? FFmpegVersion.running()
        return nil
    }
}
