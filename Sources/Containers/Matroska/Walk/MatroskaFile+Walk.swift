public import MediaCore

extension MatroskaFile {
    /// The packets of these streams by a walk over the headers of all blocks.
    ///
    /// Needs no index and no proof: every block is looked at, and only those of the chosen streams
    /// are read.
    ///
    /// - Throws: ``MediaError`` with code `unsupported` if a stream is no track, shares its number
    ///   with another one, or is stored in a way that cannot be undone.
    public func walkingReader(for streams: Set<Int>) throws(MediaError) -> WalkingPacketReader {
        let makers = try trackPackets(for: streams)
        for stream in streams.sorted() {
            guard let problem = ambiguity(ofStream: stream) else { continue }
            throw MediaError(
                .unsupported, problem, path: window.source.name, streamIndex: stream)
        }
        let walker = BlockWalker(
            window: window, layout: layout, tracks: Set(makers.keys), limits: limits)
        return WalkingPacketReader(walker: walker, tracks: makers)
    }
}
