internal import CFFmpeg
internal import UndertextCore

/// Sole owner of an `AVPacket` that is used again for every packet.
@safe
struct PacketBuffer: ~Copyable {
    /// The packet.
    let pointer: UnsafeMutablePointer<AVPacket>
    private let library: FFmpegLibrary

    private init(adopting pointer: UnsafeMutablePointer<AVPacket>, _ library: FFmpegLibrary) {
        unsafe self.pointer = unsafe pointer
        self.library = library
    }

    static func make(_ library: FFmpegLibrary) throws(UndertextError) -> PacketBuffer {
        guard let pointer = unsafe library.functions.pointee.av_packet_alloc() else {
            throw UndertextError(.limit, "not enough memory for a packet")
        }
        return unsafe PacketBuffer(adopting: pointer, library)
    }

    /// Drops the contents.
    func clear() { unsafe library.functions.pointee.av_packet_unref(pointer) }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe library.functions.pointee.av_packet_free(&packet)
    }
}
