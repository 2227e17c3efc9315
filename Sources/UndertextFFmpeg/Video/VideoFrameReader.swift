internal import CFFmpeg
package import UndertextCore

/// Finds the frame of a video stream at a time.
///
/// Use it on one thread at a time.
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
    /// The number of pixels decoded to reach an image.
    private var pixels = 0

    /// The distances before the time at which reading begins, tried in order until a frame is at or before the
    /// time.
    ///
    /// The index of some containers leads to offsets from which nothing can be decoded. The last attempt begins
    /// at the start of the file.
    private static let reaches: [Duration] = [.zero, .seconds(3), .seconds(15), .seconds(90)]

    /// Opens the first video stream that is not a cover image.
    ///
    /// - Parameters:
    ///   - limits: the limits for frames and for the decoding before one.
    ///   - cancellation: cancels reading.
    ///   - open: opens the file with a complete description of its streams
    ///     (``DemuxerOptions/ProbeDepth/full``); called again if reading must restart.
    /// - Throws: `UndertextError` with code `not-found` if there is no video.
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
        let ratio = unsafe library.functions.pointee.av_guess_sample_aspect_ratio(
            context, raw, nil)
        pixelAspect = ratio.num > 0 && ratio.den > 0 ? Double(ratio.num) / Double(ratio.den) : 1
        demuxer.select([stream.index])
    }

    /// The last frame that begins at or before a time, otherwise the first one.
    ///
    /// - Parameter time: the time on the timeline of the file.
    /// - Returns: the frame.
    /// - Throws: `UndertextError`: reading failed, nothing could be decoded, or the limit for decoding was
    ///   reached.
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
            // A seek to the beginning would miss the first frames of some containers.
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

    /// Seeks to a position before a time; returns `true` on success.
    private func seek(to time: Timestamp) throws(UndertextError) -> Bool {
        do throws(UndertextError) {
            try demuxer.seek(to: time, stream: stream.index)
            return true
        } catch {
            guard error.code == .unsupported else { throw error }
            return false
        }
    }

    /// Decodes up to the first frame after a time; returns the frame before it, otherwise that frame.
    private func last(before time: Timestamp) throws(UndertextError) -> VideoFrame? {
        let decoder = try FrameDecoder(
            try open(), of: demuxer, cancellation: cancellation, library)
        var (current, next) = (try VideoFrame(library), try VideoFrame(library))
        var hasCurrent = false
        while try decoder.next(into: next.buffer) {
            try count(next)
            next.time = next.buffer.time(in: stream.timeBase)
            if let start = next.time, start > time { return hasCurrent ? current : next }
            swap(&current, &next)
            hasCurrent = true
        }
        return hasCurrent ? current : nil
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
}
