internal import CFFmpeg
internal import Glibc
internal import UndertextCore

/// Sole owner of an `AVFormatContext` opened for input.
@safe
struct FormatContext: ~Copyable {
    /// The context; `nil` once it was closed.
    private(set) var pointer: UnsafeMutablePointer<AVFormatContext>?
    private let library: FFmpegLibrary

    private init(adopting pointer: UnsafeMutablePointer<AVFormatContext>, _ library: FFmpegLibrary)
    {
        unsafe self.pointer = unsafe pointer
        self.library = library
    }

    /// Opens `url`, or the custom I/O context where there is one.
    static func open(
        url: String, io: UnsafeMutablePointer<AVIOContext>?, state: IOState, format: String?,
        options: inout OptionDictionary, _ library: FFmpegLibrary
    ) throws(UndertextError) -> FormatContext {
        guard let context = unsafe library.functions.pointee.avformat_alloc_context() else {
            throw UndertextError(.limit, "not enough memory to open it", path: state.name)
        }
        unsafe context.pointee.opaque = state.opaque
        unsafe context.pointee.interrupt_callback.opaque = state.opaque
        unsafe context.pointee.interrupt_callback.callback = { opaque in
            guard let state = unsafe IOState.from(opaque) else { return 0 }
            return state.shouldInterrupt() ? 1 : 0
        }
        unsafe state.context = unsafe context
        unsafe state.openDefault = unsafe context.pointee.io_open
        unsafe context.pointee.io_open = { context, result, url, flags, options in
            guard let context = unsafe context, let url = unsafe url,
                let state = unsafe IOState.from(context.pointee.opaque),
                let open = unsafe state.openDefault, unsafe state.mayOpen(String(cString: url))
            else { return cffmpeg_averror(EPERM) }
            return unsafe open(context, result, url, flags, options)
        }
        if let io = unsafe io { unsafe context.pointee.pb = unsafe io }
        var pointer: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        // On failure FFmpeg frees the context.
        let code = unsafe cffmpeg_open_input(
            library.functions, &pointer, PathText.systemPath(url), format, &options.pointer)
        guard code >= 0, let opened = unsafe pointer else {
            unsafe state.context = nil
            throw failure(code, state, library, isOpening: true)
        }
        return unsafe FormatContext(adopting: opened, library)
    }

    /// The error of a call that returned `code`; an error that a callback stored has priority.
    static func failure(
        _ code: Int32, _ state: IOState, _ library: FFmpegLibrary, isOpening: Bool
    ) -> UndertextError {
        if let stored = state.takeStored() { return stored }
        if let nested = state.takeRefused().first {
            return UndertextError(
                .nestedOpen,
                "refers to another file or URL (\(nested)), which is refused; specify it directly",
                path: state.name)
        }
        return FFmpegFailure(value: code)
            .mediaError(library, path: state.name, isOpening: isOpening)
    }

    /// Frees everything; the custom I/O context stays.
    mutating func close() {
        guard unsafe pointer != nil else { return }
        unsafe library.functions.pointee.avformat_close_input(&pointer)
        unsafe pointer = nil
    }

    deinit {
        var context = unsafe pointer
        guard unsafe context != nil else { return }
        unsafe library.functions.pointee.avformat_close_input(&context)
    }
}
