/// The cues of a track, indexed by time for playback.
///
/// A cue is shown from its start up to, but not including, its end. Cues may come in any order,
/// while playing, and more than once: a cue equal to a stored one is stored once.
///
/// ```swift
/// var timeline = CueTimeline()
/// timeline.insert(contentsOf: document.cues)
/// let visible = timeline.cues(at: .seconds(62))
/// let redrawAt = timeline.nextChange(after: .seconds(62))
/// ```
public struct CueTimeline: Hashable, Sendable {
    /// A counter that changes if and only if the stored cues change.
    public private(set) var generation: UInt64 = 0
    /// The stored cues by start, then order.
    public private(set) var cues: [Cue] = []

    private var latestEnds = LatestEndTree()
    /// The starts of ``cues`` in nanoseconds.
    private var starts = SortedTimes()
    /// All ends in nanoseconds.
    private var ends = SortedTimes()
    /// For each cue, the latest end of all cues up to it; the first value after a time is at the index of the first
    /// cue that ends after that time.
    private var endsSoFar = SortedTimes()

    /// Creates an empty timeline.
    public init() {}

    /// Creates a timeline of `cues`.
    public init(_ cues: some Sequence<Cue>) {
        insert(contentsOf: cues)
    }

    /// The number of stored cues.
    public var count: Int { cues.count }
    /// `true` if no cue is stored.
    public var isEmpty: Bool { cues.isEmpty }

    /// Returns `true` if two timelines have the same cues.
    public static func == (left: CueTimeline, right: CueTimeline) -> Bool {
        left.cues == right.cues
    }

    /// Hashes the cues.
    public func hash(into hasher: inout Hasher) { hasher.combine(cues) }

    // MARK: Changing

    /// Inserts a cue; a cue that ends at or before its start is never shown and is ignored.
    ///
    /// O(log n) for a cue that starts after all others, otherwise O(n).
    public mutating func insert(_ cue: Cue) {
        guard cue.end > cue.start else { return }
        let place = cues.partitioningIndex { Self.isOrdered(cue, before: $0) }
        guard !contains(cue, before: place) else { return }
        generation &+= 1
        let end = cue.end.nanoseconds
        ends.insert(end, at: ends.count(notAfter: end))
        starts.insert(cue.start.nanoseconds, at: place)
        cues.insert(cue, at: place)
        if place == cues.count - 1 {
            latestEnds.append(end)
            endsSoFar.insert(max(endsSoFar.last ?? end, end), at: place)
        } else {
            keepEnds(cues.map(\.end.nanoseconds))
        }
    }

    private mutating func keepEnds(_ ends: [Int64]) {
        latestEnds = LatestEndTree(ends)
        var latest = Int64.min
        endsSoFar = SortedTimes(
            ends.map { end in
                latest = max(latest, end)
                return latest
            })
    }

    /// Inserts several cues at once: O((n + m) log (n + m)).
    public mutating func insert(contentsOf newCues: some Sequence<Cue>) {
        let added = newCues.filter { $0.end > $0.start }
        guard !added.isEmpty else { return }
        var merged = cues + added
        merged.sort(by: Self.isOrdered)
        replace(with: Self.withoutRepetitions(merged))
    }

    /// Removes the cues that end at or before `time`.
    public mutating func discard(before time: Timestamp) {
        guard ends.count(notAfter: time.nanoseconds) > 0 else { return }
        replace(with: cues.filter { $0.end > time })
    }

    /// Removes all cues.
    public mutating func removeAll() {
        replace(with: [])
    }

    private mutating func replace(with new: [Cue]) {
        guard new.count != cues.count else { return }
        generation &+= 1
        cues = new
        starts = SortedTimes(new.map(\.start.nanoseconds))
        let unsorted = new.map(\.end.nanoseconds)
        ends = SortedTimes(unsorted.sorted())
        keepEnds(unsorted)
    }

    // MARK: Asking

    /// Returns the cues that are shown at `time`, in drawing order: by layer, start and order.
    ///
    /// O(log n + k) for k cues that overlap in time.
    public func cues(at time: Timestamp) -> [Cue] {
        let now = time.nanoseconds
        let first = endsSoFar.count(notAfter: now)
        var count = 0
        var layers: ClosedRange<Int>?
        // Cues are examined before they are returned: memory is read sequentially here, but not where
        // references are counted.
        // another where references are counted.
        eachCue(from: first, at: now) { cue in
            count += 1
            let layer = cue.layer
            layers =
                min(layers?.lowerBound ?? layer, layer)...max(layers?.upperBound ?? layer, layer)
        }
        guard let layers else { return [] }
        var visible: [Cue] = []
        visible.reserveCapacity(count)
        eachCue(from: first, at: now) { visible.append($0) }
        // They are in order of start already, so this settles only layers.
        guard layers.lowerBound < layers.upperBound else { return visible }
        let byLayer = visible.enumerated().sorted {
            ($0.element.layer, $0.offset) < ($1.element.layer, $1.offset)
        }
        return byLayer.map(\.element)
    }

    /// Calls with each cue from one on that is shown at a time in nanoseconds, in order of start.
    @inline(__always)
    private func eachCue(from first: Int, at now: Int64, _ body: (borrowing Cue) -> Void) {
        var next = first
        while let index = latestEnds.firstIndex(from: next, endingAfter: now), starts[index] <= now
        {
            body(cues[index])
            next = index + 1
        }
    }

    /// Returns the first time after `time` at which the visible cues change, or `nil` if there is none.
    ///
    /// O(log n).
    public func nextChange(after time: Timestamp) -> Timestamp? {
        let now = time.nanoseconds
        guard let end = ends.first(after: now) else { return nil }
        return Timestamp(nanoseconds: min(starts.first(after: now) ?? end, end))
    }

    /// Returns the last time before `time` at which the visible cues changed, or `nil` if there is none.
    ///
    /// O(log n).
    public func previousChange(before time: Timestamp) -> Timestamp? {
        let now = time.nanoseconds
        guard let start = starts.last(before: now) else { return nil }
        return Timestamp(nanoseconds: max(start, ends.last(before: now) ?? start))
    }

    // MARK: Order

    private static func isOrdered(_ left: Cue, before right: Cue) -> Bool {
        (left.start, left.order) < (right.start, right.order)
    }

    /// `true` if an equal cue is among those of the same start and order before `place`.
    private func contains(_ cue: Cue, before place: Int) -> Bool {
        var index = place
        while index > 0, cues[index - 1].start == cue.start, cues[index - 1].order == cue.order {
            index -= 1
            if cues[index] == cue { return true }
        }
        return false
    }

    /// Removes cues equal to an earlier one of the same start and order.
    private static func withoutRepetitions(_ cues: [Cue]) -> [Cue] {
        var result: [Cue] = []
        result.reserveCapacity(cues.count)
        var seen: Set<Cue> = []
        for cue in cues {
            if let last = result.last, last.start == cue.start, last.order == cue.order {
                // Only now is it worth hashing cues.
                if seen.isEmpty { seen.insert(last) }
                guard seen.insert(cue).inserted else { continue }
            } else {
                seen.removeAll(keepingCapacity: true)
            }
            result.append(cue)
        }
        return result
    }
}
