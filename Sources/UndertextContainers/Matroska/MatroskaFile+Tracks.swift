internal import UndertextCore

extension MatroskaFile {
    /// The packetizers of these streams' blocks, by TrackNumber.
    ///
    /// - Parameters:
    ///   - streams: The streams.
    ///   - decodes: Whether frames are decoded; otherwise frames that cannot be decoded stay as they are stored.
    /// - Returns: The packet producers by TrackNumber.
    /// - Throws: ``UndertextError`` with code `unsupported` if a stream is no track or its data cannot
    ///   be decoded.
    func trackPackets(
        for streams: Set<Int>, decodes: Bool = true
    ) throws(UndertextError) -> [UInt64: BlockPacketizer] {
        var producers: [UInt64: BlockPacketizer] = [:]
        for stream in streams.sorted() {
            guard tracks.indices.contains(stream) else {
                throw UndertextError(
                    .unsupported, "the stream is not a track", path: window.source.name,
                    streamIndex: stream)
            }
            var track = tracks[stream]
            if let name = track.encodings.unsupportedForFrames {
                guard decodes else {
                    track.encodings = []
                    producers[track.number] = packets(of: track, stream)
                    continue
                }
                throw UndertextError(
                    .unsupported, "the track is encoded with \(name), which is not supported",
                    path: window.source.name, streamIndex: stream)
            }
            producers[track.number] = packets(of: track, stream)
        }
        return producers
    }

    private func packets(of track: TrackEntry, _ stream: Int) -> BlockPacketizer {
        BlockPacketizer(
            track, stream: description.streams[stream], segmentScale: info.timestampScale,
            limits: limits)
    }

    /// The reason why blocks cannot be assigned to a stream, as a sentence; `nil` if they can.
    package func ambiguity(ofStream stream: Int) -> String? {
        let number = tracks[stream].number
        guard tracks.count(where: { $0.number == number }) > 1 else { return nil }
        return "Several tracks have the number of stream \(stream)."
    }
}
