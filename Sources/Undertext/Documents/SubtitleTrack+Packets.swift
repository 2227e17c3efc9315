package import UndertextCore

extension SubtitleTrack {
    /// A packet of a track with the cues that it finishes.
    package struct DecodedPacket {
        /// The packet; `nil` for the cues that the end of the track finishes.
        package let packet: Packet?
        /// The start of the packet on the clock of ``Media/Options/timeline``, or `nil` if it states none.
        package let start: Timestamp?
        /// The cues, which may be those of earlier packets.
        package let cues: [Cue]
    }

    /// Reads and decodes all packets of the track.
    ///
    /// - Parameters:
    ///   - cancellation: Stops the reading from another thread.
    ///   - progress: Called ten times a second on a background thread.
    ///   - diagnostics: Gets what was found damaged or doubtful.
    ///   - body: Called with each packet in the order of the input, then with the cues that were pending.
    /// - Returns: The properties of the whole track.
    /// - Throws: `UndertextError` as ``cueReader(in:)``; with code `cancelled` if it was stopped.
    package func decodePackets(
        cancellation: Cancellation? = nil,
        progress: (@Sendable (ExtractionProgress) -> Void)? = nil,
        diagnostics: (Diagnostic) -> Void, body: (DecodedPacket) -> Void
    ) throws(UndertextError) -> SubtitleHeader {
        let reporter = progress.map { ProgressReporter(inputCount: 1, $0) }
        defer { reporter?.stop() }
        reporter?.begin(media.input, at: 0)
        reporter?.follow(media)
        return try media.exclusively { () throws(UndertextError) in
            let found = DiagnosticSink()
            let track = try media.opened(self)
            var decoder = try track.decoder(diagnostics: found)
            let reader = try media.packetReader(of: [track])
            while let packet = try reader.nextPacket() {
                if cancellation?.isCancelled == true {
                    throw UndertextError(.cancelled, "stopped", path: media.input.argument)
                }
                guard packet.streamIndex == track.id else { continue }
                let start = packet.start.map(media.timeline.mapped)
                body(DecodedPacket(packet: packet, start: start, cues: decoder.decode(packet)))
                for diagnostic in found.take() + reader.takeDiagnostics() {
                    diagnostics(diagnostic)
                }
            }
            body(DecodedPacket(packet: nil, start: nil, cues: decoder.finish()))
            for diagnostic in found.take() + reader.takeDiagnostics() { diagnostics(diagnostic) }
            return decoder.header
        }
    }
}

extension Media {
    /// The text of a text file as it is parsed, UTF-8, to which the positions of its packets refer; `nil` for other inputs.
    package var parsedText: [UInt8]? { (demuxer as? TextFileDemuxer)?.parsedText }
}
