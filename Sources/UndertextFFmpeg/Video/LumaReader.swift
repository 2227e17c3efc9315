internal import CFFmpeg
package import UndertextCore

/// Decodes a video from the beginning to the end and scales the luma of its frames down.
///
/// Use it on one thread at a time.
package final class LumaReader {
    /// A small gray image of a frame.
    package struct Frame: Sendable {
        /// The time on the timeline of the file.
        package var time: Timestamp
        /// ``LumaReader/width`` × ``LumaReader/height`` means of blocks, row by row, from 0 to 255.
        package var luma: [UInt8]
    }

    /// The width of the small images.
    package static let width = 64
    /// The height of the small images.
    package static let height = 36

    /// The number of packets that could not be decoded.
    package var damagedPackets: Int { decoder.damagedPackets }

    private let stream: StreamDescription
    private let decoder: FrameDecoder
    private let frame: FrameBuffer

    /// Opens the first video stream that is not a cover image.
    ///
    /// - Parameters:
    ///   - demuxer: The file, at its beginning, with a complete description of its streams.
    ///   - keyFramesOnly: `true` to decode frames that need no others, which is faster.
    ///   - limits: The limit for frames.
    ///   - cancellation: Cancels reading.
    /// - Throws: `UndertextError` with code `not-found` if there is no video; `unsupported` or `malformed` if it cannot be
    ///   decoded.
    package init(
        _ demuxer: FFmpegDemuxer, keyFramesOnly: Bool, limits: Limits = Limits(),
        cancellation: Cancellation? = nil
    ) throws(UndertextError) {
        guard let stream = demuxer.description.streams.first(where: { $0.kind == .video }),
            let context = unsafe demuxer.context.pointer,
            let raw = unsafe context.pointee.streams?[stream.index],
            let parameters = unsafe raw.pointee.codecpar
        else { throw UndertextError(.notFound, "the input has no video") }
        self.stream = stream
        let library = try FFmpegLibrary.load()
        decoder = try FrameDecoder(
            unsafe try CodecContext.open(
                video: parameters, timeBase: raw.pointee.time_base, mostPixels: limits.videoFrame,
                library),
            of: demuxer, keyFramesOnly: keyFramesOnly, cancellation: cancellation, library)
        frame = try FrameBuffer.make(library)
        demuxer.select([stream.index])
    }

    /// The next frame with a known time, or `nil` at the end.
    ///
    /// - Throws: `UndertextError`: reading failed, was cancelled, or the pixel format has no luma.
    package func next() throws(UndertextError) -> Frame? {
        while try decoder.next(into: frame) {
            guard let time = frame.time(in: stream.timeBase) else { continue }
            guard let luma = luma() else {
                throw UndertextError(
                    .unsupported, "the pixel format of the video has no luma that can be read",
                    streamIndex: stream.index)
            }
            return Frame(time: time, luma: luma)
        }
        return nil
    }

    /// The pixel formats whose first plane is luma, with the bits beyond eight.
    private static let formats: [(format: AVPixelFormat, shift: Int)] = [
        (AV_PIX_FMT_YUV420P, 0), (AV_PIX_FMT_YUVJ420P, 0), (AV_PIX_FMT_YUV422P, 0),
        (AV_PIX_FMT_YUVJ422P, 0), (AV_PIX_FMT_YUV444P, 0), (AV_PIX_FMT_YUVJ444P, 0),
        (AV_PIX_FMT_YUV440P, 0), (AV_PIX_FMT_YUVJ440P, 0), (AV_PIX_FMT_YUV411P, 0),
        (AV_PIX_FMT_YUVJ411P, 0), (AV_PIX_FMT_YUV410P, 0), (AV_PIX_FMT_YUVA420P, 0),
        (AV_PIX_FMT_YUVA422P, 0), (AV_PIX_FMT_YUVA444P, 0), (AV_PIX_FMT_NV12, 0),
        (AV_PIX_FMT_NV21, 0),
        (AV_PIX_FMT_GRAY8, 0), (AV_PIX_FMT_YUV420P10LE, 2), (AV_PIX_FMT_YUV422P10LE, 2),
        (AV_PIX_FMT_YUV444P10LE, 2), (AV_PIX_FMT_YUVA444P10LE, 2), (AV_PIX_FMT_GRAY10LE, 2),
        (AV_PIX_FMT_YUV420P12LE, 4), (AV_PIX_FMT_YUV422P12LE, 4), (AV_PIX_FMT_YUV444P12LE, 4),
    ]

    /// The means of the blocks of the frame; `nil` if it has no luma.
    private func luma() -> [UInt8]? {
        let format = unsafe AVPixelFormat(rawValue: frame.pointer.pointee.format)
        let (width, height) = unsafe (
            Int(frame.pointer.pointee.width), Int(frame.pointer.pointee.height)
        )
        let stride = unsafe Int(frame.pointer.pointee.linesize.0)
        guard let shift = Self.formats.first(where: { $0.format == format })?.shift,
            let plane = unsafe frame.pointer.pointee.data.0,
            width > 0, height > 0, abs(stride) >= width * (shift > 0 ? 2 : 1)
        else { return nil }
        var result = [UInt8](repeating: 0, count: Self.width * Self.height)
        for row in 0..<Self.height {
            let rows = Self.samples(row, of: Self.height, in: height)
            for column in 0..<Self.width {
                let columns = Self.samples(column, of: Self.width, in: width)
                var (sum, count) = (0, 0)
                for y in rows {
                    let line = unsafe plane + y * stride
                    for x in columns {
                        if shift == 0 {
                            sum += unsafe Int(line[x])
                        } else {
                            let value = unsafe Int(line[2 * x]) | Int(line[2 * x + 1]) << 8
                            sum += min(value >> shift, 255)
                        }
                        count += 1
                    }
                }
                result[row * Self.width + column] = UInt8(sum / max(1, count))
            }
        }
        return result
    }

    /// The positions of at most eight samples of a block.
    private static func samples(_ block: Int, of blocks: Int, in size: Int) -> StrideTo<Int> {
        let first = block * size / blocks
        let end = min(size, max(first + 1, (block + 1) * size / blocks))
        return Swift.stride(from: first, to: end, by: max(1, (end - first) / 8))
    }
}
