internal import UndertextCore

/// A span whose cluster has been looked at, and what was read of its blocks.
final class OpenSpan {
    /// The state of the cluster.
    enum State {
        case found(ClusterHeader)
        /// The source ends before it.
        case cutOff(at: UInt64)
        case failed(UndertextError)
    }

    let span: IndexSpan
    let state: State
    /// Holds what was read of the blocks; several spans may share it.
    let window: SourceWindow
    /// The bytes announced to the source and not read yet.
    let rest: ByteRange?
    /// The number of them, and of the bytes that were read for the span alone.
    let byteCount: Int

    init(
        span: IndexSpan, state: State, window: SourceWindow, rest: ByteRange?, bytesRead: Int
    ) {
        byteCount = bytesRead + (rest?.count ?? 0)
        self.span = span
        self.state = state
        self.window = window
        self.rest = rest
    }
}

/// Checks and reads the blocks of open spans.
struct SpanReader {
    let layout: SegmentLayout
    let limits: Limits
    let name: String

    /// Looks at a span's cluster, given that of the span before.
    ///
    /// - Parameters:
    ///   - span: The span.
    ///   - current: The cluster of the span before.
    ///   - window: The window into which the start of the cluster was read.
    ///   - failure: The error of that read, if any.
    /// - Returns: The state of the cluster.
    func state(
        of span: IndexSpan, current: ClusterHeader?, window: SourceWindow,
        failure: UndertextError?
    ) -> OpenSpan.State {
        do throws(UndertextError) {
            guard span.cluster < layout.end else {
                try requireCut(span.cluster)
                return .cutOff(at: span.cluster)
            }
            if let failure { throw failure }
            if let current, current.start == span.cluster, span.clusterRead == .held {
                return .found(current)
            }
            guard span.clusterRead != .held,
                let cluster = try ClusterHeader(
                    at: span.cluster, before: layout.end, window: window)
            else {
                if isNearCut(span.cluster) { return .cutOff(at: span.cluster) }
                throw mismatch("There is no cluster", span.cluster)
            }
            return .found(cluster)
        } catch {
            return .failed(error)
        }
    }

    /// The unread rest of the span's last block, if that is known to be a block of a permitted size.
    func rest(
        of state: OpenSpan.State, _ window: SourceWindow, last target: IndexTarget
    ) -> ByteRange? {
        guard case .found(let cluster) = state, !target.isWitness else { return nil }
        let (position, overflow) = cluster.dataStart.addingReportingOverflow(target.relative)
        let held = window.held(at: position)
        guard !overflow, held > 0,
            let bytes = try? window.bytes(at: position, count: min(held, 12)),
            let prefix = ElementPrefix(bytes), let size = prefix.size,
            size <= UInt64(max(0, limits.packetSize))
        else { return nil }
        let whole = prefix.length + Int(size)
        guard whole > held, position + UInt64(whole) <= min(cluster.end, layout.end) else {
            return nil
        }
        return ByteRange(offset: position + UInt64(held), count: whole - held)
    }

    /// The element found at a target.
    private enum Location {
        case element(ElementHeader, in: ClusterHeader)
        /// The source ends before or within its header.
        case cutOff(at: UInt64)
    }

    /// Finds the element at a target of the span.
    ///
    /// If none of its bytes were read, `ahead` bytes are requested.
    private func locate(
        _ target: IndexTarget, in open: OpenSpan, ahead: Int
    ) throws(UndertextError) -> Location {
        let cluster: ClusterHeader
        switch open.state {
        case .failed(let error): throw error
        case .cutOff(let position): return .cutOff(at: position)
        case .found(let header): cluster = header
        }
        let (position, overflow) = cluster.dataStart.addingReportingOverflow(target.relative)
        guard !overflow else { throw mismatch("There is no block", target.cluster) }
        guard position < layout.end else {
            try requireCut(position)
            return .cutOff(at: position)
        }
        guard position < cluster.end,
            let header = try open.window.element(
                at: position, before: cluster.end, ahead: ahead)
        else {
            if isNearCut(position) { return .cutOff(at: position) }
            throw mismatch("There is no block", position)
        }
        return .element(header, in: cluster)
    }

