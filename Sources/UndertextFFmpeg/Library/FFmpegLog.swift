internal import CFFmpeg
internal import Glibc
internal import Synchronization
package import UndertextCore

/// Prevents FFmpeg from printing to standard error and keeps the last message of each thread.
///
/// This sets process-wide state, so only a program may call it: the library itself never calls ``install()``.
package enum FFmpegLog {
    /// Replaces FFmpeg's log callback; the messages go into errors from then on.
    ///
    /// FFmpeg is not loaded for it: if it is not there yet, this happens at its first use.
    package static func install() {
        isWanted.store(true, ordering: .sequentiallyConsistent)
        if FFmpegLibrary.isLoaded, let library = try? FFmpegLibrary.load() {
            replaceCallback(library)
        }
    }

    /// Called once FFmpeg is loaded.
    static func libraryWasLoaded(_ library: FFmpegLibrary) {
        if isWanted.load(ordering: .sequentiallyConsistent) { replaceCallback(library) }
    }

    private static func replaceCallback(_ library: FFmpegLibrary) {
        unsafe library.functions.pointee.av_log_set_callback { object, level, format, arguments in
            // Only what says why something failed; formatting the rest would cost time.
            guard level >= 0, level <= AV_LOG_ERROR, let arguments = unsafe arguments else {
                return
            }
            unsafe FFmpegLog.record(object, level, format, arguments)
        }
        isInstalled.store(true, ordering: .releasing)
    }

    /// Restores FFmpeg's own callback.
    package static func uninstall() throws(UndertextError) {
        isWanted.store(false, ordering: .sequentiallyConsistent)
        guard isInstalled.exchange(false, ordering: .acquiringAndReleasing) else { return }
        let library = try FFmpegLibrary.load()
        unsafe library.functions.pointee.av_log_set_callback(
            library.functions.pointee.av_log_default_callback)
    }

    /// The last error message of the calling thread since the last call.
    package static func takeLastMessage() -> String? {
        takeLast()?.text
    }

    /// The same, unless only a codec had something to say: parsers of video look into what is no container's.
    package static func takeLastMessageOfContainer() -> String? {
        takeLast().flatMap { $0.isOfCodec ? nil : $0.text }
    }

    private static func takeLast() -> Message? {
        let thread = UInt(pthread_self())
        return messages.withLock { $0.removeValue(forKey: thread) }
    }

    private struct Message {
        var text: String
        /// `true` if it is about an `AVCodecContext`.
        var isOfCodec: Bool
    }

    private static let isWanted = Atomic<Bool>(false)
    private static let isInstalled = Atomic<Bool>(false)
    private static let messages = Mutex<[UInt: Message]>([:])

    /// `true` if what logs is an `AVCodecContext`: each of FFmpeg's objects begins with a pointer to its `AVClass`.
    private static func isCodec(_ object: UnsafeMutableRawPointer?) -> Bool {
        guard
            let type = unsafe object?.assumingMemoryBound(to: UnsafePointer<AVClass>?.self).pointee,
            let name = unsafe type.pointee.class_name
        else { return false }
        return unsafe String(cString: name) == "AVCodecContext"
    }

    private static func record(
        _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>?,
        _ arguments: CVaListPointer
    ) {
        guard let library = try? FFmpegLibrary.load() else { return }
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            unsafe base.initialize(repeating: 0, count: buffer.count)
            var printsPrefix: Int32 = 0
            _ = unsafe library.functions.pointee.av_log_format_line2(
                object, level, format, arguments, base, Int32(buffer.count), &printsPrefix)
            return unsafe String(cString: base)
        }
        let line = String(text.prefix { $0 != "\n" })
        guard !line.isEmpty else { return }
        let isOfCodec = unsafe isCodec(object)
        let thread = UInt(pthread_self())
        messages.withLock { messages in
            // Messages of FFmpeg's short-lived worker threads must not accumulate.
            if messages.count > 64 { messages.removeAll() }
            // A codec does not hide what the container's reader says.
            if isOfCodec, messages[thread]?.isOfCodec == false { return }
            messages[thread] = Message(text: line, isOfCodec: isOfCodec)
        }
    }
}
