internal import UndertextCharsets
internal import UndertextContainers
internal import UndertextFFmpeg
internal import UndertextFormats
internal import UndertextIO
internal import UndertextStreaming

extension MediaFile {
    /// Opens a reader for the packets of `streams`, by the cheapest path that misses none of them.
    ///
    /// The index if there is a proof that it names every block, else the walk over the headers of all
    /// blocks or transport packets, else a scan.
    ///
    /// - Parameters:
    ///   - streams: the streams' indices, as probe prints them.
    ///   - window: only packets that are needed to show what is on screen in this part, on the clock
    ///     of ``Options/timeline``. Those that began before and last into it come too, and of
    ///     display sets that build on each other (PGS, DVB) those from the last entry point on.
    /// - Returns: the reader.
    /// - Throws: `UndertextError`; where ``Options/io`` asks for one path, also when that cannot be
    ///   taken.
    public func packets(
        of streams: Set<Int>, in window: TimeWindow = .all
    ) throws(UndertextError) -> TrackPacketReader {
        if let samplesAreBehind { throw samplesAreBehind }
        let window = timeline.stored(window)
        var refused: [ReadSummary.Refusal] = []
        var rungs: [FallbackPacketReader.Rung] = []
        // What libavformat read to describe the input counts too.
        let opened = OpenedReaders(describer: demuxer)
        switch self.opened {
        case .images(let folder):
            rungs.append(
                .init(path: .file) { () throws(UndertextError) in
                    folder.reader(limits: self.options.limits, window: window)
                })
            return try reader(rungs, refused, proof: nil, opened, streams, window)
        case .text(let text):
            rungs.append(
                .init(path: .file) { () throws(UndertextError) in
                    let folder = self.access.localPath.map(PathName.directoryName)
                    let reader = text.packetReader(folder: folder)
                    opened.walkStatistics = { text.pipeStatistics }
                    return window.isAll && text.description.streams.count == 1
                        ? reader : TextWindow(reader, window, streams)
                })
            return try reader(rungs, refused, proof: nil, opened, streams, .all)
        case .presentation(let presentation):
            if options.io == .walk || options.io == .scan {
                throw UndertextError(
                    .unsupported,
                    "a presentation is read by its playlists; leave out --io \(options.io.rawValue)",
                    path: input.argument)
            }
            rungs.append(
                .init(path: .index) { () throws(UndertextError) in
                    opened.walkStatistics = { presentation.statistics }
                    return presentation.reader(
                        for: streams, window: window, following: self.options.liveDuration,
                        stop: self.options.followingStop)
                })
            return try reader(rungs, refused, proof: nil, opened, streams, window)
        case .matroska, .vobSub, .sup, .other: break
        }
        let proof = try addIndex(to: &rungs, streams, window, &refused, opened)
        addWalk(to: &rungs, streams, window, &refused, opened, isIndexed: proof != nil)
        try addPipe(to: &rungs, streams, &refused, opened)
        addScan(to: &rungs, streams, window, opened)
        return try reader(rungs, refused, proof: proof, opened, streams, window)
    }

    /// The reader that takes the first of `rungs` that works.
    private func reader(
        _ rungs: [FallbackPacketReader.Rung], _ refused: [ReadSummary.Refusal], proof: String?,
        _ opened: OpenedReaders, _ streams: Set<Int>, _ window: TimeWindow
    ) throws(UndertextError) -> TrackPacketReader {
        let reader: FallbackPacketReader
        let sampled = description.streams.filter {
            streams.contains($0.index) && $0.isSampled
        }
        let unpacking = rungs.map { rung in
            FallbackPacketReader.Rung(path: rung.path) { () throws(UndertextError) in
                SampleUnpackingReader(try rung.open(), sampled)
            }
        }
        do throws(UndertextError) {
            reader = try FallbackPacketReader(sampled.isEmpty ? rungs : unpacking, refused: refused)
        } catch {
            guard error.code == .unsupported, options.io == .index || options.io == .walk else {
                throw error
            }
            let name = options.io.rawValue
            var reason = refused.last?.reason ?? error.message
            if reason.hasSuffix(".") { reason.removeLast() }
            throw UndertextError(
                .unsupported, "the \(name) cannot be used: \(reason); leave out --io \(name)",
                path: input.argument)
        }
        var preparation: PacketTextPreparation?
        switch self.opened {
        case .text: break
        case .presentation:
            // Its text is UTF-8 by both standards.
            preparation = PacketTextPreparation(
                charset: nil, hook: options.textHook, streams: description.streams)
        case .matroska, .images, .vobSub, .sup, .other:
            preparation = PacketTextPreparation(
                charset: options.charset ?? packetCharset?.name, hook: options.textHook,
                streams: description.streams)
        }
        var companion: (any ByteSource)?
        if case .vobSub(let pair) = self.opened { companion = pair.companion }
        return TrackPacketReader(
            reader: reader, proof: proof,
            statistics: { [access, companion] in
                let known =
                    access.statistics(with: opened.demuxer) + opened.walkStatistics()
                    + (companion?.statistics ?? .init())
                return opened.inBackground.reduce(known) { $0 + $1.statistics }
            },
            lost: { isWhole in self.lost(opened, isWhole: isWhole) },
            window: window.isAll
                ? nil
                : PacketWindow(
                    window, streams: description.streams.filter { streams.contains($0.index) },
                    limit: options.limits.packetSize),
            streams: description.streams, preparation: preparation,
            isOrdered: !isTextFile)
    }

