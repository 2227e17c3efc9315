internal import UndertextCore

/// Reads single blocks at the places that the index names, with few and tight reads.
///
/// All targets are known in advance, so they are announced to the source in two stages: the starts of clusters
/// and blocks, then the rest of long blocks.
struct IndexedBlockReader {
    let source: any RandomAccessSource
    private let cancellation: Cancellation?
    private let reader: SpanReader
    private var planner: SpanPlanner
    /// The spans that were announced to the source.
    private var planned = FirstInFirstOut<IndexSpan>()
    /// Spans whose beginnings were read.
    private var opened = FirstInFirstOut<OpenSpan>()
    /// Promised rests of blocks in ``opened``, in bytes.
    private var promised = 0
    /// The cluster of the last opened span.
    private var cluster: ClusterHeader?
    /// The place of the next target.
    private var next = 0
    /// The end of the last block: targets are in file order and never overlap, so that no file can make the
    /// reader read more than its size.
    private var readUntil: UInt64 = 0
    private var lastBlock: UInt64?

    /// The read-ahead, which the source may change while it is read.
    private struct Outlook {
        var planned = 1
        var opened = 1
        var isPreparing: Bool { planned > 1 }

        /// Creates the lookahead after `count` blocks; it is small for the first blocks, so that they are
        /// returned early.
        init(_ policy: ReadPolicy, behind count: Int) {
            guard policy.concurrency > 1 else { return }
            planned = 4096
            opened = min(512, 4 + 2 * count)
        }
    }

    init(
        _ targets: [IndexTarget], source: any RandomAccessSource, layout: SegmentLayout,
        limits: Limits,
        cancellation: Cancellation?, askedBefore: UInt64
    ) {
        self.source = source
        self.cancellation = cancellation
        reader = SpanReader(layout: layout, limits: limits, name: source.name)
        planner = SpanPlanner(
            targets, policy: source.policy, budget: ReadBudget(askedBefore: askedBefore))
    }

    /// The next target and its block; `nil` after the last one.
    ///
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/indexMismatch``, `io` or `cancelled`.
    mutating func nextBlock() throws(UndertextError) -> (IndexTarget, FoundBlock)? {
        while next < planner.targets.count {
            let target = planner.targets[next]
            // Early enough that the rest of long blocks is being fetched when it is needed.
            if opened.count <= Outlook(source.policy, behind: next).opened / 2 { look() }
            guard let span = opened.first else { return nil }
            let asked = span.window.asked
            let ahead = planner.budget.guess(target)
            guard !target.isWitness else {
                try reader.confirm(target, in: span, ahead: ahead)
                let spent = span.window.asked - asked
                planner.learn {
                    $0.spent(spent)
                    $0.needed(spent)
                }
                pass(span)
                continue
            }
            let (block, end) = try reader.read(target, in: span, ahead: ahead)
            planner.learn { $0.spent(span.window.asked - asked) }
            pass(span)
            try check(block, at: target, end: end)
            return (target, block)
        }
        return nil
    }

    /// Goes on after a target of the first opened span.
    private mutating func pass(_ span: OpenSpan) {
        next += 1
        guard next == span.span.targets.upperBound else { return }
        promised -= span.promised
        opened.popFirst()
    }

    /// Each block counts once, and none lies within another.
    private mutating func check(
        _ block: FoundBlock, at target: IndexTarget, end: UInt64
    ) throws(UndertextError) {
        guard case .block(let stored, _) = block else { return }
        if stored.position == lastBlock {
            // Then the number of entries does not determine the number of blocks.
            throw UndertextError(
                .indexMismatch, "The index lists a block twice.", byteOffset: target.cluster)
        }
        guard stored.position >= readUntil else {
            throw reader.mismatch("Two blocks overlap", stored.position)
        }
        lastBlock = stored.position
        let start = stored.position
        readUntil = end
        planner.learn { $0.read(end - start, track: target.track) }
    }

    /// Plans and opens spans until enough of them are ahead.
    private mutating func look() {
        let outlook = Outlook(source.policy, behind: next)
        plan(outlook)
        var rests: [ByteRange] = []
        while opened.count < outlook.opened, promised <= source.policy.readAhead {
            guard let span = planned.popFirst() else { break }
            var open = open(span)
            if outlook.isPreparing,
                let rest = reader.rest(of: open, last: planner.targets[span.targets.upperBound - 1])
            {
                rests.append(rest)
                open.promised = rest.count
                promised += rest.count
            }
            opened.append(open)
        }
        source.prepare(rests, first: true)
    }

    private mutating func plan(_ outlook: Outlook) {
        // One at first: where blocks begin in a cluster is learnt from it. Then some: what blocks
        // are like is learnt from them.
        let enough = cluster == nil ? 1 : min(outlook.planned, 512 + 4 * next)
        guard planned.count <= enough / 2 else { return }
        var ranges: [ByteRange] = []
        while planned.count < enough, let span = planner.nextSpan() {
            if let range = span.clusterRange { ranges.append(range) }
            if let range = span.blockRange { ranges.append(range) }
            planned.append(span)
        }
        if outlook.isPreparing { source.prepare(ranges, first: false) }
    }

    private mutating func open(_ span: IndexSpan) -> OpenSpan {
        let window = SourceWindow(source, cancellation: cancellation)
        let open = reader.open(span, current: cluster, window: window) {
            [source, cancellation] in SourceWindow(source, cancellation: cancellation)
        }
        var spent = window.asked
        if open.window !== window { spent += open.window.asked }
        if case .found(let header) = open.state {
            if header.start != cluster?.start {
                planner.clusterPrefix = header.dataStart - header.start
                planner.learn { $0.needed(header.headerEnd - header.start) }
            }
            cluster = header
        }
        planner.learn { $0.spent(spent) }
        return open
    }
}

extension IndexedBlockReader: BlockIterator {
    mutating func step() throws(UndertextError) -> BlockStep {
        try nextBlock().map { .found(track: $0.track, $1) } ?? .end
    }
}
