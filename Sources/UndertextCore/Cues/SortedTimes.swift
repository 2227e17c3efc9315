/// Times in ascending order with two lists above them, of every 16th and every 256th: of a million times these fit
/// into a processor's caches, and a search leaves them for a few neighbors only.
struct SortedTimes: Hashable {
    private var times: [Int64] = []
    private var every16th: [Int64] = []
    private var every256th: [Int64] = []

    /// Creates a list of sorted times.
    init(_ times: [Int64] = []) {
        self.times = times
        list(from: 0)
    }

    /// Inserts a time at an index that keeps the order: O(1) after all others.
    mutating func insert(_ time: Int64, at index: Int) {
        times.insert(time, at: index)
        list(from: index)
    }

    subscript(index: Int) -> Int64 { times[index] }

    /// The latest.
    var last: Int64? { times.last }

    private mutating func list(from index: Int) {
        Self.list(times, from: index, in: &every16th)
        Self.list(every16th, from: index / 16, in: &every256th)
    }

    /// Lists every 16th of the times, again where they have changed.
    private static func list(_ times: [Int64], from index: Int, in firsts: inout [Int64]) {
        let first = (index + 15) / 16
        firsts.removeSubrange(min(first, firsts.count)...)
        for place in stride(from: first * 16, to: times.count, by: 16) {
            firsts.append(times[place])
        }
    }

    /// Returns the number of times that are not after a time.
    func count(notAfter time: Int64) -> Int {
        let pages = every256th.partitioningIndex { $0 > time }
        let blocks = Self.count(notAfter: time, in: every16th, block: pages)
        return Self.count(notAfter: time, in: times, block: blocks)
    }

    /// The number of times that are not after `time`.
    ///
    /// All but the last 16 are known from the blocks that begin by then, except for the last such block.
    ///
    /// All times of a block are examined, so that no comparison depends on the previous one.
    private static func count(notAfter time: Int64, in times: [Int64], block blocks: Int) -> Int {
        guard blocks > 0 else { return 0 }
        let start = (blocks - 1) * 16
        let block = times.span.extracting(start..<min(start + 16, times.count))
        var count = start
        for index in block.indices where block[index] <= time { count += 1 }
        return count
    }

    /// The first one after a time.
    func first(after time: Int64) -> Int64? {
        let index = count(notAfter: time)
        return index < times.count ? times[index] : nil
    }

    /// The last one before a time.
    func last(before time: Int64) -> Int64? {
        guard time > Int64.min else { return nil }
        let index = count(notAfter: time - 1)
        return index > 0 ? times[index - 1] : nil
    }
}
