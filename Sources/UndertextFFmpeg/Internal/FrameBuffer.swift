internal import CFFmpeg
internal import UndertextCore

/// Sole owner of an `AVFrame`, which each decoded image replaces.
@safe
struct FrameBuffer: ~Copyable {
    /// The frame.
    let pointer: UnsafeMutablePointer<AVFrame>
    private let library: FFmpegLibrary

    private init(adopting pointer: UnsafeMutablePointer<AVFrame>, _ library: FFmpegLibrary) {
        unsafe self.pointer = unsafe pointer
        self.library = library
    }

    static func make(_ library: FFmpegLibrary) throws(UndertextError) -> FrameBuffer {
        guard let pointer = unsafe library.functions.pointee.av_frame_alloc() else {
            throw UndertextError(.limit, "not enough memory for an image")
        }
        return unsafe FrameBuffer(adopting: pointer, library)
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe library.functions.pointee.av_frame_free(&frame)
    }
}
