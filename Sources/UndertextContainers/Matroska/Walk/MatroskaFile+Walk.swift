package import UndertextCore

extension MatroskaFile {
    /// The packets of these streams by a walk over the headers of all blocks.
    ///
    /// Needs no index and no proof: every block is examined, and only those of the chosen streams
    /// are read.
    ///
    /// - Parameters:
    ///   - streams: the streams.
    ///   - isIndexed: whether the index was proved to name every block of the streams: blocks that the walk
    ///     does not find are reported.
    ///   - source: another source of the same file; the file's own one if it is `nil`.
    ///   - decodes: Whether the encodings of frames are undone. Otherwise frames of encodings that cannot be undone
    ///     come as they are stored, to be counted.
    ///   - diagnostics: gets the damage that the reader finds.
    ///   - puller: decides on which thread blocks are read; then `source` is that thread's.
    /// - Returns: the reader.
    /// - Throws: ``UndertextError`` with code `unsupported` if a stream is no track, shares its number
    ///   with another one, or is stored in a way that cannot be undone.
    package func walkingReader(
        for streams: Set<Int>, isIndexed: Bool = false, source: (any RandomAccessSource)? = nil,
        decodes: Bool = true, diagnostics: DiagnosticSink = .init(),
        puller: BlockBatch.Puller = { make in { make(false) } }
    ) throws(UndertextError) -> MatroskaPacketReader {
        let producers = try walkedTracks(streams, decodes: decodes)
        let found = DiagnosticSink()
        let walker = BlockWalker(
            window: source.map { SourceWindow($0, cancellation: cancellation) } ?? window,
            layout: layout, tracks: Set(producers.keys), known: trackNumbers, limits: limits,
            diagnostics: found)
        let finder: any BlockIterator =
            isIndexed
            ? AuditedWalker(walker, cues: try cues(), tracks: producers, diagnostics: found)
            : walker
        let batcher = BlockBatcher(finder, tracks: producers, found: found)
        return MatroskaPacketReader(
            pull: puller(batcher.nextBatch), tracks: producers, diagnostics: diagnostics)
    }

    /// The packets of these streams by the same walk over bytes that come in order and only once.
    ///
    /// Each packet is handed out as soon as its block has come. After damage the walk looks 16 MiB ahead at most.
    ///
    /// - Parameters:
    ///   - streams: The streams.
    ///   - stream: The bytes of the file.
    ///   - offset: The offset of the next byte of `stream` in the file, at most ``firstBlocks``.
    ///   - decodes: As for ``walkingReader(for:isIndexed:source:decodes:diagnostics:puller:)``.
    ///   - diagnostics: Gets the damage that the reader finds.
    /// - Returns: The reader.
    /// - Throws: ``UndertextError`` as ``walkingReader(for:isIndexed:source:decodes:diagnostics:puller:)``.
    package func forwardReader(
        for streams: Set<Int>, from stream: any SequentialSource, at offset: UInt64,
        decodes: Bool = true, diagnostics: DiagnosticSink = .init()
    ) throws(UndertextError) -> MatroskaPacketReader {
        let producers = try walkedTracks(streams, decodes: decodes)
        let source = ForwardSource(stream, start: offset)
        let found = DiagnosticSink()
        let walker = BlockWalker(
            window: SourceWindow(source, cancellation: cancellation), layout: layout,
            tracks: Set(producers.keys), known: trackNumbers, limits: limits,
            diagnostics: found)
        let batcher = BlockBatcher(walker, tracks: producers, found: found)
        return MatroskaPacketReader(
            pull: { batcher.nextBatch(hasTime: false) }, tracks: producers,
            diagnostics: diagnostics)
    }

    /// The same over the file's own source, which is read from its first block to its end.
    ///
    /// For sources where a request costs more than the bytes between two blocks.
    package func streamingReader(
        for streams: Set<Int>, decodes: Bool = true, diagnostics: DiagnosticSink = .init()
    ) throws(UndertextError) -> MatroskaPacketReader {
        try forwardReader(
            for: streams, from: StreamedSource(window.source, from: firstBlocks), at: firstBlocks,
            decodes: decodes, diagnostics: diagnostics)
    }

    /// The offset from which on there may be blocks.
    ///
    /// Of a file of which only the beginning is there, attachments may reach beyond it.
    package var firstBlocks: UInt64 { layout.firstBlocks }

    private func walkedTracks(
        _ streams: Set<Int>, decodes: Bool
    ) throws(UndertextError) -> [UInt64: BlockPacketizer] {
        let producers = try trackPackets(for: streams, decodes: decodes)
        for stream in streams.sorted() {
            guard let problem = ambiguity(ofStream: stream) else { continue }
            throw UndertextError(
                .unsupported, problem, path: window.source.name, streamIndex: stream)
        }
        return producers
    }
}
