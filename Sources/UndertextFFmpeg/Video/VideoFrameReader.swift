internal import CFFmpeg
package import UndertextCore

/// Finds the picture of a video stream that is shown at a time.
///
/// One thread at a time.
package final class VideoFrameReader {
    /// The stream.
    package let stream: StreamDescription
    /// The pixel aspect ratio; 1 for square pixels, also if it is unknown.
    package let pixelAspect: Double

    private var demuxer: FFmpegDemuxer
    private let reopen: () throws(UndertextError) -> FFmpegDemuxer
    private let library: FFmpegLibrary
    private let limits: Limits
    private let cancellation: Cancellation?
    private let packet: PacketBuffer
    /// The number of pixels decoded to reach an image.
    private var pixels = 0

    /// How far before the time reading begins, one after another, until a picture comes that is not after it.
    ///
    /// Some containers lead to places from which nothing can be decoded. At last it begins where the file does.
    private static let reaches: [Duration] = [.zero, .seconds(3), .seconds(15), .seconds(90)]

    /// Reads the pictures of the first video that is no cover.
    ///
    /// - Parameters:
    ///   - limits: bounds of pictures and of what may be decoded to reach one.
    ///   - cancellation: stops from outside.
    ///   - open: opens the file, for this alone, and finds out all there is about its streams
    ///     (``DemuxerOptions/ProbeDepth/full``); called again where reading must restart.
    /// - Throws: `UndertextError` with code `not-found` where there is no video.
    package init(
        limits: Limits = Limits(), cancellation: Cancellation? = nil,
        open: @escaping () throws(UndertextError) -> FFmpegDemuxer
    ) throws(UndertextError) {
        let demuxer = try open()
        guard let stream = demuxer.description.streams.first(where: { $0.kind == .video }),
            let context = unsafe demuxer.context.pointer,
            let raw = unsafe context.pointee.streams?[stream.index]
        else { throw UndertextError(.notFound, "the input has no video") }
        self.demuxer = demuxer
        reopen = open
        self.stream = stream
        self.limits = limits
        self.cancellation = cancellation
        library = try FFmpegLibrary.load()
        packet = try PacketBuffer.make(library)
        let ratio = unsafe library.functions.pointee.av_guess_sample_aspect_ratio(
            context, raw, nil)
        pixelAspect = ratio.num > 0 && ratio.den > 0 ? Double(ratio.num) / Double(ratio.den) : 1
        demuxer.select([stream.index])
    }

    /// The last picture that begins at or before a time, else the first one.
    ///
    /// - Parameter time: on the timeline of the file.
    /// - Returns: the frame.
    /// - Throws: `UndertextError`: reading failed, nothing could be decoded, or too much would have to be.
    package func frame(at time: Timestamp) throws(UndertextError) -> VideoFrame {
        pixels = 0
        do throws(UndertextError) {
            for reach in Self.reaches {
                guard
                    try seek(to: time.advanced(by: .zero - reach)),
                    let frame = try last(before: time), let start = frame.time, start <= time
                else { continue }
                return frame
            }
            // A seek to the beginning would miss the first pictures of some containers.
            demuxer = try reopen()
            demuxer.select([stream.index])
            guard let frame = try last(before: time) else {
                throw UndertextError(.malformed, "no frame of the video can be decoded")
            }
            return frame
        } catch {
            var located = error
            located.streamIndex = stream.index
            throw located
        }
    }

    /// `true` if reading goes on at a place before a time.
    private func seek(to time: Timestamp) throws(UndertextError) -> Bool {
        do throws(UndertextError) {
            try demuxer.seek(to: time, stream: stream.index)
            return true
        } catch {
            guard error.code == .unsupported else { throw error }
            return false
        }
    }

    /// Decodes up to the first picture after a time: the one before it, else that one.
    private func last(before time: Timestamp) throws(UndertextError) -> VideoFrame? {
        let decoder = try open()
        var (current, next) = (try VideoFrame(library), try VideoFrame(library))
        var hasCurrent = false
        var isAtEnd = false
        while true {
            if cancellation?.isCancelled == true { throw UndertextError(.cancelled, "cancelled") }
            let code = unsafe library.functions.pointee.avcodec_receive_frame(
                decoder.pointer, next.buffer.pointer)
            if code >= 0 {
                try count(next)
                next.time = self.time(of: next)
                if let start = next.time, start > time { return hasCurrent ? current : next }
                swap(&current, &next)
                hasCurrent = true
                continue
            }
            guard !isAtEnd, code == cffmpeg_averror(EAGAIN) else {
                return hasCurrent ? current : nil
            }
            isAtEnd = try feed(decoder)
        }
    }

    private func open() throws(UndertextError) -> CodecContext {
        guard let context = unsafe demuxer.context.pointer,
            let raw = unsafe context.pointee.streams?[stream.index],
            let parameters = unsafe raw.pointee.codecpar
        else { throw UndertextError(.io, "the file is closed") }
        return unsafe try CodecContext.open(
            video: parameters, timeBase: raw.pointee.time_base, mostPixels: limits.videoFrame,
            library)
    }

    /// Gives a decoder the next packet; whether that was the end.
    private func feed(_ decoder: borrowing CodecContext) throws(UndertextError) -> Bool {
        guard let value = try demuxer.nextPacket() else {
            _ = unsafe library.functions.pointee.avcodec_send_packet(decoder.pointer, nil)
            return true
        }
        // An empty packet would end the stream.
        guard !value.data.isEmpty else { return false }
        try packet.fill(value, library)
        // A packet that the decoder rejects is skipped.
        _ = unsafe library.functions.pointee.avcodec_send_packet(decoder.pointer, packet.pointer)
        return false
    }

    private func count(_ frame: VideoFrame) throws(UndertextError) {
        let size = frame.size
        pixels += max(0, size.width) * max(0, size.height)
        guard pixels <= limits.videoDecoding else {
            throw UndertextError(
                .limit,
                "the video has too few random access points: more than \(limits.videoDecoding) pixels "
                    + "would have to be decoded to reach this frame")
        }
    }

    private func time(of frame: VideoFrame) -> Timestamp? {
        let ticks = unsafe frame.buffer.pointer.pointee.best_effort_timestamp
        guard ticks != cffmpeg_nopts else { return nil }
        return Timestamp(ticks: ticks, timeBase: stream.timeBase)
    }
}