    /// What turned out to be missing when the reading ended; `isWhole` if that was the end of the input.
    private func lost(_ opened: OpenedReaders, isWhole: Bool) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        do throws(UndertextError) {
            diagnostics += try opened.check?.losses(isWhole: isWhole) ?? []
        } catch {
            diagnostics.append(
                Diagnostic(.error, error.code.name, error.description, byteOffset: error.byteOffset)
            )
        }
        if isWhole { diagnostics += opened.count?.losses ?? [] }
        if isWhole, opened.scan != nil, pipe?.isCutWithinBox == true {
            diagnostics.append(
                Diagnostic(
                    .error, "truncated", "the input is cut off: it ends within a box",
                    byteOffset: pipe?.statistics.bytesRead))
        }
        // libavformat takes any end for the end of the input.
        let bytes = isWhole ? missing(opened) : 0
        guard bytes > 0 else { return diagnostics }
        diagnostics.append(
            Diagnostic(
                .error, "truncated",
                "the input ended \(bytes) bytes before its end: it was cut off, or became shorter "
                    + "while it was read"))
        return diagnostics
    }

    /// How many bytes of the input turned out to be missing at its end.
    private func missing(_ opened: OpenedReaders) -> UInt64 {
        guard let sizeToReach else { return 0 }
        let size: UInt64
        if let file = source as? FileSource {
            size = file.currentSize
        } else if source == nil, let reached = opened.reached() {
            size = reached
        } else {
            return 0
        }
        return sizeToReach - min(size, sizeToReach)
    }

    /// Adds the index if it can be relied on; returns its proof.
    private func addIndex(
        to rungs: inout [FallbackPacketReader.Rung], _ streams: Set<Int>, _ window: TimeWindow,
        _ refused: inout [ReadSummary.Refusal], _ opened: OpenedReaders
    ) throws(UndertextError) -> String? {
        guard options.io == .auto || options.io == .index else { return nil }
        if let mp4 {
            addSampleTables(of: mp4, to: &rungs, streams, window, &refused)
            return nil
        }
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
                .init(path: .index) { () throws(UndertextError) in
                    let blocks = BackgroundReading(source, self.options.cancellation, sparse: true)
                    let reader = try matroska.packetReader(
                        for: streams, window: self.indexWindow(window, streams),
                        source: blocks.source, puller: blocks.pull)
                    if blocks.source != nil { opened.inBackground.append(reader) }
                    return reader
                })
            return proof.rawValue
        }
    }

    private func addWalk(
        to rungs: inout [FallbackPacketReader.Rung], _ streams: Set<Int>, _ window: TimeWindow,
        _ refused: inout [ReadSummary.Refusal], _ opened: OpenedReaders, isIndexed: Bool
    ) {
        guard options.io == .auto || options.io == .walk else { return }
        if let mp4 {
            addFragments(of: mp4, to: &rungs, streams, window, &refused, opened)
        } else if let source, matroska != nil, options.io == .auto, source.policy.concurrency > 1 {
            rungs.append(
                .init(path: .walk) { () throws(UndertextError) in
                    throw UndertextError(
                        .unsupported,
                        "a request for the header of each block takes longer there than reading "
                            + "everything")
                })
        } else if let matroska, let source {
            rungs.append(
                .init(path: .walk) { () throws(UndertextError) in
                    let blocks = BackgroundReading(source, self.options.cancellation)
                    let reader = try matroska.walkingReader(
                        for: streams, isIndexed: isIndexed, source: blocks.source,
                        puller: blocks.pull)
                    if blocks.source != nil { opened.inBackground.append(reader) }
                    return reader
                })
        } else if isTransportStream {
            rungs.append(
                .init(path: .walk) { () throws(UndertextError) in
                    let reader = try self.transportReader(
                        for: streams, window: self.indexWindow(window, streams))
                    opened.walkStatistics = { reader.statistics }
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

    /// Adds our own reader of Matroska for what is read from its beginning to its end.
    ///
    /// Of a pipe it is the only one: libavformat would have to read the same bytes.
    private func addPipe(
        to rungs: inout [FallbackPacketReader.Rung], _ streams: Set<Int>,
        _ refused: inout [ReadSummary.Refusal], _ opened: OpenedReaders
    ) throws(UndertextError) {
        guard options.io == .auto || options.io == .scan else { return }
        // Comparing what libavformat reads would take every byte twice.
        if let matroska, matroska.isDearToWalk {
            rungs.append(
                .init(path: .scan) { () throws(UndertextError) in
                    try matroska.streamingReader(for: streams)
                })
        }
        guard let piped else { return }
        do throws(UndertextError) {
            let reader = try piped.reader(for: streams)
            rungs.append(
                .init(path: .scan) {
                    opened.walkStatistics = { [demuxer = self.demuxer] in
                        piped.statistics - (demuxer?.statistics ?? .init())
                    }
                    opened.reached = { piped.statistics.bytesRead }
                    return reader
                })
        } catch {
            guard error.code == .unsupported else { throw error }
            refused.append(.init(path: .walk, reason: error.message))
        }
    }

    private func addScan(
        to rungs: inout [FallbackPacketReader.Rung], _ streams: Set<Int>, _ window: TimeWindow,
        _ opened: OpenedReaders
    ) {
        guard options.io == .auto || options.io == .scan else { return }
        if case .vobSub(let pair) = self.opened {
            rungs.append(
                .init(path: .file) { pair.file.packetReader(for: streams, window: window) })
            return
        }
        if case .sup(let sup) = self.opened, options.io == .auto {
            rungs.append(
                .init(path: .file) { () throws(UndertextError) in
                    sup.packetReader()
                })
            return
        }
        let isSubtitleFile = description.streams.allSatisfy(\.kind.isSubtitle)
        rungs.append(
            .init(path: isSubtitleFile ? .file : .scan) { () throws(UndertextError) in
                try self.refuseCrowdedFragments()
                let reader = try self.scanner(for: streams)
                opened.scan = reader
                opened.reached = { reader.statistics.bytesRead }
                // What a packet says itself may last longer than the sample that it is.
                let reach = self.longestOwnEnd(of: streams)
                self.skip(to: window.start?.advanced(by: .zero - reach), in: reader, streams)
                guard let matroska = self.matroska else {
                    let isMP4 = self.description.formatName.hasPrefix("mov,")
                    let bounded = isMP4 ? self.size.map { MP4ScanReader(reader, size: $0) } : nil
                    let counted = CountedScan(
                        try self.edited(bounded ?? reader, streams),
                        expected: window.isAll ? self.sampleCounts(streams) : [:])
                    opened.count = counted
                    return counted
                }
                let checked = CheckedScan(reader, of: matroska, streams)
                opened.check = checked
                return checked
            })
    }

    /// Leaves out what lies before `start` where the container indexes each track by itself.
    ///
    /// Elsewhere libavformat goes to an image of the video, and cues that began before are lost.
    private func skip(to start: Timestamp?, in reader: FFmpegDemuxer, _ streams: Set<Int>) {
        // Cues of samples may begin in earlier ones, and edits are another clock.
        guard let start, description.formatName.hasPrefix("mov,"), let stream = streams.min(),
            !hasEditedTables(streams),
            !description.streams.contains(where: { streams.contains($0.index) && $0.isSampled })
        else { return }
        // Where it fails everything is read.
        try? reader.seek(to: start, stream: stream)
    }

    /// A reader that goes through the whole input.
    private func scanner(for streams: Set<Int>) throws(UndertextError) -> FFmpegDemuxer {
        guard (matroska ?? piped?.file)?.isBeyondLimits != true else {
            throw UndertextError(
                .limit, "its headers hold more than libavformat could read in reasonable time",
                path: input.argument)
        }
        let opened: FFmpegDemuxer
        if source != nil, hasEditedTables(streams) {
            // What it takes for cut away is not read, whatever we know of it.
            opened = try access.demuxer(depth: .headers, options: ["ignore_editlist": "1"])
        } else if let demuxer {
            opened = demuxer
            attachmentReader = demuxer
            self.demuxer = nil
        } else {
            opened = try access.demuxer(depth: .headers)
        }
        opened.select(streams)
        return opened
    }
}
