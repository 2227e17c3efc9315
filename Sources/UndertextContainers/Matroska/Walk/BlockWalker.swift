internal import UndertextCore

/// Walks from element to element through the clusters of a file and stops at the blocks of chosen
/// tracks (RFC 9559, section 5.1.3).
///
/// It relies only on the elements themselves: clusters and segments may have unknown sizes, other parts of the
/// segment may be between clusters, and a second segment may follow.
struct BlockWalker: BlockIterator {
    /// The cluster that the walk is in.
    private struct OpenCluster {
        /// The stated end; the largest number if none is stated.
        var end: UInt64
        var time: UInt64?
        var hasToldMissingTime = false
    }

    /// The offset of the next element.
    private var here: UInt64
    /// A few milliseconds of walking.
    private static let stepLength = 2000
    private let window: SourceWindow
    private let limits: Limits
    private let filter: TrackFilter
    /// All tracks of the file.
    private let known: TrackFilter
    private let search: ClusterSearch
    private var segmentEnd: UInt64
    private var cluster: OpenCluster?
    private var ahead: WalkAhead
    private var damage: WalkDamage

    /// Walks through a file that describes the tracks `known` and stops at blocks of `tracks`.
    init(
        window: SourceWindow, layout: SegmentLayout, tracks: Set<UInt64>, known: Set<UInt64>,
        limits: Limits, diagnostics: DiagnosticSink
    ) {
        damage = WalkDamage(diagnostics)
        self.window = window
        self.limits = limits
        filter = TrackFilter(tracks)
        self.known = TrackFilter(known)
        here = layout.firstBlocks
        segmentEnd = layout.declaredEnd
        search = ClusterSearch(window: window)
        ahead = WalkAhead(from: here, policy: window.source.policy, asked: window.asked)
    }

    var source: any RandomAccessSource { window.source }
    var isLive: Bool { window.isForward }

    /// The next block of a chosen track, unless many elements come before it.
    mutating func step() throws(UndertextError) -> BlockStep {
        for _ in 0..<Self.stepLength {
            guard here < window.end else { return end() }
            window.keep(from: here)
            guard let cluster else {
                try stepThroughSegment()
                continue
            }
            guard here < cluster.end else {
                self.cluster = nil
                continue
            }
            guard let header = try header() else {
                try recover()
                continue
            }
            switch header.id {
            case .simpleBlock, .blockGroup:
                // The most frequent case is first: most elements of a file end here.
                guard let next = header.end, next <= cluster.end, next <= window.end else {
                    try recover()
                    continue
                }
                here = next
                if let found = try block(in: header) { return found }
            case .timestamp: try takeTimestamp(header)
            case .encryptedBlock:
                damage.noteEncrypted(at: here)
                try skip(header)
            default:
                if header.id.isTopLevel { try leaveCluster(at: header) } else { try skip(header) }
            }
        }
        return .pause
    }

    private mutating func end() -> BlockStep {
        let isCut = cluster.map { $0.end != .max && $0.end > window.end } ?? false
        // In a forward-only source, an element may extend beyond the end.
        if isCut || here > window.end { damage.noteCut(at: window.end) }
        cluster = nil
        return .end
    }

    // MARK: Elements

    /// The element at ``here``; `nil` where there is no whole prefix.
    private mutating func header() throws(UndertextError) -> ElementHeader? {
        ahead.passedHeader()
        if window.held(at: here) >= ElementPrefix.maximumLength {
            return try window.element(at: here, before: window.end)
        }
        if let gap = ahead.bridge(to: here) {
            _ = try window.bytes(at: gap.offset, count: gap.count)
        }
        let length = ahead.next(at: here, asked: window.asked)
        let header = try window.element(at: here, before: window.end, ahead: length)
        ahead.hasRead(to: here + UInt64(window.held(at: here)))
        return header
    }

    /// One element outside of clusters.
    private mutating func stepThroughSegment() throws(UndertextError) {
        guard let header = try header() else { return try recover() }
        switch header.id {
        case .cluster:
            if here >= segmentEnd { leaveSegment() }
            cluster = OpenCluster(end: header.end ?? .max)
            here = header.dataStart
        case .segment:
            // libavformat also reads it as a continuation.
            damage.noteSecondSegment(at: here)
            segmentEnd = header.end ?? .max
            here = header.dataStart
        default: try skip(header)
        }
    }

    private mutating func leaveSegment() {
        damage.noteStray(at: here)
        segmentEnd = .max
    }

    /// Goes after an element that is not looked into, if that leads to one that is known.
    private mutating func skip(_ header: ElementHeader) throws(UndertextError) {
        let limit = cluster?.end ?? .max
        guard let next = header.end, next <= limit, next <= window.end else {
            return try recover()
        }
        let isKnown = cluster == nil ? header.id.belongsToSegment : belongsToCluster(header)
        // In a cluster a known element is what it seems to be; damage shows at the next one.
        if cluster == nil || !isKnown {
            guard try leadsOn(to: next, ifTooFar: isKnown) else { return try recover() }
        }
        // A flipped bit makes such an element of a cluster or a block.
        if !isKnown { damage.noteUnknown(from: here, to: next) }
        here = next
    }

    private func belongsToCluster(_ header: ElementHeader) -> Bool {
        switch header.id {
        // One bit away from SimpleBlock; they hold numbers.
        case .position, .prevSize: header.size.map { $0 <= 8 } ?? false
        default: header.id.belongsToCluster
        }
    }

