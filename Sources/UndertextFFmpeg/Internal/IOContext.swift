internal import CFFmpeg
internal import UndertextCore

/// Sole owner of an `AVIOContext` whose bytes come from ``IOState``; empty where FFmpeg opens the
/// input itself.
@safe
struct IOContext: ~Copyable {
    /// The context, if there is one.
    let pointer: UnsafeMutablePointer<AVIOContext>?
    private let library: FFmpegLibrary

    private init(adopting pointer: UnsafeMutablePointer<AVIOContext>?, _ library: FFmpegLibrary) {
        unsafe self.pointer = unsafe pointer
        self.library = library
    }

    /// The size of FFmpeg's reads in bytes, as in its own file reader.
    private static let bufferSize = 32768

    /// A context over `state.reader`, or nothing where FFmpeg opens the input itself.
    static func open(
        _ state: IOState, _ library: FFmpegLibrary
    ) throws(UndertextError) -> IOContext {
        let canSeek: Bool
        switch state.reader {
        case .none: return unsafe IOContext(adopting: nil, library)
        case .random, .descriptor: canSeek = true
        case .sequential: canSeek = false
        }
        let noMemory = UndertextError(.limit, "not enough memory to open it", path: state.name)
        guard let buffer = unsafe library.functions.pointee.av_mallocz(bufferSize) else {
            throw noMemory
        }
        let context = unsafe library.functions.pointee.avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferSize), 0, state.opaque,
            { opaque, bytes, count in
                guard let state = unsafe IOState.from(opaque), let bytes = unsafe bytes else {
                    return cffmpeg_exit
                }
                return unsafe state.read(into: bytes, count: Int(count))
            },
            nil,
            canSeek
                ? { opaque, offset, whence in
                    guard let state = unsafe IOState.from(opaque) else {
                        return Int64(cffmpeg_exit)
                    }
                    return state.seek(to: offset, whence: whence)
                } : nil)
        guard let context = unsafe context else {
            unsafe library.functions.pointee.av_free(buffer)
            throw noMemory
        }
        return unsafe IOContext(adopting: context, library)
    }

    deinit {
        // FFmpeg may have replaced the buffer by another one.
        guard let pointer = unsafe pointer else { return }
        unsafe library.functions.pointee.av_free(pointer.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = unsafe pointer
        unsafe library.functions.pointee.avio_context_free(&context)
    }
}
