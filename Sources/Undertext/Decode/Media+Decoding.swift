internal import UndertextCore
internal import UndertextFFmpeg

extension Media {
    /// Reads the input once more with libavformat, to decode its audio or video from the beginning.
    ///
    /// - Parameters:
    ///   - part: What is decoded, for messages.
    ///   - progress: Called ten times a second.
    ///   - body: Decodes; calls its second argument after each frame.
    /// - Returns: The result of `body`.
    /// - Throws: `UndertextError` of `body`; `unsupported` for a pipe, of which nothing is left, and for a presentation.
    func decode<Result>(
        _ part: String, progress: ((ExtractionProgress) -> Void)?,
        _ body: (FFmpegDemuxer, _ report: () -> Void) throws(UndertextError) -> Result
    ) throws(UndertextError) -> Result {
        do throws(UndertextError) {
            guard source != nil else {
                throw UndertextError(
                    .unsupported,
                    isPresentation
                        ? "the \(part) of a presentation cannot be read"
                        : "its \(part) cannot be read a second time; save it to a file first")
            }
            let demuxer = try access.demuxer(depth: .full)
            var ticker = DecodingProgress(input: input, size: size)
            return try body(demuxer) {
                if let progress { ticker.report(demuxer.position, progress) }
            }
        } catch {
            var located = error
            located.path = located.path ?? input.argument
            throw located
        }
    }
}

/// Reports the progress of decoding, at most ten times a second.
private struct DecodingProgress {
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
