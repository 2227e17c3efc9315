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
        try decode("video", progress: progress) { demuxer, report throws(UndertextError) in
            let reader = try LumaReader(
                demuxer, keyFramesOnly: keyFramesOnly, limits: options.limits,
                cancellation: cancellation)
            while let frame = try reader.next() {
                body(frame.luma, timeline.mapped(frame.time))
                report()
            }
            return reader.damagedPackets
        }
    }
}
