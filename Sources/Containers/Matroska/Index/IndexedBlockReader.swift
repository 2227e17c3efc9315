internal import MediaCore

/// Reads single blocks at the places that the index names, with few and tight reads.
struct IndexedBlockReader {
    /// What is at a target.
    enum Outcome {
        /// A block, and the timestamp of its cluster.
        case block(StoredBlock, clusterTime: UInt64)
        /// A block that an earlier target has named already.
        case seen
        /// Nothing: the source ends before.
        case cutOff(at: UInt64)
    }

    private let window: SourceWindow
    private let layout: SegmentLayout
    private let limits: Limits
    private var cluster: ClusterHeader?
    private var budget: ReadBudget
    /// The end of the last block: targets come in the order of the file and never overlap, so
    /// that no file can make us read more than it has.
    private var readUntil: UInt64 = 0
    private var lastBlock: UInt64?

    init(window: SourceWindow, layout: SegmentLayout, limits: Limits) {
        self.window = window
        self.layout = layout
        self.limits = limits
        budget = ReadBudget(askedBefore: window.asked)
    }

    /// Reads and checks `targets[place]`.
    mutating func read(_ targets: [IndexTarget], at place: Int) throws(MediaError) -> Outcome {
        let target = targets[place]
        if cluster?.start != target.cluster {
            guard target.cluster < layout.end else { return try cutOff(target.cluster) }
            let ahead = target.relative <= 256 ? Int(target.relative) + 36 : 24
            cluster = try ClusterHeader(
                at: target.cluster, before: layout.end, window: window, ahead: ahead)
            if let cluster {
                budget.needed(cluster.headerEnd - cluster.start)
            } else if isNearCut(target.cluster) {
                return .cutOff(at: target.cluster)
            }
        }
        guard let cluster else { throw mismatch("There is no cluster", target.cluster) }
        let (position, overflow) = cluster.dataStart.addingReportingOverflow(target.relative)
        guard !overflow else { throw mismatch("There is no block", target.cluster) }
        guard position < layout.end else { return try cutOff(position) }

        let end = cluster.end
        let ahead = budget.ahead(for: targets, at: place, asked: window.asked)
        guard position < end,
            let header = try window.element(at: position, before: end, ahead: ahead),
            let size = header.size, let next = header.end
        else {
            if isNearCut(position) { return .cutOff(at: position) }
            throw mismatch("There is no block", position)
        }
        guard size <= UInt64(max(0, limits.packetSize)) else {
            throw mismatch("A block is larger than allowed", position)
        }
        guard next <= end else {
            if next <= layout.declaredEnd, next > layout.end { return try cutOff(position) }
            throw mismatch("A block reaches beyond its cluster", position)
        }
        guard let block = try block(header, target: target, before: end) else {
            return .cutOff(at: position)
        }
        try check(block, target: target, clusterTime: cluster.time, at: position)
        if block.position == lastBlock { return .seen }
        guard position >= readUntil else { throw mismatch("Two blocks overlap", position) }
        lastBlock = block.position
        readUntil = next
        budget.read(next - position, track: target.track)
        return .block(block, clusterTime: cluster.time)
    }

    /// The block of the element at a target; `nil` if the source ends within it.
    private func block(
        _ header: ElementHeader, target: IndexTarget, before end: UInt64
    ) throws(MediaError) -> StoredBlock? {
        guard header.id == .simpleBlock || header.id == .blockGroup || header.id == .block else {
            throw mismatch("There is no block", header.start)
        }
        // The size was checked against the limit for packets.
        let size = Int(clamping: header.size ?? 0)
        let data = try window.bytes(at: header.dataStart, count: size)
        guard data.count == size else { return nil }
        switch header.id {
        case .simpleBlock:
            return StoredBlock(data: data, position: header.dataStart, isSimple: true)
        case .blockGroup:
            guard let block = StoredBlock(group: data, at: header.dataStart) else {
                throw mismatch("A group holds no block", header.start)
            }
            return block
        default:
            // mkvmerge 6 pointed at the Block within its BlockGroup.
            var block = StoredBlock(data: data, position: header.dataStart, isSimple: false)
            try takeSiblings(&block, at: header.dataStart + UInt64(size), before: end)
            if block.duration == nil { block.duration = target.duration }
            return block
        }
    }

    /// Reads what follows a Block within its BlockGroup.
    private func takeSiblings(
        _ block: inout StoredBlock, at start: UInt64, before end: UInt64
    ) throws(MediaError) {
        var position = start
        for _ in 0..<16 {
            guard let header = try window.element(at: position, before: end),
                header.id.belongsToBlockGroup, let size = header.size, let next = header.end,
                next <= end, size <= UInt64(max(0, limits.packetSize))
            else { return }
            let data = try window.bytes(at: header.dataStart, count: Int(size))
            block.take(Element(id: header.id, data: data, offset: 0))
            position = next
        }
    }

    private func check(
        _ block: StoredBlock, target: IndexTarget, clusterTime: UInt64, at position: UInt64
    ) throws(MediaError) {
        guard let header = BlockHeader(block.data), header.track == target.track else {
            throw mismatch("There is a block of another track", position)
        }
        guard Int128(clusterTime) + Int128(header.time) == Int128(target.time) else {
            throw mismatch("There is a block of another time", position)
        }
    }

    /// Whether the source ends so soon that what starts here may lack its header.
    private func isNearCut(_ position: UInt64) -> Bool {
        layout.isCutOff && position <= layout.end && layout.end - position < 64
    }

    private func cutOff(_ position: UInt64) throws(MediaError) -> Outcome {
        guard position < layout.declaredEnd, layout.isCutOff else {
            throw mismatch("There is no block", position)
        }
        return .cutOff(at: position)
    }

    private func mismatch(_ found: String, _ position: UInt64) -> MediaError {
        MediaError(
            .indexMismatch, "\(found) where the index says that one of the chosen track is.",
            path: window.source.name, byteOffset: position)
    }
}
