internal import UndertextCore

/// Targets of one cluster that lie so close to each other that they are read at once.
struct IndexSpan: Sendable {
    /// Their places in the list of targets.
    var targets: Range<Int>
    /// The offset of the cluster.
    var cluster: UInt64
    /// The range to read at the start of the cluster; `nil` if the previous span has read it.
    var clusterRange: ByteRange?
    /// The estimated range of the blocks; `nil` if ``clusterRange`` covers them.
    var blockRange: ByteRange?
}

/// Forms spans of targets, in their order, and guesses what has to be read of each.
struct SpanPlanner {
    let targets: [IndexTarget]
    private(set) var budget: ReadBudget
    private let policy: ReadPolicy
    private var next = 0
    private var cluster: UInt64?
    /// Bytes from the start of a cluster to its data: a muxer writes all of them alike.
    var clusterPrefix: UInt64 = 12

    /// The size of a cluster's beginning up to its timestamp, which is first or after a checksum: two headers
    /// and the timestamp.
    private static let clusterStart = 32
    private static let longestRead: UInt64 = 8192
    private var longestRead: UInt64 { max(Self.longestRead, UInt64(2 * policy.joinedGap)) }

    init(_ targets: [IndexTarget], policy: ReadPolicy, budget: ReadBudget) {
        self.targets = targets
        self.policy = policy
        self.budget = budget
    }

    /// The next span; `nil` after the last one.
    mutating func nextSpan() -> IndexSpan? {
        guard next < targets.count else { return nil }
        let first = targets[next]
        var end = next + 1
        var reach = budget.guess(first)
        while end < targets.count, targets[end].cluster == first.cluster {
            // Targets are in the order of the file.
            let distance = targets[end].relative - first.relative
            guard distance <= UInt64(reach + policy.joinedGap), distance < longestRead else {
                break
            }
            reach = max(reach, Int(distance) + budget.guess(targets[end]))
            end += 1
        }
        reach = max(reach, policy.blockSize)
        var span = IndexSpan(targets: next..<end, cluster: first.cluster)
        let start = first.cluster.addingReportingOverflow(clusterPrefix)
        let position = start.partialValue.addingReportingOverflow(first.relative)
        let isNew = cluster != first.cluster
        if isNew {
            let joins = first.relative <= UInt64(max(256, policy.joinedGap))
            let count =
                joins
                ? Int(clusterPrefix + first.relative) + reach
                : max(Self.clusterStart, policy.blockSize)
            span.clusterRange = ByteRange(offset: first.cluster, count: count)
            if joins { reach = 0 }
        }
        if reach > 0, !start.overflow, !position.overflow {
            span.blockRange = ByteRange(offset: position.partialValue, count: reach)
        }
        next = end
        cluster = first.cluster
        return span
    }

    /// Records a block and the bytes requested to read it.
    mutating func learn(_ change: (inout ReadBudget) -> Void) { change(&budget) }
}
