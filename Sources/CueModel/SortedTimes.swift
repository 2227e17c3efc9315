internal import MediaCore

/// Times in ascending order, of which every 64th stands in a list of its own: of a million times that list fits into
/// a processor's cache, and a search leaves it for a few neighbours only.
struct SortedTimes: Hashable {
    private var times: [Int64] = []
    private var firsts: [Int64] = []

    /// Times from one to the next that is listed.
    private static let step = 64

    /// Takes times that are in order.
    init(_ times: [Int64] = []) {
        self.times = times
        list(from: 0)
    }

    /// Puts a time where it keeps the order: O(1) behind all others.
    mutating func insert(_ time: Int64, at index: Int) {
        times.insert(time, at: index)
        list(from: index)
    }

    subscript(index: Int) -> Int64 { times[index] }

    /// The latest.
    var last: Int64? { times.last }

    private mutating func list(from index: Int) {
        let first = (index + Self.step - 1) / Self.step
        firsts.removeSubrange(min(first, firsts.count)...)
        for place in stride(from: first * Self.step, to: times.count, by: Self.step) {
            firsts.append(times[place])
        }
    }

    /// How many are not after a time.
    func count(notAfter time: Int64) -> Int {
        // All but the last of the lists that begin by then; of that one the part by then.
        let list = firsts.partitioningIndex { $0 > time }
        guard list > 0 else { return 0 }
        var low = (list - 1) * Self.step + 1
        var high = min(list * Self.step, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] > time { high = middle } else { low = middle + 1 }
        }
        return low
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
