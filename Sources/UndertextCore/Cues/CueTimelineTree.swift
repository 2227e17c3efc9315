/// Finds, among cues in order of start, those that end after a time.
///
/// An implicit binary tree in an array: node i has the children 2i and 2i + 1. Leaves hold the latest end of a
/// block of cues, inner nodes the latest end below them: with blocks the tree of a million cues
/// is small enough for a processor's cache.
struct LatestEndTree: Hashable {
    /// The ends of all cues in their order.
    private var ends: [Int64] = []
    /// Number of leaves, a power of two.
    private var width = 1
    private var nodes: [Int64] = [Int64.min, Int64.min]

    /// Cues of a leaf.
    private static let block = 16

    init() {}

    /// A tree of ends, in nanoseconds, in the order of their cues.
    init(_ ends: [Int64]) {
        self.ends = ends
        build(blocks: (ends.count + Self.block - 1) / Self.block)
    }

    /// Appends an end.
    mutating func append(_ end: Int64) {
        ends.append(end)
        let leaf = (ends.count - 1) / Self.block
        guard leaf < width else {
            build(blocks: width * 2)
            return
        }
        var node = width + leaf
        while node > 0, nodes[node] < end {
            nodes[node] = end
            node /= 2
        }
    }

    private mutating func build(blocks: Int) {
        width = 1
        while width < blocks { width *= 2 }
        nodes = Array(repeating: Int64.min, count: width * 2)
        for (index, end) in ends.enumerated() {
            let leaf = width + index / Self.block
            nodes[leaf] = max(nodes[leaf], end)
        }
        for index in stride(from: width - 1, to: 0, by: -1) {
            nodes[index] = max(nodes[2 * index], nodes[2 * index + 1])
        }
    }

    /// The first index from `start` on whose end is after `time`; `nil` if there is none: O(log n).
    func firstIndex(from start: Int, endingAfter time: Int64) -> Int? {
        guard start < ends.count else { return nil }
        let leaf = start / Self.block
        if let index = index(from: start, in: leaf, endingAfter: time) { return index }
        guard let next = self.leaf(from: leaf + 1, endingAfter: time) else { return nil }
        return index(from: next * Self.block, in: next, endingAfter: time)
    }

    private func index(from start: Int, in leaf: Int, endingAfter time: Int64) -> Int? {
        let end = min((leaf + 1) * Self.block, ends.count)
        var index = start
        while index < end {
            if ends[index] > time { return index }
            index += 1
        }
        return nil
    }

    /// The first leaf from one on: up until a subtree ends later, to the right, and down again.
    private func leaf(from first: Int, endingAfter time: Int64) -> Int? {
        guard first < width else { return nil }
        var node = width + first
        while nodes[node] <= time {
            // Past right children, whose parents end here.
            while node & 1 == 1 { node >>= 1 }
            guard node > 0 else { return nil }
            node += 1
        }
        while node < width {
            node *= 2
            if nodes[node] <= time { node += 1 }
        }
        return node - width
    }
}
