package import UndertextCore

extension MatroskaFile {
    /// The packets of some streams, found by a walk over the headers of all blocks.
    ///
    /// It needs no index and no proof: every block is examined, and only those of the selected streams are
    /// read.
    ///
    /// - Parameters:
    ///   - streams: the streams.
    ///   - isIndexed: `true` if the index was proved to name every block of the streams: blocks that the walk
    ///     does not find are reported.
    ///   - source: another source of the same file; `nil` for the file's own one.
    ///   - decodes: `true` to undo the encodings of frames. Otherwise frames with unsupported encodings are
    ///     returned as stored, to be counted.
    ///   - diagnostics: the sink for damage.
    ///   - puller: chooses the thread on which blocks are read; `source` then belongs to that thread.
    /// - Returns: the reader.
    /// - Throws: ``UndertextError`` with code `unsupported` if a stream is not a track, shares its number with
    ///   another one, or has an unsupported encoding.
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
        let table = TrackTable(producers)
        let batcher = BlockBatcher(finder, tracks: table, found: found)
        return MatroskaPacketReader(
            pull: puller(batcher.nextBatch), tracks: table, diagnostics: diagnostics)
    }

    /// Scouts that go ahead of a ``walkingReader(for:isIndexed:source:decodes:diagnostics:puller:)``.
    ///
    /// - Throws: ``UndertextError`` as the reader does.
    package func scouts(for streams: Set<Int>) throws(UndertextError) -> ClusterScouts {
        ClusterScouts(
            from: layout.firstBlocks, tracks: Set(try walkedTracks(streams, decodes: true).keys),
            limits: limits)
    }

    /// The packets of some streams, found by the same walk over bytes that arrive in order and only once.
    ///
    /// Each packet is returned as soon as its block has arrived. After damage, the walk looks at most 16 MiB
    /// ahead.
    ///
    /// - Parameters:
    ///   - streams: The streams.
    ///   - stream: The bytes of the file.
    ///   - offset: The offset of the next byte of `stream` in the file, at most ``firstBlocks``.
    ///   - decodes: As for ``walkingReader(for:isIndexed:source:decodes:diagnostics:puller:)``.
    ///   - diagnostics: The sink for damage.
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
        let table = TrackTable(producers)
        let batcher = BlockBatcher(walker, tracks: table, found: found)
        return MatroskaPacketReader(
            pull: { batcher.nextBatch(hasTime: false) }, tracks: table, diagnostics: diagnostics)
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

    /// The offset of the first possible block.
    ///
    /// If only the beginning of a file is available, attachments may extend beyond it.
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
