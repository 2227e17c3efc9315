package import UndertextCore

extension MatroskaFile {
    /// `true` if the index names every block of these streams, and how that is known.
    ///
    /// One stream that the index does not cover refuses the whole selection.
    ///
    /// - Throws: ``UndertextError`` with code `io` or `cancelled`.
    package func index(for streams: Set<Int>) throws(UndertextError) -> IndexAssessment {
        let cues = try cues()
        if let problem = cues.problem { return .refused(reason: problem) }
        let statistics = StatisticsProof(info: info, tags: tags)
        var unproven: Set<UInt64> = []
        for stream in streams.sorted() {
            guard tracks.indices.contains(stream) else {
                return .refused(reason: "Stream \(stream) is not a track.")
            }
            let track = tracks[stream]
            if let objection = objection(to: track, stream: stream) {
                return .refused(reason: objection)
            }
            let entries = cues.entries(of: track.number)
            guard entries.allSatisfy({ $0.relative != nil }) else {
                return .refused(
                    reason: "The index of stream \(stream) has no positions within clusters.")
            }
            let count = cues.targetCount(of: track.number, segment: layout.dataStart)
            if let frames = statistics.frames(ofTrackUID: track.uid) {
                guard frames == UInt64(count) else {
                    return .refused(
                        reason: "The index has \(count) entries for stream \(stream), which has "
                            + "\(frames) frames.")
                }
            } else if count == 0 {
                return .refused(reason: "The index has no entries for stream \(stream).")
            } else if count != entries.count {
                return .refused(reason: "The index lists a block of stream \(stream) twice.")
            } else {
                unproven.insert(track.number)
            }
        }
        guard !unproven.isEmpty else { return .usable(proof: .statistics) }
        if let objection = try muxerObjection(unproven, cues) {
            return .refused(reason: objection)
        }
        return .usable(proof: .muxer)
    }

    /// Returns `true` if the index is damaged, or names positions at which no cluster begins.
    ///
    /// The first, the middle and the last of the clusters that it names are examined. A file without an index is whole.
    ///
    /// - Throws: ``UndertextError`` with code `io` or `cancelled`.
    package func hasWrongIndex() throws(UndertextError) -> Bool {
        guard !layout.parts(.cues).isEmpty else { return false }
        let cues = try cues()
        guard cues.problem == nil else { return true }
        let clusters = cues.clusters
        for place in Set([0, clusters.count / 2, clusters.count - 1])
        where clusters.indices.contains(place) {
            let (position, overflow) = layout.dataStart.addingReportingOverflow(clusters[place])
            guard !overflow, position < layout.end,
                try window.element(at: position, before: layout.end)?.id == .cluster
            else { return true }
        }
        return false
    }

    /// The packets of some streams, read by the index.
    ///
    /// Call ``index(for:)`` first: without a proof, packets may be missing.
    ///
    /// - Parameters:
    ///   - streams: the streams.
    ///   - part: the part of the file; `nil` for all. The reader may also return a few packets before and after
    ///     it.
    ///   - source: another source of the same file; `nil` for the file's own one.
    ///   - diagnostics: the sink for damage.
    ///   - puller: chooses the thread on which blocks are read; `source` then belongs to that thread.
    /// - Returns: the reader.
    /// - Throws: ``UndertextError`` with code `unsupported` if a stream is not a track or its data cannot be
    ///   decoded, or errors of the source.
    package func packetReader(
        for streams: Set<Int>, window part: IndexWindow? = nil,
        source: (any RandomAccessSource)? = nil, diagnostics: DiagnosticSink = .init(),
        puller: BlockBatch.Puller = { make in { make(false) } }
    ) throws(UndertextError) -> MatroskaPacketReader {
        let producers = try trackPackets(for: streams)
        let cues = try cues()
        var targets = cues.targets(tracks: Set(producers.keys), segment: layout.dataStart)
        var witnesses = self.witnesses(for: streams, cues)
        var known: [IndexTarget: KnownBlock] = [:]
        if let part, !part.time.isAll {
            var choice = WindowedTargets(
                window: part, layout: layout, limits: limits, source: window.source,
                cancellation: cancellation)
            targets = try choice.chosen(from: targets, tracks: producers)
            known = choice.known
            if let timeBase = producers.values.first?.timeBase {
                witnesses = choice.chosen(
                    fromWitnesses: witnesses, besides: targets, timeBase: timeBase)
            }
        }
        if !witnesses.isEmpty { targets = (targets + witnesses).sorted { $0.precedes($1) } }
        let reader = IndexedBlockReader(
            targets, source: source ?? window.source, layout: layout, limits: limits,
            cancellation: cancellation, askedBefore: window.asked,
            purpose: part?.time.start == nil ? .all : .window, known: known)
        let table = TrackTable(producers)
        let batcher = BlockBatcher(reader, tracks: table)
        // A few blocks are read sooner than a thread starts.
        let pull =
            targets.count < Self.worthAThread
            ? { batcher.nextBatch(hasTime: false) } : puller(batcher.nextBatch)
        return MatroskaPacketReader(pull: pull, tracks: table, diagnostics: diagnostics)
    }

    private static let worthAThread = 64

    /// Entries of other tracks that may be those of `streams` in truth, where nothing proves how many these have.
    private func witnesses(for streams: Set<Int>, _ cues: CueTable) -> [IndexTarget] {
        guard !cues.isChecked else { return [] }
        let statistics = StatisticsProof(info: info, tags: tags)
        let chosen = streams.map { tracks[$0] }
        let unproven = chosen.filter { statistics.frames(ofTrackUID: $0.uid) == nil }
        return cues.witnesses(
            for: Set(unproven.map(\.number)), besides: Set(chosen.map(\.number)),
            segment: layout.dataStart)
    }

    private func objection(to track: TrackEntry, stream: Int) -> String? {
        if track.timestampScale != 1 {
            return "Stream \(stream) has a time scale of its own."
        }
        return ambiguity(ofStream: stream)
    }

    private func muxerObjection(
        _ tracks: Set<UInt64>, _ cues: CueTable
    ) throws(UndertextError) -> String? {
        if let objection = MuxerProof.objection(to: info) { return objection }
        if let known = muxerObjections[tracks] { return known }
        let objection = try clusterObjection(tracks, cues)
        muxerObjections[tracks] = .some(objection)
        return objection
    }

    private func clusterObjection(
        _ tracks: Set<UInt64>, _ cues: CueTable
    ) throws(UndertextError) -> String? {
        let sampler = ClusterSampler(window: window, layout: layout)
        let targets = cues.targets(tracks: tracks, segment: layout.dataStart)
        for cluster in MuxerProof.samples(cues, layout: layout) {
            let indexed = Set(targets.lazy.filter { $0.cluster == cluster }.map(\.relative))
            let objection = try sampler.objection(to: cluster, tracks: tracks, indexed: indexed)
            if let objection { return objection }
        }
        return nil
    }
}
