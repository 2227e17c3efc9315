package import UndertextCore
internal import UndertextFFmpeg

extension Media {
    /// Decodes the video into small gray images of 64 × 36 pixels.
    ///
    /// - Parameters:
    ///   - keyFramesOnly: `true` to decode key frames only, which is faster.
    ///   - cancellation: Stops the reading from another thread.
    ///   - progress: Called ten times a second.
    ///   - body: Receives the pixels row by row and the time on the clock of ``Media/Options/timeline``.
    /// - Returns: The number of packets that could not be decoded.
    /// - Throws: `UndertextError`: there is no video, it has no decoder, or reading failed; `unsupported` for a pipe, of which
    ///   nothing is left, and for a presentation.
    package func readLuma(
        keyFramesOnly: Bool, cancellation: Cancellation? = nil,
        progress: ((ExtractionProgress) -> Void)? = nil,
        _ body: (_ luma: [UInt8], _ time: Timestamp) -> Void
    ) throws(UndertextError) -> Int {
        do throws(UndertextError) {
            let demuxer = try demuxerForDecoding("video")
            let reader = try LumaReader(
                demuxer, keyFramesOnly: keyFramesOnly, limits: options.limits,
                cancellation: cancellation)
            var ticker = DecodingProgress(input: input, size: size)
            while let frame = try reader.next() {
                body(frame.luma, timeline.mapped(frame.time))
                if let progress { ticker.report(demuxer.position, progress) }
            }
            return reader.damagedPackets
        } catch {
            var located = error
            located.path = located.path ?? input.argument
            throw located
        }
    }

    /// libavformat on an input that can be read a second time, to decode a part of it.
    func demuxerForDecoding(_ part: String) throws(UndertextError) -> FFmpegDemuxer {
        guard source != nil else {
            throw UndertextError(
                .unsupported,
                isPresentation
                    ? "the \(part) of a presentation cannot be read"
                    : "its \(part) cannot be read a second time; save it to a file first")
        }
        return try access.demuxer(depth: .full)
    }
}

/// Reports the progress of decoding, at most ten times a second.
struct DecodingProgress {
    private var progress: ExtractionProgress
    private let size: UInt64?
    private var reported = ContinuousClock.now

    init(input: MediaInput, size: UInt64?) {
        progress = ExtractionProgress(
            input: withoutSecrets(input.argument), inputIndex: 0, inputCount: 1)
        self.size = size
    }

    /// Reports an offset in the input if it is time to.
    mutating func report(_ position: UInt64?, _ body: (ExtractionProgress) -> Void) {
        guard ContinuousClock.now - reported >= .milliseconds(100) else { return }
        reported = .now
        progress.position = position
        if let position, let size, size > 0 {
            progress.fraction = min(1, Double(position) / Double(size))
        }
        body(progress)
    }
}
