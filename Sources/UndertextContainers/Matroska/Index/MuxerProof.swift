internal import UndertextCore

/// The muxers that are known to index every block of subtitles.
enum MuxerProof {
    /// The reason why the file's muxer is no proof, as a sentence; `nil` if it indexes every block.
    static func objection(to info: SegmentInfo) -> String? {
        if info.muxingApp?.hasPrefix("Lavf") == true { return nil }
        guard let app = info.writingApp, app.hasPrefix("mkvmerge v"),
            info.muxingApp?.contains("libmatroska") == true
        else { return "The file was written by a program that is not known to index subtitles." }
        let version = app.dropFirst("mkvmerge v".count).prefix { $0.isNumber || $0 == "." }
        let parts = version.split(separator: ".").map { Int($0) ?? 0 }
        let (major, minor) = (parts.first ?? 0, parts.count > 1 ? parts[1] : 0)
        // Subtitles are indexed since 5.9.0.
        if major > 5 || (major == 5 && minor >= 9) { return nil }
        return "The file was written by an mkvmerge that did not index subtitles yet."
    }

    /// Up to three clusters to be looked at in full: the first, one in the middle, the last.
    static func samples(_ cues: CueTable, layout: SegmentLayout) -> [UInt64] {
        var starts = cues.clusters.compactMap { cluster -> UInt64? in
            let (start, overflow) = layout.dataStart.addingReportingOverflow(cluster)
            return overflow ? nil : start
        }
        if let first = layout.firstCluster?.start {
            let place = starts.firstIndex { $0 >= first } ?? starts.endIndex
            if place == starts.endIndex || starts[place] != first {
                starts.insert(first, at: place)
            }
        }
        guard let first = starts.first, let last = starts.last, starts.count > 3 else {
            return starts
        }
        return [first, starts[starts.count / 2], last]
    }
}

/// Walks over the blocks of a cluster without reading their payload.
struct ClusterSampler {
    private let window: SourceWindow
    private let layout: SegmentLayout
    /// A cluster with more blocks than this is not a usual one.
    private static let blockLimit = 100_000

    init(window: SourceWindow, layout: SegmentLayout) {
        self.window = window
        self.layout = layout
    }

    /// Looks for a block of one of `tracks` that `indexed` does not name.
    ///
    /// Returns why the cluster proves nothing, as a sentence, or `nil`.
    func objection(
        to cluster: UInt64, tracks: Set<UInt64>, indexed: Set<UInt64>
    ) throws(UndertextError) -> String? {
        let damaged = "A cluster is damaged, at byte \(cluster)."
        guard let header = try window.element(at: cluster, before: layout.end),
            header.id == .cluster
        else { return damaged }
        let end = min(header.end ?? layout.end, layout.end)
        var position = header.dataStart
        for _ in 0..<Self.blockLimit {
            guard position < end else { return nil }
            guard let child = try window.element(at: position, before: end, ahead: 16) else {
                return damaged
            }
            // A cluster of unknown size ends where the next part of the segment starts.
            if header.size == nil, child.id.isTopLevel { return nil }
            guard let next = child.end, next <= end else { return damaged }
            if child.id == .simpleBlock || child.id == .blockGroup {
                guard let block = try BlockLocation.find(in: child, window: window) else {
                    return damaged
                }
                if tracks.contains(block.track) {
                    let places = [child.start, block.start]
                    let isIndexed = places.contains {
                        indexed.contains($0 - header.dataStart)
                    }
                    if !isIndexed {
                        return "The index lacks a block of track \(block.track), at byte "
                            + "\(child.start)."
                    }
                }
            }
            position = next
        }
        return "A cluster has more than \(Self.blockLimit) blocks, at byte \(cluster)."
    }
}
