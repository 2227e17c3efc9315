internal import UndertextCore

/// The positions of the parts of a segment, found by a walk up to the first cluster, then by SeekHead.
struct SegmentLayout: Sendable {
    /// The offset of the segment's data, which all positions in the file count from.
    let dataStart: UInt64
    /// The end of the segment or of the source, whichever is first.
    let end: UInt64
    /// The end of the segment as it is stated, or the largest number.
    let declaredEnd: UInt64
    /// `true` if the source is known to end before the segment does.
    var isCutOff: Bool { declaredEnd != .max && end < declaredEnd }
    /// The first cluster that the walk reached.
    private(set) var firstCluster: ElementHeader?
    /// The first element before it that is no part of Matroska: it may have been a cluster.
    private(set) var firstUnknown: ElementHeader?
    /// The top-level elements of the segment other than clusters, in the order of discovery.
    private(set) var elements: [ElementHeader] = []
    /// Entries of SeekHead that name something else than what lies there.
    private(set) var wrongSeeks: [UInt64] = []

    /// `true` if an entry of SeekHead names an element of another kind, or a second one of a kind.
    private(set) var hasUnusualSeeks = false

    private var visited: Set<UInt64> = []
    private var pending: [(id: ElementID, position: UInt64)] = []

    /// Elements walked over before the first cluster at most: padding makes a few, not thousands.
    private static let walkLimit = 1024
    /// Entries of all SeekHeads at most.
    private static let seekLimit = 256
    private static let seekHeadSize = 1 << 16
    /// The most that is read at once of what follows the clusters, where a request is expensive.
    private static let tailSize: UInt64 = 2 << 20

    /// Finds the parts of `segment`.
    init(_ segment: ElementHeader, window: SourceWindow) throws(UndertextError) {
        dataStart = segment.dataStart
        let available = window.remaining(at: segment.dataStart)
        end = dataStart + min(segment.size ?? .max, available)
        declaredEnd = segment.end ?? .max
        try walk(window)
        try followSeeks(window)
        hasUnusualSeeks = !pending.allSatisfy(isUsual)
    }

    /// `true` if there is nothing that libavformat could read twice, or as something else.
    private func isUsual(_ seek: (id: ElementID, position: UInt64)) -> Bool {
        let (start, overflow) = dataStart.addingReportingOverflow(seek.position)
        guard !overflow, seek.id != .cluster, seek.id != .seekHead else { return !overflow }
        return elements.contains { $0.start == start && $0.id == seek.id }
    }

    /// The start of a walk over the blocks: the first cluster, or the end of attachments that extend beyond the source.
    var firstBlocks: UInt64 {
        if let first = firstUnknown ?? firstCluster { return first.start }
        let cut = parts(.attachments).lazy.compactMap(\.end).first { $0 > end }
        return cut ?? dataStart
    }

    /// The parts with that identifier.
    func parts(_ id: ElementID) -> [ElementHeader] { elements.filter { $0.id == id } }

    private mutating func walk(_ window: SourceWindow) throws(UndertextError) {
        var position = dataStart
        for _ in 0..<Self.walkLimit {
            guard let header = try window.element(at: position, before: end) else { return }
            if header.id == .cluster {
                firstCluster = header
                return
            }
            // Only clusters may have an unknown size here.
            guard let next = header.end else { return }
            if !header.id.belongsToSegment { firstUnknown = firstUnknown ?? header }
            try take(header, window)
            position = next
        }
    }

    private mutating func followSeeks(_ window: SourceWindow) throws(UndertextError) {
        try readTail(window)
        var count = 0
        while count < pending.count, count < Self.seekLimit {
            let (id, position) = pending[count]
            count += 1
            let (start, overflow) = dataStart.addingReportingOverflow(position)
            guard !overflow, !visited.contains(start), id != .cluster else { continue }
            // As in libavformat, a second entry of a kind is followed for SeekHead only.
            guard id == .seekHead || !elements.contains(where: { $0.id == id }) else { continue }
            guard let header = try window.element(at: start, before: end), header.id == id,
                header.size != nil
            else {
                visited.insert(start)
                wrongSeeks.append(start)
                continue
            }
            try take(header, window)
        }
    }

    /// Reads everything after the clusters, such as the index and the tags, with one request.
    ///
    /// The source keeps these bytes, so reading the parts afterwards needs no request.
    private func readTail(_ window: SourceWindow) throws(UndertextError) {
        guard window.source.policy.concurrency > 1, let size = window.source.size,
            let cluster = firstCluster
        else { return }
        let starts = pending.compactMap { entry -> UInt64? in
            let (start, overflow) = dataStart.addingReportingOverflow(entry.position)
            return overflow || entry.id == .cluster || start <= cluster.start ? nil : start
        }
        guard let first = starts.min(), first < size, size - first <= Self.tailSize,
            window.held(at: first) < Int(size - first)
        else { return }
        _ = try window.bytes(at: first, count: Int(size - first))
    }

    private mutating func take(
        _ header: ElementHeader, _ window: SourceWindow
    ) throws(UndertextError) {
        guard visited.insert(header.start).inserted else { return }
        switch header.id {
        case .seekHead: try readSeekHead(header, window)
        case .info, .tracks, .cues, .tags, .attachments, .chapters: elements.append(header)
        default: break
        }
    }

    private mutating func readSeekHead(
        _ header: ElementHeader, _ window: SourceWindow
    ) throws(UndertextError) {
        let size = Int(clamping: min(header.size ?? 0, UInt64(Self.seekHeadSize)))
        let data = try window.bytes(at: header.dataStart, count: size)
        for seek in ElementCursor(data) where seek.id == .seek {
            var id: ElementID?
            var position: UInt64?
            for child in seek.children {
                if child.id == .seekID, child.data.count <= 4 {
                    id = child.unsigned.map { ElementID(UInt32(truncatingIfNeeded: $0)) }
                }
                if child.id == .seekPosition { position = child.unsigned }
            }
            if let id, let position, pending.count < Self.seekLimit {
                pending.append((id, position))
            }
        }
    }
}
