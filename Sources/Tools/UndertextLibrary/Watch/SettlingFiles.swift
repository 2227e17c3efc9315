internal import UndertextCore

/// Files that may still be written to, each with the time at which it is looked at.
struct SettlingFiles {
    /// A name that was added or written.
    struct Entry {
        let folder: WalkedFolder
        let name: String
        /// The time for which the file must not change.
        let delay: Duration
        /// The time of the first report, in nanoseconds since 1970.
        let noted: Int64
        /// `true` from the creation of the name until its writer closes the file.
        var isOpen: Bool
        /// Size and modification time when it was last looked at.
        var seen: State?
        /// The number of times in succession that it was found unchanged.
        var quietTimes = 0
        fileprivate(set) var due: ContinuousClock.Instant

        init(
            folder: WalkedFolder, name: String, delay: Duration, noted: Int64, isOpen: Bool,
            due: ContinuousClock.Instant
        ) {
            self.folder = folder
            self.name = name
            self.delay = delay
            self.noted = noted
            self.isOpen = isOpen
            self.due = due
        }
    }

    /// All by which a change of a file is noticed.
    struct State: Hashable {
        var size: Int64
        var modified: Int64
    }

    private struct Due {
        let time: ContinuousClock.Instant
        let path: String
    }

    private var entries: [String: Entry] = [:]
    /// A binary heap, the earliest first; a time that is not that of the path's entry is outdated.
    private var heap: [Due] = []

    var count: Int { entries.count }

    func contains(_ path: String) -> Bool { entries[path] != nil }

    /// `true` if there is a closed file that is looked at within `delay`.
    func hasClosedFile(within delay: Duration) -> Bool {
        entries.values.contains { !$0.isOpen && $0.delay <= delay }
    }

    /// Notes a change; the file is looked at when nothing has been noted for its delay.
    mutating func note(_ path: String, _ entry: Entry) {
        guard var known = entries[path] else {
            insert(path, entry)
            return
        }
        known.isOpen = entry.isOpen
        (known.seen, known.quietTimes) = (nil, 0)
        // Many changes within a moment are one.
        if entry.due - known.due > known.delay / 10 { known.due = entry.due }
        let isLater = known.due == entry.due
        entries[path] = known
        if isLater { push(Due(time: known.due, path: path)) }
    }

    /// Returns an entry that was due to be looked at later.
    mutating func postpone(
        _ path: String, _ entry: Entry, until due: ContinuousClock.Instant
    ) {
        var entry = entry
        entry.due = due
        insert(path, entry)
    }

    mutating func remove(_ path: String) { entries[path] = nil }

    /// Removes the next entry that is due; `nil` if there is none.
    mutating func popDue(
        at now: ContinuousClock.Instant
    ) -> (path: String, entry: Entry)? {
        dropOutdated()
        guard let first = heap.first, first.time <= now else { return nil }
        pop()
        return entries.removeValue(forKey: first.path).map { (first.path, $0) }
    }

    /// The time at which the next entry is due.
    mutating func nextDue() -> ContinuousClock.Instant? {
        dropOutdated()
        return heap.first?.time
    }

    private mutating func insert(_ path: String, _ entry: Entry) {
        entries[path] = entry
        push(Due(time: entry.due, path: path))
    }

    private mutating func dropOutdated() {
        while let first = heap.first, entries[first.path]?.due != first.time { pop() }
    }

    private mutating func push(_ due: Due) {
        heap.append(due)
        var place = heap.count - 1
        while place > 0, heap[place].time < heap[(place - 1) / 2].time {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var place = 0
        while true {
            let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
            guard let child = children.min(by: { heap[$0].time < heap[$1].time }),
                heap[child].time < heap[place].time
            else { return }
            heap.swapAt(place, child)
            place = child
        }
    }
}
