package import UndertextCore
internal import UndertextFFmpeg

extension Media {
    /// The audio stream whose speech is best compared with subtitles; `nil` if there is no audio.
    ///
    /// It has the dialogue rather than a commentary, a description or music, and is the default.
    package var bestAudio: StreamDescription? {
        let others: Disposition = [
            .comment, .visualImpaired, .cleanEffects, .karaoke, .lyrics, .dependent,
        ]
        let streams = description.streams.filter { $0.kind == .audio }
        let dialogue = streams.filter { $0.disposition.isDisjoint(with: others) }
        return dialogue.first { $0.disposition.contains(.default) } ?? dialogue.first
            ?? streams.first
    }

    /// Decodes an audio stream into one channel.
    ///
    /// - Parameters:
    ///   - index: The index of the stream.
    ///   - cancellation: Stops the reading from another thread.
    ///   - progress: Called ten times a second.
    ///   - body: Receives samples (full scale is 1), the samples per second, and the time of the first one on the clock of
    ///     ``Media/Options/timeline`` if it is known; returns `false` to end the reading.
    /// - Returns: The number of packets that could not be decoded.
    /// - Throws: `UndertextError`: there is no such audio, its codec has no decoder, or reading failed; `unsupported` for a
    ///   pipe, of which nothing is left, and for a presentation.
    package func readAudio(
        stream index: Int, cancellation: Cancellation? = nil,
        progress: ((ExtractionProgress) -> Void)? = nil,
        _ body: (_ samples: [Float], _ rate: Int, _ time: Timestamp?) -> Bool
    ) throws(UndertextError) -> Int {
        try decode("audio", progress: progress) { demuxer, report throws(UndertextError) in
            let reader = try AudioReader(demuxer, stream: index, cancellation: cancellation)
            while let block = try reader.next(),
                body(block.samples, block.rate, block.time.map(timeline.mapped))
            {
                report()
            }
            return reader.damagedPackets
        }
    }
}
