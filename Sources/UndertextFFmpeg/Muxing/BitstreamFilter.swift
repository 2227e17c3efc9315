internal import CFFmpeg
internal import UndertextCore

/// Sole owner of a bitstream filter: packets of one form in, packets of another form out.
///
/// FFmpeg: `AVBSFContext`.
@safe
struct BitstreamFilter: ~Copyable {
    private let context: UnsafeMutablePointer<AVBSFContext>
    private let muxing: MuxingLibrary

    private init(adopting context: UnsafeMutablePointer<AVBSFContext>, _ muxing: MuxingLibrary) {
        unsafe self.context = unsafe context
        self.muxing = muxing
    }

    /// Makes a filter for the packets of a stream; `nil` where FFmpeg has none of this name, or it
    /// does not take the codec.
    static func make(
        _ name: String, for parameters: UnsafePointer<AVCodecParameters>, timeBase: AVRational,
        _ muxing: MuxingLibrary
    ) -> BitstreamFilter? {
        let functions = unsafe muxing.functions
        var made: UnsafeMutablePointer<AVBSFContext>?
        guard let kind = unsafe functions.pointee.av_bsf_get_by_name(name),
            unsafe functions.pointee.av_bsf_alloc(kind, &made) >= 0, let context = unsafe made
        else { return nil }
        let filter = unsafe BitstreamFilter(adopting: context, muxing)
        unsafe context.pointee.time_base_in = timeBase
        let copied = unsafe functions.pointee.avcodec_parameters_copy(
            context.pointee.par_in, parameters)
        guard copied >= 0, unsafe functions.pointee.av_bsf_init(context) >= 0 else { return nil }
        return filter
    }

    /// Hands a packet over, which is empty afterwards; FFmpeg's code.
    func send(_ packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        unsafe muxing.functions.pointee.av_bsf_send_packet(context, packet)
    }

    /// Receives the next packet; returns FFmpeg's code, `AVERROR(EAGAIN)` if another packet must be sent first.
    func receive(_ packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        unsafe muxing.functions.pointee.av_bsf_receive_packet(context, packet)
    }

    deinit {
        var owned: UnsafeMutablePointer<AVBSFContext>? = unsafe context
        unsafe muxing.functions.pointee.av_bsf_free(&owned)
    }
}
