internal import CFFmpeg

/// Sole owner of an `AVSubtitle` and of what libavcodec puts into it.
@safe
struct SubtitleBuffer: ~Copyable {
    /// The subtitle; freed before each use and at the end.
    let pointer: UnsafeMutablePointer<AVSubtitle>
    private let library: FFmpegLibrary

    init(_ library: FFmpegLibrary) {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: AVSubtitle())
        self.library = library
    }

    /// Frees what the last call put in; right also where there was nothing.
    func clear() { unsafe library.functions.pointee.avsubtitle_free(pointer) }

    deinit {
        unsafe library.functions.pointee.avsubtitle_free(pointer)
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }
}