    /// Throws unless the block at a target of another track is one of that track.
    func confirm(_ target: IndexTarget, in open: OpenSpan, ahead: Int) throws(UndertextError) {
        guard case .element(var header, let cluster) = try locate(target, in: open, ahead: ahead)
        else { return }
        let start = header.start
        if header.id == .blockGroup {
            guard let place = try BlockLocation.find(in: header, window: open.window),
                let block = try open.window.element(at: place.start, before: cluster.end)
            else { throw mismatch("There is no block", start) }
            header = block
        }
        guard header.id == .simpleBlock || header.id == .block else {
            throw mismatch("There is no block", start)
        }
        let count = Int(clamping: min(header.size ?? 0, UInt64(ElementPrefix.maximumLength)))
        let data = try open.window.bytes(at: header.dataStart, count: count)
        try check(data, target: target, clusterTime: cluster.time, at: start)
    }

    /// The block at a target of the span, checked, and the offset after it.
    ///
    /// If no bytes of the block were read, `ahead` bytes are requested.
    func read(
        _ target: IndexTarget, in open: OpenSpan, ahead: Int
    ) throws(UndertextError) -> (FoundBlock, end: UInt64) {
        let header: ElementHeader
        let cluster: ClusterHeader
        switch try locate(target, in: open, ahead: ahead) {
        case .cutOff(let position): return (.cutOff(at: position), position)
        case .element(let found, let parent): (header, cluster) = (found, parent)
        }
        let position = header.start
        guard let size = header.size, let next = header.end else {
            if isNearCut(position) { return (.cutOff(at: position), position) }
            throw mismatch("There is no block", position)
        }
        guard size <= UInt64(max(0, limits.packetSize)) else {
            throw mismatch("A block is larger than allowed", position)
        }
        guard next <= cluster.end else {
            if next <= layout.declaredEnd, next > layout.end {
                try requireCut(position)
                return (.cutOff(at: position), position)
            }
            throw mismatch("A block extends beyond its cluster", position)
        }
        guard let block = try block(header, target: target, before: cluster.end, open.window)
        else {
            return (.cutOff(at: position), position)
        }
        try check(block.data, target: target, clusterTime: cluster.time, at: position)
        return (.block(block, clusterTime: cluster.time), next)
    }

    /// The block of the element at a target; `nil` if the source ends within it.
    private func block(
        _ header: ElementHeader, target: IndexTarget, before end: UInt64, _ window: SourceWindow
    ) throws(UndertextError) -> StoredBlock? {
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
                throw mismatch("A group is damaged or holds no block", header.start)
            }
            return block
        default:
            // mkvmerge 6 pointed at the Block within its BlockGroup.
            var block = StoredBlock(data: data, position: header.dataStart, isSimple: false)
            try takeSiblings(
                &block, at: header.dataStart + UInt64(size), before: end, window)
            if block.duration == nil { block.duration = target.duration }
            return block
        }
    }

    /// Reads what follows a Block within its BlockGroup.
    private func takeSiblings(
        _ block: inout StoredBlock, at start: UInt64, before end: UInt64, _ window: SourceWindow
    ) throws(UndertextError) {
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
        _ data: ArraySlice<UInt8>, target: IndexTarget, clusterTime: UInt64, at position: UInt64
    ) throws(UndertextError) {
        guard let header = BlockHeader(data), header.track == target.track else {
            throw mismatch("There is a block of another track", position)
        }
        guard Int128(clusterTime) + Int128(header.time) == Int128(target.time) else {
            throw mismatch("There is a block of another time", position)
        }
    }

    /// `true` if the source ends so soon that what starts here may lack its header.
    private func isNearCut(_ position: UInt64) -> Bool {
        layout.isCutOff && position <= layout.end && layout.end - position < 64
    }

    /// Throws unless the source is cut off before `position`.
    private func requireCut(_ position: UInt64) throws(UndertextError) {
        guard position < layout.declaredEnd, layout.isCutOff else {
            throw mismatch("There is no block", position)
        }
    }

    func mismatch(_ found: String, _ position: UInt64) -> UndertextError {
        UndertextError(
            .indexMismatch, "\(found) where the index lists one of the selected track.",
            path: name, byteOffset: position)
    }
}
