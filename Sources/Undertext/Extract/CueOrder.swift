internal import UndertextCore

/// Sorts cues by start, the order in which files list them.
///
/// Nearly all cues are in order. At most some thousands are held, so that memory does not grow with the track;
/// a cue that is later than that stays after the others.
struct CueOrder {
    /// The cues held, in order.
    private var cues = FirstInFirstOut<Cue>()
    private var strays = StrayCues()
    private var last: Cue?
    private var latest: Cue?
    private let capacity: Int
    private let bytes: Int
    /// Bytes of the cues that are held.
    private(set) var heldBytes = 0
    /// The number of cues that were returned after a later one.
    private(set) var late = 0

    /// Creates an empty order.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of held cues; nearly every media file has fewer.
    ///   - bytes: The maximum size of the held cues; a larger cue is returned immediately.
    init(capacity: Int = 16384, bytes: Int = 16 << 20) {
        self.capacity = max(1, capacity)
        self.bytes = bytes
    }

    /// Adds a cue.
    mutating func add(_ cue: Cue) {
        heldBytes += cue.byteCount
        if let latest, Self.precedes(cue, latest) {
            strays.insert(cue)
        } else {
            cues.append(cue)
            latest = cue
        }
    }

    /// The cue whose turn it is if more are held than may be; `nil` otherwise.
    mutating func due() -> Cue? {
        cues.count + strays.count > capacity || heldBytes > bytes ? next() : nil
    }

    /// The next of those that are held; `nil` if none is left.
    mutating func next() -> Cue? {
        let cue: Cue?
        if let stray = strays.first, cues.first.map({ Self.precedes(stray, $0) }) ?? true {
            cue = strays.removeFirst()
        } else {
            cue = cues.popFirst()
        }
        guard let cue else { return nil }
        heldBytes -= cue.byteCount
        if let last, Self.precedes(cue, last) { late += 1 } else { last = cue }
        return cue
    }

    fileprivate static func precedes(_ one: Cue, _ other: Cue) -> Bool {
        (one.start, one.order) < (other.start, other.order)
    }
}

/// Cues that are out of order: a binary heap, because a hostile track may consist of them.
private struct StrayCues {
    private var heap: [Cue] = []

    var count: Int { heap.count }
    var first: Cue? { heap.first }

    mutating func insert(_ cue: Cue) {
        heap.append(cue)
        var place = heap.count - 1
        while place > 0, CueOrder.precedes(heap[place], heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeFirst() -> Cue? {
        guard let last = heap.popLast() else { return nil }
        guard let first = heap.first else { return last }
        heap[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if CueOrder.precedes(heap[child], heap[least]) { least = child }
            }
            guard least != place else { return first }
            heap.swapAt(place, least)
            place = least
        }
    }
}
