internal import UndertextCore

/// A block that was read before the reader reaches it.
struct KnownBlock {
    let block: FoundBlock
    /// The offset after it.
    let end: UInt64
    /// The bytes of the block.
    let byteCount: Int

    /// Keeps a block alone, without what was read with it; `nil` if there is none.
    init?(_ found: FoundBlock, end: UInt64) {
        guard case .block(var stored, let time) = found, stored.additions.isEmpty else {
            return nil
        }
        stored.data = ArraySlice(Array(stored.data))
        block = .block(stored, clusterTime: time)
        byteCount = stored.byteCount
        self.end = end
    }
}

/// Reads single blocks at the places that the index names, with few and tight reads.
///
/// All targets are known in advance, so they are announced to the source in two stages: the starts of clusters
/// and blocks, then the rest of long blocks.
struct IndexedBlockReader {
    let source: any RandomAccessSource
    private let cancellation: Cancellation?
    private let reader: SpanReader
    private var planner: SpanPlanner
    private let purpose: Purpose
    /// Blocks that need not be read.
    private var known: [IndexTarget: KnownBlock]
    /// The spans that are read next.
    private var planned = FirstInFirstOut<IndexSpan>()
    /// The reads of ``planned``.
    private var requests = FirstInFirstOut<SpanRequest>()
    /// The last of ``requests``, which were not announced to the source.
    private var unannounced: [ByteRange] = []
    /// Holds the bytes of the latest request.
    private var window: SourceWindow
    /// Spans whose beginnings were read.
    private var opened = FirstInFirstOut<OpenSpan>()
    /// The bytes that were read for ``opened``, and those of its blocks that are still announced.
    private var bytesAhead = 0
    /// The cluster of the last opened span.
    private var cluster: ClusterHeader?
    /// The place of the next target.
    private var next = 0
    /// `true` if spans may have to be planned and opened.
    private var isDue = true
    /// The end of the last block: targets are in file order and never overlap, so that no file can make the
    /// reader read more than its size.
    private(set) var readUntil: UInt64 = 0
    private var lastBlock: UInt64?

    /// The use of the blocks, on which the amount of lookahead depends where requests are expensive.
    enum Purpose {
        /// All of them are read.
        case all
        /// The first ones are wanted soon, and the reader may be abandoned.
        case window
        /// All of them are wanted at once, with so many bytes of each.
        case choice(bytes: Int)

        /// The bytes to request of a block at least.
        var least: Int {
            switch self {
            case .all: 0
            case .window: 512
            case .choice(let bytes): bytes
            }
        }
    }

    /// The read-ahead, which the source may change while it is read.
    private struct Outlook {
        /// Enough that what is close together is read together.
        var planned = 64
        var opened = 1
        var isPreparing = false

        /// Creates the lookahead after `count` blocks; it is small for the first blocks, so that they are
        /// returned early.
        init(_ policy: ReadPolicy, behind count: Int) {
            guard policy.concurrency > 1 else { return }
            isPreparing = true
            planned = 4096
            opened = min(2048, 4 + 4 * count)
        }

        /// The number of spans to plan after `count` blocks.
        func spans(_ purpose: Purpose, behind count: Int, hasLearnt: Bool) -> Int {
            switch purpose {
            case .window where isPreparing: min(planned, 16 + 4 * count)
            case .choice where isPreparing: planned
            // One at first: where blocks begin in a cluster is learnt from it. Then some: what blocks are
            // like is learnt from them.
            default: hasLearnt ? min(planned, 512 + 4 * count) : 1
            }
        }
    }

    init(
        _ targets: [IndexTarget], source: any RandomAccessSource, layout: SegmentLayout,
        limits: Limits, cancellation: Cancellation?, askedBefore: UInt64,
        purpose: Purpose = .all, known: [IndexTarget: KnownBlock] = [:]
    ) {
        self.source = source
        self.purpose = purpose
        self.known = known
        self.cancellation = cancellation
        window = SourceWindow(source, cancellation: cancellation)
        reader = SpanReader(layout: layout, limits: limits, name: source.name)
        planner = SpanPlanner(
            targets, policy: source.policy, budget: ReadBudget(askedBefore: askedBefore),
            least: source.policy.concurrency > 1 ? purpose.least : 0, known: Set(known.keys))
    }

