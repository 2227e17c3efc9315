internal import Demux

/// What is known of the FFmpeg libraries in this process.
public enum FFmpegInfo {
    /// The version of libavformat, such as `59.27.100`; `nil` if nothing has needed it so far.
    public static var loadedVersion: String? { FFmpegVersion.runningIfLoaded?.avformat }

    /// Keeps FFmpeg's messages off standard error; the last one explains an error instead.
    ///
    /// This is state of the whole process, so only the program that owns it may ask for it.
    public static func silenceLog() { FFmpegLog.install() }
}