    /// Returns `true` if the end or a known element is at `start`, possibly after a few unknown elements.
    ///
    /// `guess` is the answer where a look would leave the bytes at ``here`` out of reach.
    private func leadsOn(
        to start: UInt64, ifTooFar guess: Bool
    ) throws(UndertextError) -> Bool {
        var place = start
        for _ in 0..<8 {
            guard window.canReturn(from: place, to: here) else { return guess }
            if place == window.end || place == segmentEnd || place == cluster?.end { return true }
            guard let header = try window.element(at: place, before: window.end, ahead: 24) else {
                return place == window.end
            }
            if header.id.isTopLevel || header.id == .void || header.id == .crc32 { return true }
            if cluster != nil, header.id.belongsToCluster { return true }
            guard let next = header.end, next <= cluster?.end ?? .max, next <= window.end else {
                return false
            }
            place = next
        }
        return false
    }

    private mutating func takeTimestamp(_ header: ElementHeader) throws(UndertextError) {
        guard let size = header.size, size <= 8, let next = header.end, next <= window.end,
            next <= cluster?.end ?? .max
        else { return try recover() }
        let data = try window.bytes(at: header.dataStart, count: Int(size))
        // Only the first one counts: there "MUST" be one.
        if cluster?.time == nil, data.count == Int(size) {
            cluster?.time = data.reduce(0) { $0 << 8 | UInt64($1) }
        }
        here = next
    }

    /// A part of the segment within a cluster: the end of one of unknown size, otherwise damage.
    private mutating func leaveCluster(at header: ElementHeader) throws(UndertextError) {
        guard let cluster, cluster.end != .max else {
            self.cluster = nil
            return
        }
        // A damaged payload may resemble any element.
        guard try isPart(header) else { return try recover() }
        damage.noteShortCluster(at: here)
        self.cluster = nil
    }

    // MARK: Blocks

    private mutating func block(in parent: ElementHeader) throws(UndertextError) -> BlockStep? {
        guard let place = try BlockLocation.find(in: parent, window: window) else {
            damage.noteBlock("A block is damaged.", at: parent.start)
            return nil
        }
        guard filter.contains(place.track) else {
            if !known.contains(place.track) {
                damage.noteUnknownTrack(place.track, at: parent.start)
            }
            return nil
        }
        guard let time = clusterTime(at: parent.start) else { return nil }
        guard let size = parent.size, size <= UInt64(max(0, limits.packetSize)) else {
            damage.noteBlock("A block is larger than allowed.", at: parent.start)
            return nil
        }
        let count = Int(size)
        let data = try window.bytes(
            at: parent.dataStart, count: count, ahead: count + WalkAhead.tight)
        ahead.hasRead(to: parent.dataStart + UInt64(window.held(at: parent.dataStart)))
        guard data.count == count else {
            damage.noteCut(at: parent.start)
            return nil
        }
        guard parent.id == .blockGroup else {
            let block = StoredBlock(data: data, position: parent.dataStart, isSimple: true)
            return .found(track: place.track, .block(block, clusterTime: time))
        }
        guard let block = StoredBlock(group: data, at: parent.dataStart),
            let header = BlockHeader(block.data)
        else {
            // A wrong size of the Block shows here: its end would be made up.
            damage.noteBlock("A block group is damaged.", at: parent.start)
            return nil
        }
        guard filter.contains(header.track) else { return nil }
        return .found(track: header.track, .block(block, clusterTime: time))
    }

    /// The timestamp of the cluster; without one its blocks are lost, which is reported once.
    private mutating func clusterTime(at position: UInt64) -> UInt64? {
        if let time = cluster?.time { return time }
        if cluster?.hasToldMissingTime == false {
            cluster?.hasToldMissingTime = true
            damage.noteBlock("The blocks of a cluster without a time are lost.", at: position)
        }
        return nil
    }

    // MARK: Damage

    /// Goes on after what is no element: at the end of its cluster, or where one is found.
    private mutating func recover() throws(UndertextError) {
        // The end of a forward-only source has just been found.
        guard here < window.end else { return }
        let bad = here
        let end = cluster?.end ?? .max
        cluster = nil
        if end < window.end, end > bad, window.canReturn(from: end, to: bad), try isPart(at: end) {
            here = end
        } else if let found = try search.next(from: bad + 1) {
            // Ends that were stated before the damage are worth nothing.
            segmentEnd = .max
            here = found
        } else {
            here = window.end
            damage.noteLostEnd(from: bad, to: window.end, isWithinSegment: bad < segmentEnd)
            return
        }
        damage.noteSkipped(from: bad, to: here)
    }

    /// `true` if a part of a segment starts there.
    private func isPart(at place: UInt64) throws(UndertextError) -> Bool {
        guard let header = try window.element(at: place, before: window.end, ahead: 24) else {
            return false
        }
        return try isPart(header)
    }

    private func isPart(_ header: ElementHeader) throws(UndertextError) -> Bool {
        if header.id == .cluster { return try search.isCluster(at: header.start) }
        if header.id == .segment { return true }
        guard header.id.isTopLevel || header.id == .void || header.id == .crc32,
            let end = header.end, end <= window.end
        else { return false }
        return try leadsOn(to: end, ifTooFar: false)
    }
}
