internal import UndertextFFmpeg

/// The pictures of a file's video, one at a time, to lay subtitles over.
///
/// Not `Sendable`: one thread at a time.
public final class VideoPictures {
    /// A picture of the video in the size that was asked for.
    public struct Picture: Hashable, Sendable {
        /// Its size.
        public let size: PixelSize
        /// R, G, B, A row by row; A is 255.
        public let rgba: [UInt8]
        /// When it is shown first, on the clock of ``MediaFile/Options/timeline``.
        public let time: Timestamp?
    }

    /// The pixels as they are stored.
    public let storedSize: PixelSize
    /// The width of a pixel divided by its height.
    public let pixelAspect: Double

    private let reader: VideoFrameReader
    private let timeline: TimelineMapping

    init(_ reader: VideoFrameReader, _ timeline: TimelineMapping) throws(MediaError) {
        guard let size = reader.stream.size else {
            throw MediaError(
                .unsupported, "nothing tells the size of the video",
                streamIndex: reader.stream.index)
        }
        self.reader = reader
        self.timeline = timeline
        storedSize = size
        pixelAspect = reader.pixelAspect
    }

    /// The size in which the video is shown, in square pixels: no side is made smaller, none is larger than 8192.
    public var displaySize: PixelSize {
        let aspect = min(max(pixelAspect, 0.01), 100)
        var width = Double(storedSize.width) * max(1, aspect)
        var height = Double(storedSize.height) / min(1, aspect)
        let excess = max(1, width / 8192, height / 8192)
        (width, height) = (width / excess, height / excess)
        return PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    }

    /// The picture that is shown at a time: the last one that began by then, else the first of all.
    ///
    /// Nothing is turned, deinterlaced or mapped to another range of brightness.
    ///
    /// - Parameters:
    ///   - time: on the clock of ``MediaFile/Options/timeline``.
    ///   - size: the size to make, whatever shape that is; 1 to 8192 a side.
    /// - Returns: the picture.
    /// - Throws: `MediaError`: reading or decoding failed, or would cost more than `Limits/videoDecoding`.
    public func picture(
        at time: Timestamp, scaledTo size: PixelSize
    ) throws(MediaError) -> Picture {
        let frame = try reader.frame(at: timeline.stored(time))
        return Picture(
            size: size, rgba: try frame.rgba(scaledTo: size), time: frame.time.map(timeline.mapped))
    }
}

extension MediaFile {
    /// The pictures of the first video that is no cover.
    ///
    /// - Throws: `MediaError`: there is no video (`MediaError/Code/notFound`), or the input is a pipe, of
    ///   which nothing is left (`MediaError/Code/unsupported`).
    public func videoPictures() throws(MediaError) -> VideoPictures {
        do throws(MediaError) {
            guard description.streams.contains(where: { $0.kind == .video }) else {
                throw MediaError(.notFound, "there is no video in it")
            }
            guard source != nil else {
                throw MediaError(
                    .unsupported,
                    "its video cannot be read a second time; save it to a file first")
            }
            let access = access
            let reader = try VideoFrameReader(
                limits: options.limits, cancellation: options.cancellation
            ) { () throws(MediaError) in try access.demuxer(depth: .full) }
            return try VideoPictures(reader, timeline)
        } catch {
            var located = error
            located.path = located.path ?? input.argument
            throw located
        }
    }
}
