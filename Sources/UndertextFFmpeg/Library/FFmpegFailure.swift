internal import CFFmpeg
internal import Glibc
internal import UndertextCore

/// A negative return value of FFmpeg.
struct FFmpegFailure: Hashable {
    /// The value: a negated `errno` or one of FFmpeg's tags.
    let value: Int32

    /// FFmpeg's description of the error.
    func text(_ library: FFmpegLibrary) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress else { return "error \(value)" }
            unsafe base.initialize(repeating: 0, count: buffer.count)
            _ = unsafe library.functions.pointee.av_strerror(value, base, buffer.count)
            return unsafe String(cString: base)
        }
    }

    /// The error for the caller; `doing` names the failed operation, such as `opening`.
    func mediaError(_ library: FFmpegLibrary, path: String, isOpening: Bool) -> UndertextError {
        let (code, message) = classify(isOpening: isOpening)
        let logged = FFmpegLog.takeLastMessage()
        return UndertextError(
            code, message, path: path, underlying: Self.readable(logged) ?? text(library))
    }

    private func classify(isOpening: Bool) -> (UndertextError.Code, String) {
        switch value {
        case cffmpeg_averror(ENOENT), cffmpeg_http_not_found:
            return (.notFound, "there is no such file; check the path")
        case cffmpeg_averror(EACCES), cffmpeg_averror(EPERM), cffmpeg_http_forbidden,
            cffmpeg_http_unauthorized:
            return (.permission, "access was refused; check the permissions")
        case cffmpeg_averror(EISDIR):
            return (.isDirectory, "is a directory; specify a file in it")
        case cffmpeg_averror(ETIMEDOUT):
            return (.timeout, "no answer in time; try again")
        case cffmpeg_averror(ENOMEM):
            return (.limit, "needs more memory than there is")
        case cffmpeg_protocol_not_found:
            return (.unsupported, "this kind of URL is not supported; use http or https")
        case cffmpeg_patch_welcome, cffmpeg_averror(ENOSYS):
            return (.unsupported, "uses a feature that FFmpeg lacks")
        case cffmpeg_demuxer_not_found:
            return (.unsupported, "FFmpeg has no demuxer of that name; see ffmpeg -demuxers")
        case cffmpeg_invalid_data, cffmpeg_averror(EINVAL), cffmpeg_eof:
            // EINVAL is what a format outside of the whitelist gives: a playlist, for one.
            return isOpening
                ? (
                    .notMedia,
                    "this is not a media or subtitle file that can be opened; check the file"
                )
                : (.malformed, "is damaged beyond what can be skipped")
        default:
            return (.io, isOpening ? "could not be opened" : "could not be read")
        }
    }

    /// FFmpeg's message, unless it lists every format that would have been opened.
    private static func readable(_ message: String?) -> String? {
        guard let message, message.contains("not on whitelist") else { return message }
        return "a playlist or another format that opens further files"
    }
}
