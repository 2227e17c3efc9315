internal import Containers
internal import Demux
internal import SystemIO

extension MediaFile {
    /// Opens a reader for the packets of `streams`, by the cheapest path that misses none of them.
    ///
    /// The index if there is a proof that it names every block, else the walk over the headers of all
    /// blocks or transport packets, else a scan.
    ///
    /// - Throws: `MediaError`; where ``Options/io`` asks for one path, also when that cannot be
    ///   taken.
    public func packets(of streams: Set<Int>) throws(MediaError) -> TrackPacketReader {
        var refused: [ReadSummary.Refusal] = []
        var rungs: [FallingBackReader.Rung] = []
        // What libavformat read to describe the input counts too.
        let opened = OpenedReaders(describer: demuxer)
        let proof = try addIndex(to: &rungs, streams, &refused, opened)
        addWalk(to: &rungs, streams, &refused, opened)
        addScan(to: &rungs, streams, opened)
        let reader: FallingBackReader
        do throws(MediaError) {
            reader = try FallingBackReader(rungs, refused: refused)
        } catch {
            guard error.code == .unsupported, options.io == .index || options.io == .walk else {
                throw error
            }
            let name = options.io.rawValue
            let reason = refused.last?.reason ?? error.message
            throw MediaError(
                .unsupported, "the \(name) cannot be used: \(reason); leave out --io \(name)",
                path: input.argument)
        }
        return TrackPacketReader(
            reader: reader, proof: proof,
            statistics: { [source] in
                opened.statistics + (source?.statistics ?? .init())
            },
            position: { opened.scan?.position ?? opened.walkPosition() })
    }

    /// Readers that tell how far they are, and what they asked for besides the file's own source.
    private final class OpenedReaders {
        /// Only where the index is read from a source of its own.
        var index: IndexedPacketReader?
        var walkPosition: () -> UInt64? = { nil }
        var scan: Demuxer?

        private let describer: Demuxer?

        init(describer: Demuxer?) { self.describer = describer }

        var statistics: ReadStatistics {
            (index?.statistics ?? .init()) + ((scan ?? describer)?.statistics ?? .init())
        }
    }

    /// Adds the index if it can be relied on; returns its proof.
    private func addIndex(
        to rungs: inout [FallingBackReader.Rung], _ streams: Set<Int>,
        _ refused: inout [ReadSummary.Refusal], _ opened: OpenedReaders
    ) throws(MediaError) -> String? {
        guard options.io == .auto || options.io == .index else { return nil }
        guard let matroska, let source else {
            let reason = matroskaRefusal ?? "the container has no index that we read"
            refused.append(.init(path: .index, reason: reason))
            return nil
        }
        switch try matroska.index(for: streams) {
        case .refused(let reason):
            refused.append(.init(path: .index, reason: reason))
            return nil
        case .usable(let proof):
            rungs.append(
                .init(path: .index) { () throws(MediaError) in
                    let blocks = BackgroundBlocks(source, self.options.cancellation)
                    let reader = try matroska.packetReader(
                        for: streams, source: blocks.source, puller: blocks.pull)
                    if blocks.source != nil { opened.index = reader }
                    return reader
                })
            return proof.rawValue
        }
    }

    private func addWalk(
        to rungs: inout [FallingBackReader.Rung], _ streams: Set<Int>,
        _ refused: inout [ReadSummary.Refusal], _ opened: OpenedReaders
    ) {
        guard options.io == .auto || options.io == .walk else { return }
        if let matroska {
            rungs.append(
                .init(path: .walk) { () throws(MediaError) in
                    let reader = try matroska.walkingReader(for: streams)
                    opened.walkPosition = { reader.position }
                    return reader
                })
        } else if isTransportStream {
            rungs.append(
                .init(path: .walk) { () throws(MediaError) in
                    let reader = try self.transportReader(for: streams)
                    opened.walkPosition = { reader.position }
                    return reader
                })
        } else if let reason = matroskaRefusal {
            refused.append(.init(path: .walk, reason: reason))
        } else if options.io == .walk {
            let reason =
                source == nil
                ? "the input can be read only from its beginning to its end"
                : "it is no Matroska, WebM or transport stream"
            refused.append(.init(path: .walk, reason: reason))
        }
    }

    private func addScan(
        to rungs: inout [FallingBackReader.Rung], _ streams: Set<Int>, _ opened: OpenedReaders
    ) {
        guard options.io == .auto || options.io == .scan else { return }
        let isSubtitleFile = description.streams.allSatisfy(\.kind.isSubtitle)
        rungs.append(
            .init(path: isSubtitleFile ? .file : .scan) { () throws(MediaError) in
                let reader = try self.scanner(for: streams)
                opened.scan = reader
                return reader
            })
    }

    /// A reader that goes through the whole input.
    private func scanner(for streams: Set<Int>) throws(MediaError) -> Demuxer {
        let opened: Demuxer
        if let demuxer {
            opened = demuxer
            attachmentReader = demuxer
            self.demuxer = nil
        } else {
            opened = try InputOpener.demuxer(
                for: input, source: source, options: options, depth: .headers)
        }
        opened.select(streams)
        return opened
    }
}
