internal import CFFmpeg
internal import UndertextCore

/// Decodes the selected stream of a demuxer, frame by frame.
///
/// Packets that the decoder rejects are skipped and counted. Use it on one thread at a time.
final class FrameDecoder {
    /// The number of packets that could not be decoded.
    private(set) var damagedPackets = 0

    private let demuxer: FFmpegDemuxer
    private let context: CodecContext
    private let packet: PacketBuffer
    private let library: FFmpegLibrary
    private let cancellation: Cancellation?
    private let keyFramesOnly: Bool
    private var isAtEnd = false

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - context: The opened decoder.
    ///   - demuxer: The file, of which only the stream of the decoder is selected.
    ///   - keyFramesOnly: `true` to decode frames that need no others.
    ///   - cancellation: Cancels decoding.
    ///   - library: FFmpeg's functions.
    /// - Throws: `UndertextError` with code `limit` if there is not enough memory.
    init(
        _ context: consuming CodecContext, of demuxer: FFmpegDemuxer, keyFramesOnly: Bool = false,
        cancellation: Cancellation?, _ library: FFmpegLibrary
    ) throws(UndertextError) {
        if keyFramesOnly { unsafe context.pointer.pointee.skip_frame = AVDISCARD_NONKEY }
        self.context = context
        self.demuxer = demuxer
        self.keyFramesOnly = keyFramesOnly
        self.cancellation = cancellation
        self.library = library
        packet = try PacketBuffer.make(library)
    }

    /// Decodes the next frame; returns `false` at the end.
    ///
    /// FFmpeg: `avcodec_receive_frame`, `avcodec_send_packet`.
    ///
    /// - Parameter frame: Receives the frame.
    /// - Returns: `true` if there is one.
    /// - Throws: `UndertextError`: reading failed or was cancelled.
    func next(into frame: borrowing FrameBuffer) throws(UndertextError) -> Bool {
        while true {
            if cancellation?.isCancelled == true { throw UndertextError(.cancelled, "cancelled") }
            let code = unsafe library.functions.pointee.avcodec_receive_frame(
                context.pointer, frame.pointer)
            if code >= 0 { return true }
            if code == cffmpeg_eof || isAtEnd { return false }
            if code != cffmpeg_averror(EAGAIN) { damagedPackets += 1 }
            try feed()
        }
    }

    /// Sends the next packet to the decoder.
    private func feed() throws(UndertextError) {
        guard let value = try demuxer.nextPacket() else {
            isAtEnd = true
            _ = unsafe library.functions.pointee.avcodec_send_packet(context.pointer, nil)
            return
        }
        // An empty packet would end the stream.
        guard !value.data.isEmpty, value.isKey || !keyFramesOnly else { return }
        try packet.fill(value, library)
        let code = unsafe library.functions.pointee.avcodec_send_packet(
            context.pointer, packet.pointer)
        if code < 0, code != cffmpeg_averror(EAGAIN) { damagedPackets += 1 }
    }
}

extension FrameBuffer {
    /// The presentation time of the frame; `nil` if it is unknown or does not fit.
    func time(in timeBase: TimeBase) -> Timestamp? {
        let ticks = unsafe pointer.pointee.best_effort_timestamp
        return ticks == cffmpeg_nopts ? nil : Timestamp(ticks: ticks, timeBase: timeBase)
    }
}
