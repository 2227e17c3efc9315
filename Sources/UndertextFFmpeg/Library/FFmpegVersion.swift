internal import CFFmpeg
package import UndertextCore

/// The versions of FFmpeg's libraries, such as `59.27.100`.
package struct FFmpegVersion: Hashable, Sendable {
    /// The version of libavformat.
    package let avformat: String
    /// The version of libavcodec.
    package let avcodec: String
    /// The version of libavutil.
    package let avutil: String

    /// The version at compile time; reading it loads nothing.
    package static let built = FFmpegVersion(
        avformat: text(cffmpeg_built_avformat), avcodec: text(cffmpeg_built_avcodec),
        avutil: text(cffmpeg_built_avutil))

    /// The major version of libavformat at compile time, which is the one that is loaded.
    package static let formatMajor = Int(cffmpeg_built_avformat >> 16)

    /// `true` if FFmpeg is loaded in this process by this library; asking loads nothing.
    package static var isLoaded: Bool { FFmpegLibrary.isLoaded }

    /// The version at run time if FFmpeg has been loaded; reading it loads nothing.
    package static var runningIfLoaded: FFmpegVersion? { isLoaded ? try? running() : nil }

    /// Returns the version at run time; loads FFmpeg.
    ///
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/missingLibrary``.
    package static func running() throws(UndertextError) -> FFmpegVersion {
        let library = try FFmpegLibrary.load()
        return unsafe FFmpegVersion(
            avformat: text(library.functions.pointee.avformat_version()),
            avcodec: text(library.functions.pointee.avcodec_version()),
            avutil: text(library.functions.pointee.avutil_version()))
    }

    private static func text(_ version: UInt32) -> String {
        "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }
}
