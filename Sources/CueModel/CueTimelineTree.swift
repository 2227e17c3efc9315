internal import MediaCore

/// Finds, among cues in order of start, those that end after a time.
///
/// An implicit binary tree in an array: node i has the children 2i and 2i + 1, leaves hold the ends,
/// inner nodes the latest end below them.
struct LatestEndTree: Hashable {
    /// Number of leaves, a power of two.
    private var width = 1
    private var nodes: [Int64] = [Int64.min, Int64.min]
    private var count = 0

    init() {}

    /// A tree of ends in the order of their cues.
    init(_ ends: [Timestamp], minimumWidth: Int = 1) {
        count = ends.count
        width = minimumWidth
        while width < count { width *= 2 }
        nodes = Array(repeating: Int64.min, count: width * 2)
        for (index, end) in ends.enumerated() { nodes[width + index] = end.nanoseconds }
        for index in stride(from: width - 1, to: 0, by: -1) {
            nodes[index] = max(nodes[2 * index], nodes[2 * index + 1])
        }
    }

    /// Adds an end behind the others.
    mutating func append(_ end: Timestamp) {
        if count == width { grow() }
        var node = width + count
        count += 1
        while node > 0 {
            nodes[node] = max(nodes[node], end.nanoseconds)
            node /= 2
        }
    }

    private mutating func grow() {
        let leaves = nodes[width..<width + count]
        self = LatestEndTree(leaves.map { Timestamp(nanoseconds: $0) }, minimumWidth: width * 2)
    }

    /// Calls `body` with each index below `limit` whose end is after `time`, ascending.
    func forEach(before limit: Int, endingAfter time: Timestamp, _ body: (Int) -> Void) {
        visit(1, first: 0, span: width, limit: limit, time: time.nanoseconds, body)
    }

    /// The depth is the logarithm of the number of cues.
    private func visit(
        _ node: Int, first: Int, span: Int, limit: Int, time: Int64, _ body: (Int) -> Void
    ) {
        guard first < min(limit, count), nodes[node] > time else { return }
        if span == 1 {
            body(first)
            return
        }
        let half = span / 2
        visit(2 * node, first: first, span: half, limit: limit, time: time, body)
        visit(2 * node + 1, first: first + half, span: half, limit: limit, time: time, body)
    }
}
