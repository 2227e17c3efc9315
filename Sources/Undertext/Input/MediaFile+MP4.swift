internal import UndertextContainers
internal import UndertextFormats

extension MediaFile {
    /// Sample entries whose samples are packets as they are.
    private static let readableEntries: Set<String> = ["tx3g", "text", "wvtt", "stpp", "mp4s"]

    /// Why our own reader of MP4 cannot read the samples of `streams`; `nil` if it can.
    ///
    /// Closed captions are left to libavformat, which unpacks them; so is what is encrypted.
    private func sampleRefusal(_ mp4: MP4File, _ streams: Set<Int>) -> String? {
        for stream in description.streams where streams.contains(stream.index) {
            let tag = stream.details?.codecTagString ?? ""
            guard let id = stream.id, Self.readableEntries.contains(tag) else {
                return "samples of '\(tag)' are read by libavformat"
            }
            let places = mp4.tracks.count { $0.id == id }
            guard places == 1 else { return "\(places) tracks have the number \(id)" }
            if let reason = mp4.refusal(ofTrack: id) { return reason }
        }
        return nil
    }

    /// Adds the tables of an MP4 file, if they list all samples and can be read.
    func addSampleTables(
        of mp4: MP4File, to rungs: inout [FallbackPacketReader.Rung], _ streams: Set<Int>,
        _ window: TimeWindow, _ refused: inout [ReadSummary.Refusal]
    ) {
        let reason =
            mp4.isFragmented
            ? "its samples are listed fragment by fragment" : sampleRefusal(mp4, streams)
        if let reason {
            refused.append(.init(path: .index, reason: reason))
        } else {
            rungs.append(
                .init(path: .index) { () throws(UndertextError) in
                    try self.sampleReader(mp4, streams, window)
                })
        }
    }

    /// Adds the walk over the fragments of an MP4 file, or says why not.
    func addFragments(
        of mp4: MP4File, to rungs: inout [FallbackPacketReader.Rung], _ streams: Set<Int>,
        _ window: TimeWindow, _ refused: inout [ReadSummary.Refusal], _ opened: OpenedReaders
    ) {
        guard mp4.isFragmented else {
            if options.io == .walk {
                refused.append(
                    .init(path: .walk, reason: "its samples are listed in tables, an index"))
            }
            return
        }
        let isDear = source.map { $0.policy.concurrency > 1 } ?? true
        var reason = sampleRefusal(mp4, streams)
        if reason == nil, options.io == .auto, isDear, mp4.tracks.count > streams.count {
            reason =
                "a request for the header of each fragment takes longer there than reading "
                + "everything"
        }
        if let reason {
            refused.append(.init(path: .walk, reason: reason))
            return
        }
        rungs.append(
            .init(path: .walk) { () throws(UndertextError) in
                try self.sampleReader(mp4, streams, window)
            })
    }

    private func sampleReader(
        _ mp4: MP4File, _ streams: Set<Int>, _ window: TimeWindow
    ) throws(UndertextError) -> MP4PacketReader {
        try mp4.packetReader(
            for: trackIDs(of: streams), window: isWhole(streams) ? window : .all)
    }

    /// The tracks of `streams` by their numbers.
    private func trackIDs(of streams: Set<Int>) -> [Int64: Int] {
        var tracks: [Int64: Int] = [:]
        for stream in description.streams where streams.contains(stream.index) {
            if let id = stream.id { tracks[id] = stream.index }
        }
        return tracks
    }

    /// Refuses a scan of fragments that stand for more samples than the file can have.
    ///
    /// Of a file on a server that would be a request for each fragment.
    func refuseCrowdedFragments() throws(UndertextError) {
        guard let source, source.policy.concurrency <= 1, mp4Tracks?.isFragmented == true,
            let survey = try MP4TableSurvey(
                source: source, allFragments: true, limits: options.limits,
                cancellation: options.cancellation),
            let excess = survey.excess
        else { return }
        throw UndertextError(.limit, excess, path: source.name)
    }

    /// Whether the tables of `streams` say what their edit lists show.
    func hasEditedTables(_ streams: Set<Int>) -> Bool {
        let tracks = trackIDs(of: streams)
        return mp4Tracks?.editedTracks.contains { tracks[$0] != nil } ?? false
    }

    /// A scan of an MP4 file with the times that the edit lists of its tracks give.
    func edited(
        _ reader: any PacketReader, _ streams: Set<Int>
    ) throws(UndertextError) -> any PacketReader {
        guard let mp4Tracks else { return reader }
        return try mp4Tracks.editingReader(reader, for: trackIDs(of: streams))
    }

    /// Whether tables list all samples of a stream of an MP4 file, and how many packets they make, where that
    /// can be told; `nil` for other files.
    func sampleFacts(of stream: StreamDescription) -> (isIndexed: Bool, packets: Int?)? {
        guard let mp4Tracks, let id = stream.id else { return nil }
        guard !mp4Tracks.isFragmented, sampleRefusal(mp4Tracks, [stream.index]) == nil else {
            return (false, nil)
        }
        let count = WVTTUnpacker.unpacks(stream) ? nil : try? mp4Tracks.shownSamples(ofTrack: id)
        return (mp4 != nil, count)
    }

    /// How many packets libavformat makes of `streams`, where tables without edits tell that.
    func sampleCounts(_ streams: Set<Int>) -> [Int: Int] {
        var counts: [Int: Int] = [:]
        for stream in description.streams where streams.contains(stream.index) {
            guard let mp4Tracks, let id = stream.id, !mp4Tracks.isFragmented,
                !hasEditedTables([stream.index]), sampleRefusal(mp4Tracks, [stream.index]) == nil
            else { continue }
            counts[stream.index] = try? mp4Tracks.shownSamples(ofTrack: id)
        }
        return counts
    }

    /// Whether each sample of `streams` says all of what is on screen while it lasts.
    ///
    /// Cues of WebVTT and TTML begin in earlier samples, and units of DVDs may last longer than theirs.
    private func isWhole(_ streams: Set<Int>) -> Bool {
        description.streams.allSatisfy { stream in
            !streams.contains(stream.index) || !stream.isSampled && stream.kind == .text
        }
    }
}
