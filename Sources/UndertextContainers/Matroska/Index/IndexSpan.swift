internal import UndertextCore

/// Targets of one cluster that lie so close to each other that they are read at once.
struct IndexSpan: Sendable {
    /// How bytes of a span are read.
    enum Read {
        /// They are part of what was read before.
        case held
        /// With the next request.
        case requested
        /// With the same request as those before them.
        case joined
    }

    /// Their places in the list of targets.
    var targets: Range<Int>
    /// The offset of the cluster.
    var cluster: UInt64
    /// How the start of the cluster is read; ``Read/held`` if the previous span has read it.
    var clusterRead = Read.held
    /// How the blocks are read; ``Read/held`` if the read of the cluster covers them.
    var blockRead = Read.held
}

/// One read for one or several ranges of spans.
struct SpanRequest: Sendable {
    /// The range to read.
    var range: ByteRange
    /// `true` if it contains several ranges that are close to each other.
    var isJoined = false
}

/// Forms spans of targets, in their order, and guesses what has to be read of each.
struct SpanPlanner {
    let targets: [IndexTarget]
    private(set) var budget: ReadBudget
    private let policy: ReadPolicy
    /// The bytes to request of a block at least, as long as nothing is known about blocks.
    private let least: Int
    /// The targets that need not be read.
    private let known: Set<IndexTarget>
    private var next = 0
    private var cluster: UInt64?
    /// `true` after the header of a cluster was read.
    var knowsClusters = false

    /// Bytes from the start of a cluster to its data: an identifier of four bytes and a size of one to eight.
    ///
    /// Muxers write sizes with as few bytes as they need, so clusters differ, and each read covers all lengths. A
    /// read that starts too late costs two more requests, which are not announced.
    private static let clusterPrefix: ClosedRange<UInt64> = 5...12

    /// The size of a cluster's beginning up to its timestamp, which is first or after a checksum: two headers
    /// and the timestamp.
    private static let clusterStart = 32
    private static let longestRead: UInt64 = 8192
    private var longestRead: UInt64 { max(Self.longestRead, UInt64(2 * policy.joinedGap)) }
    /// Few requests for a file with little but subtitles, and little memory for what waits to be used.
    static let longestRequest: UInt64 = 64 << 10

    init(
        _ targets: [IndexTarget], policy: ReadPolicy, budget: ReadBudget, least: Int = 0,
        known: Set<IndexTarget> = []
    ) {
        self.targets = targets
        self.policy = policy
        self.budget = budget
        self.least = max(least, policy.blockSize)
        self.known = known
    }

    /// Forms the next span.
    ///
    /// - Parameter requests: The requests of the spans before, to which those of the span are added. The last one
    ///   grows if the span lies close after it.
    /// - Returns: The span; `nil` after the last one.
    mutating func nextSpan(_ requests: inout [SpanRequest]) -> IndexSpan? {
        while !known.isEmpty, next < targets.count, known.contains(targets[next]) { next += 1 }
        guard next < targets.count else { return nil }
        let first = targets[next]
        var end = next + 1
        var reach = budget.guess(first)
        while end < targets.count, targets[end].cluster == first.cluster {
            // Targets are in the order of the file.
            let distance = targets[end].relative - first.relative
            guard distance <= UInt64(reach + policy.joinedGap), distance < longestRead,
                known.isEmpty || !known.contains(targets[end])
            else { break }
            reach = max(reach, Int(distance) + budget.guess(targets[end]))
            end += 1
        }
        let prefix = Self.clusterPrefix
        reach = max(reach, knowsClusters ? policy.blockSize : least)
        reach += Int(prefix.upperBound - prefix.lowerBound)
        var span = IndexSpan(targets: next..<end, cluster: first.cluster)
        let start = first.cluster.addingReportingOverflow(prefix.lowerBound)
        let position = start.partialValue.addingReportingOverflow(first.relative)
        let isNew = cluster != first.cluster
        if isNew {
            let joins = first.relative <= UInt64(max(256, policy.joinedGap))
            let count =
                joins
                ? max(Self.clusterStart, Int(prefix.lowerBound + first.relative) + reach)
                : max(Self.clusterStart, policy.blockSize)
            span.clusterRead = add(
                ByteRange(offset: first.cluster, count: count), to: &requests)
            if joins { reach = 0 }
        }
        if reach > 0, !start.overflow, !position.overflow {
            span.blockRead = add(
                ByteRange(offset: position.partialValue, count: reach), to: &requests)
        }
        next = end
        cluster = first.cluster
        return span
    }

    /// Makes the last request longer if the range lies close after its beginning, otherwise adds one.
    private func add(_ range: ByteRange, to requests: inout [SpanRequest]) -> IndexSpan.Read {
        if let last = requests.last?.range, range.offset >= last.offset {
            let distance = range.offset - last.offset
            let longest = max(Self.longestRequest, longestRead)
            if distance <= UInt64(last.count + policy.joinedGap),
                distance <= longest, distance + UInt64(range.count) <= longest
            {
                requests[requests.count - 1] = SpanRequest(
                    range: ByteRange(
                        offset: last.offset, count: max(last.count, Int(distance) + range.count)),
                    isJoined: true)
                return .joined
            }
        }
        requests.append(SpanRequest(range: range))
        return .requested
    }

    /// Records a block and the bytes requested to read it.
    mutating func learn(_ change: (inout ReadBudget) -> Void) { change(&budget) }
}
