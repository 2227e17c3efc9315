package import UndertextCore
internal import UndertextFFmpeg

/// The images of a file's video, one at a time, to lay subtitles over.
///
/// Not `Sendable`: one thread at a time.
package final class VideoImages {
    /// An image of the video in the requested size.
    package struct Image: Hashable, Sendable {
        /// Its size.
        package let size: PixelSize
        /// R, G, B, A row by row; A is 255.
        package let rgba: [UInt8]
        /// The start of its display, on the clock of ``Media/Options/timeline``.
        package let time: Timestamp?
    }

    /// The pixels as they are stored.
    package let storedSize: PixelSize
    /// The width of a pixel divided by its height.
    package let pixelAspect: Double

    private let reader: VideoFrameReader
    private let timeline: TimelineMapping

    init(_ reader: VideoFrameReader, _ timeline: TimelineMapping) throws(UndertextError) {
        guard let size = reader.stream.size else {
            throw UndertextError(
                .unsupported, "the size of the video is unknown",
                streamIndex: reader.stream.index)
        }
        self.reader = reader
        self.timeline = timeline
        storedSize = size
        pixelAspect = reader.pixelAspect
    }

    /// The size in which the video is shown, in square pixels: no side is made smaller, none is larger than 8192.
    package var displaySize: PixelSize {
        let aspect = min(max(pixelAspect, 0.01), 100)
        var width = Double(storedSize.width) * max(1, aspect)
        var height = Double(storedSize.height) / min(1, aspect)
        let excess = max(1, width / 8192, height / 8192)
        (width, height) = (width / excess, height / excess)
        return PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    }

    /// The image on screen at a time: the last one that begins at or before it, otherwise the first.
    ///
    /// Images are not rotated, deinterlaced or tone mapped.
    ///
    /// - Parameters:
    ///   - time: the time, on the clock of ``Media/Options/timeline``.
    ///   - size: the size of the result, in any aspect ratio; 1 to 8192 per side.
    /// - Returns: the image.
    /// - Throws: `UndertextError`: reading or decoding failed, or would exceed `Limits/videoDecoding`.
    package func image(
        at time: Timestamp, scaledTo size: PixelSize
    ) throws(UndertextError) -> Image {
        let frame = try reader.frame(at: timeline.stored(time))
        return Image(
            size: size, rgba: try frame.rgba(scaledTo: size), time: frame.time.map(timeline.mapped))
    }
}

extension Media {
    /// The images of the first video that is no cover.
    ///
    /// - Throws: `UndertextError`: there is no video (`UndertextError/Code/notFound`), or the input is a pipe, of
    ///   which nothing is left (`UndertextError/Code/unsupported`).
    package func videoImages() throws(UndertextError) -> VideoImages {
        do throws(UndertextError) {
            guard description.streams.contains(where: { $0.kind == .video }) else {
                throw UndertextError(.notFound, "the input has no video")
            }
            guard source != nil else {
                throw UndertextError(
                    .unsupported,
                    "its video cannot be read a second time; save it to a file first")
            }
            let access = access
            let reader = try VideoFrameReader(
                limits: options.limits, cancellation: options.cancellation
            ) { () throws(UndertextError) in try access.demuxer(depth: .full) }
            return try VideoImages(reader, timeline)
        } catch {
            var located = error
            located.path = located.path ?? input.argument
            throw located
        }
    }
}
