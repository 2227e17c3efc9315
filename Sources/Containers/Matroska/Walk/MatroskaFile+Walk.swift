public import MediaCore

extension MatroskaFile {
    /// The packets of these streams by a walk over the headers of all blocks.
    ///
    /// Needs no index and no proof: every block is looked at, and only those of the chosen streams
    /// are read.
    ///
    /// - Parameters:
    ///   - streams: the streams.
    ///   - source: another source of the same file; the file's own one if it is `nil`.
    ///   - puller: decides on which thread blocks are read; then `source` is that thread's.
    /// - Returns: the reader.
    /// - Throws: ``MediaError`` with code `unsupported` if a stream is no track, shares its number
    ///   with another one, or is stored in a way that cannot be undone.
    public func walkingReader(
        for streams: Set<Int>, source: (any ByteSource)? = nil,
        puller: BlockBatch.Puller = { make in { make(false) } }
    ) throws(MediaError) -> MatroskaPacketReader {
        let makers = try trackPackets(for: streams)
        for stream in streams.sorted() {
            guard let problem = ambiguity(ofStream: stream) else { continue }
            throw MediaError(
                .unsupported, problem, path: window.source.name, streamIndex: stream)
        }
        let walker = BlockWalker(
            window: source.map { SourceWindow($0, cancellation: cancellation) } ?? window,
            layout: layout, tracks: Set(makers.keys), limits: limits)
        let batcher = BlockBatcher(walker, tracks: makers)
        return MatroskaPacketReader(pull: puller(batcher.nextBatch), tracks: makers)
    }
}