    /// The ranges that were announced to the source and not read.
    var announced: [ByteRange] {
        var (requests, opened, ranges) = (requests, opened, [ByteRange]())
        while requests.count > unannounced.count, let request = requests.popFirst() {
            ranges.append(request.range)
        }
        while let span = opened.popFirst() { span.rest.map { ranges.append($0) } }
        return ranges
    }

    /// The next target and its block; `nil` after the last one.
    ///
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/indexMismatch``, `io` or `cancelled`.
    mutating func nextBlock() throws(UndertextError) -> (IndexTarget, FoundBlock)? {
        while next < planner.targets.count {
            let target = planner.targets[next]
            if let found = known.removeValue(forKey: target) {
                next += 1
                try check(found.block, at: target, end: found.end)
                // Others are fetched while this one is used.
                let outlook = Outlook(source.policy, behind: next)
                if outlook.isPreparing { plan(outlook) }
                return (target, found.block)
            }
            if isDue { lookAhead() }
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
        bytesAhead -= span.byteCount
        opened.popFirst()
        isDue = true
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

    /// Plans and opens spans early enough that the rest of long blocks is being fetched when it is needed.
    private mutating func lookAhead() {
        isDue = false
        var outlook = Outlook(source.policy, behind: next)
        if case .choice = purpose { outlook.opened = max(outlook.opened, planner.targets.count) }
        guard opened.count <= outlook.opened / 2 else { return }
        plan(outlook)
        var rests: [ByteRange] = []
        while opened.count < outlook.opened, bytesAhead <= source.policy.readAhead {
            guard let span = planned.popFirst() else { break }
            let open = open(span, isPreparing: outlook.isPreparing)
            if let rest = open.rest { rests.append(rest) }
            bytesAhead += open.byteCount
            opened.append(open)
        }
        if !rests.isEmpty { source.prepare(rests, first: true) }
    }

    private mutating func plan(_ outlook: Outlook) {
        let enough = outlook.spans(purpose, behind: next, hasLearnt: cluster != nil)
        if planned.count <= enough / 2 {
            var made: [SpanRequest] = []
            while planned.count < enough, let span = planner.nextSpan(&made) {
                planned.append(span)
            }
            for request in made {
                requests.append(request)
                unannounced.append(request.range)
            }
        }
        // A source may turn out to be slow after requests were planned.
        guard outlook.isPreparing, !unannounced.isEmpty else { return }
        source.prepare(unannounced, first: false)
        unannounced.removeAll(keepingCapacity: true)
    }

    private mutating func open(_ span: IndexSpan, isPreparing: Bool) -> OpenSpan {
        var spent: UInt64 = 0
        var failure = read(span.clusterRead, &spent)
        let asked = window.asked
        var state = reader.state(of: span, current: cluster, window: window, failure: failure)
        spent += window.asked - asked
        failure = read(span.blockRead, &spent)
        if case .found(let header) = state {
            if header.start != cluster?.start {
                planner.knowsClusters = true
                planner.learn { $0.needed(header.headerEnd - header.start) }
            }
            cluster = header
            if let failure { state = .failed(failure) }
        }
        planner.learn { $0.spent(spent) }
        let rest =
            isPreparing
            ? reader.rest(
                of: state, window, last: planner.targets[span.targets.upperBound - 1]) : nil
        return OpenSpan(
            span: span, state: state, window: window, rest: rest, bytesRead: Int(clamping: spent))
    }

    /// Reads bytes of a span with the next request, unless an earlier one contains them.
    ///
    /// - Returns: The error of the source, if any.
    private mutating func read(_ part: IndexSpan.Read, _ spent: inout UInt64) -> UndertextError? {
        guard part == .requested, let request = requests.popFirst() else { return nil }
        if unannounced.count > requests.count { unannounced.removeFirst() }
        window = SourceWindow(source, cancellation: cancellation)
        defer { spent += window.asked }
        do throws(UndertextError) {
            // Requested exactly as announced.
            _ = try window.bytes(at: request.range.offset, count: request.range.count)
            return nil
        } catch {
            // One unreadable place costs no block before it: each is then read by itself.
            let isOver = error.code == .cancelled || error.code == .interrupted
            return request.isJoined && !isOver ? nil : error
        }
    }
}

extension IndexedBlockReader: BlockIterator {
    /// Where requests are expensive, what is wanted soon is returned at once.
    var isLive: Bool {
        if case .window = purpose { source.policy.concurrency > 1 } else { false }
    }

    mutating func step() throws(UndertextError) -> BlockStep {
        try nextBlock().map { .found(track: $0.track, $1) } ?? .end
    }
}
