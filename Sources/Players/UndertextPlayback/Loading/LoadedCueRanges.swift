internal import Undertext
internal import UndertextCore

/// The loaded ranges of a track's timeline, each with its cues.
///
/// A range is read from its start without gaps, so its cues arrive in the order of the timeline. Cues that began
/// before its start and are still shown belong to it, too. Ranges that meet are merged without
/// duplicates.
struct LoadedCueRanges: Sendable {
    /// A part of the timeline that was read without a gap.
    struct Stretch: Sendable {
        /// The start of the range.
        var start: Timestamp
        /// All cues that begin before this are known.
        var end: Timestamp
        var timeline = CueTimeline()
        /// Memory that the cues hold, roughly.
        var bytes = 0
    }

    /// In order of time, apart from each other.
    private(set) var stretches: [Stretch] = []
    /// Changes whenever cues come or go.
    private(set) var generation: UInt64 = 0
    /// A counter that changes unless new cues are only appended.
    private(set) var epoch: UInt64 = 0

    /// Memory that all cues hold, roughly.
    var bytes: Int { stretches.reduce(0) { $0 + $1.bytes } }

    /// `true` if there are no cues.
    var isEmpty: Bool { stretches.allSatisfy(\.timeline.isEmpty) }

    /// The beginning of all timelines.
    static let beginning = Timestamp(nanoseconds: .min)

    /// `true` if all of the track is known.
    var isComplete: Bool {
        stretches.count == 1 && stretches[0].start == Self.beginning
            && stretches[0].end == .distantFuture
    }

    // MARK: Asking

    /// The last stretch that begins at or before `time`.
    private func index(at time: Timestamp) -> Int? {
        stretches.lastIndex { $0.start <= time }
    }

    /// Returns the end of the range that contains `time`, or `nil` if none does.
    func knownEnd(from time: Timestamp) -> Timestamp? {
        guard let index = index(at: time), stretches[index].end > time else { return nil }
        return stretches[index].end
    }

    /// Returns the start of the first range after `time`.
    func nextStart(after time: Timestamp) -> Timestamp? {
        stretches.first { $0.start > time }?.start
    }

    /// The end of the last range at or before `time`, where reading may continue.
    func lastEnd(before time: Timestamp) -> Timestamp? {
        index(at: time).map { stretches[$0].end }
    }

    /// Returns the loaded cues that are shown at `time`.
    func cues(at time: Timestamp) -> [Cue] {
        index(at: time).map { stretches[$0].timeline.cues(at: time) } ?? []
    }

    /// Returns the first known change after `time`.
    func nextChange(after time: Timestamp) -> Timestamp? {
        index(at: time).flatMap { stretches[$0].timeline.nextChange(after: time) }
            ?? nextStart(after: time).flatMap { start in
                stretches.first { $0.start == start }?.timeline.nextChange(after: time)
            }
    }

    /// All cues in order of time, each once.
    var cues: [Cue] {
        guard let first = stretches.first else { return [] }
        var all = first.timeline.cues
        for stretch in stretches.dropFirst() {
            let known = all.filter { $0.end > stretch.start }.map(\.unnumbered)
            all += stretch.timeline.cues.filter {
                $0.start >= stretch.start || !known.contains($0.unnumbered)
            }
        }
        return all
    }

    // MARK: Changing

    /// More are not worth looking through.
    private static let stretchesAtMost = 64

    /// Begins to read at `start`, which is a new range or the end of an existing one.
    mutating func begin(at start: Timestamp) {
        if stretches.contains(where: { $0.end == start || $0.start == start }) { return }
        while stretches.count >= Self.stretchesAtMost, let farthest = farthest(from: start) {
            stretches.remove(at: farthest)
            generation &+= 1
            epoch &+= 1
        }
        let place = stretches.firstIndex { $0.start > start } ?? stretches.count
        stretches.insert(Stretch(start: start, end: start), at: place)
    }

    /// Adds cues that were read after `place`, the end of a range.
    ///
    /// - Parameters:
    ///   - cues: The cues in reading order.
    ///   - place: The current end of the range.
    ///   - joint: The start of the reader; earlier cues are already known if the range is older.
    ///   - known: The minimum new end of the range.
    /// - Returns: The end of the range.
    mutating func add(
        _ cues: [Cue], at place: Timestamp, joint: Timestamp, knownUntil known: Timestamp? = nil
    ) -> Timestamp {
        guard let index = stretches.firstIndex(where: { $0.end == place }) else { return place }
        var end = max(place, known ?? place)
        for cue in cues { end = max(end, cue.start) }
        let isOlder = stretches[index].start < joint
        let new = isOlder ? stretches[index].news(in: cues, behind: joint) : cues
        append(new, to: index)
        stretches[index].end = end
        joinNext(of: index)
        return stretches[index].end
    }

    private mutating func append(_ cues: [Cue], to index: Int) {
        guard let first = cues.first else { return }
        let last = stretches[index].timeline.cues.last?.start ?? Self.beginning
        let isOrdered =
            first.start >= last && zip(cues, cues.dropFirst()).allSatisfy { $0.start <= $1.start }
        generation &+= 1
        // Only appending after all others leaves the positions unchanged.
        if !isOrdered || index < stretches.count - 1 { epoch &+= 1 }
        if isOrdered, cues.count < 1024 {
            for cue in cues { stretches[index].timeline.insert(cue) }
        } else {
            stretches[index].timeline.insert(contentsOf: cues)
        }
        stretches[index].bytes += cues.reduce(0) { $0 + $1.heldBytes }
    }

    /// Joins a stretch with those that it reaches.
    private mutating func joinNext(of index: Int) {
        while index + 1 < stretches.count, stretches[index].end >= stretches[index + 1].start {
            let next = stretches.remove(at: index + 1)
            var here = stretches[index]
            // Each range contains all cues that begin within it.
            let beyond = here.timeline.cues.filter { $0.start >= next.end && $0.start < here.end }
            here.timeline = CueTimeline(here.timeline.cues.filter { $0.start < next.start })
            let news = here.news(in: next.timeline.cues, behind: next.start)
            here.timeline.insert(contentsOf: news + beyond)
            here.end = max(here.end, next.end)
            here.bytes = here.timeline.cues.reduce(0) { $0 + $1.heldBytes }
            stretches[index] = here
            generation &+= 1
            epoch &+= 1
        }
    }

    /// Shortens the end of a range, where reading stopped, because packets of earlier times may follow later in the
    /// input.
    mutating func retreat(from end: Timestamp, by margin: Duration) {
        guard let index = stretches.firstIndex(where: { $0.end == end }), end < .distantFuture
        else { return }
        let known = max(stretches[index].start, end.advanced(by: .zero - margin))
        // A range that is discarded entirely takes along the cues that it shows from before its start.
        let isGone = stretches[index].start == known
        let kept = isGone ? [] : stretches[index].timeline.cues.filter { $0.start < known }
        if kept.count < stretches[index].timeline.count {
            stretches[index].timeline = CueTimeline(kept)
            stretches[index].bytes = kept.reduce(0) { $0 + $1.heldBytes }
            generation &+= 1
            epoch &+= 1
        }
        stretches[index].end = known
        if isGone { stretches.remove(at: index) }
    }

    /// Removes the cues farthest from `time` until at most `limit` bytes remain, but keeps those around `time`.
    mutating func shrink(to limit: Int, around time: Timestamp, keeping margin: Duration) {
        var held = bytes
        while held > limit, let farthest = farthest(from: time) {
            held -= stretches.remove(at: farthest).bytes
            generation &+= 1
            epoch &+= 1
        }
        let first = time.advanced(by: .zero - margin)
        guard held > limit, let index = index(at: time), stretches[index].end >= time,
            first > stretches[index].start
        else { return }
        stretches[index].start = first
        let count = stretches[index].timeline.count
        stretches[index].timeline.discard(before: first)
        guard stretches[index].timeline.count < count else { return }
        stretches[index].bytes = stretches[index].timeline.cues.reduce(0) { $0 + $1.heldBytes }
        generation &+= 1
        epoch &+= 1
    }

    /// Returns the range farthest from `time`, or `nil` if only the one around it remains.
    private func farthest(from time: Timestamp) -> Int? {
        func distance(_ index: Int) -> Int128? {
            let (start, end) = (stretches[index].start, stretches[index].end)
            if start > time { return Int128(start.nanoseconds) - Int128(time.nanoseconds) }
            // Its reader may be about to reach the time.
            guard end < time.advanced(by: .zero - LoadPlan.catchUp) else { return nil }
            return Int128(time.nanoseconds) - Int128(end.nanoseconds)
        }
        return stretches.indices.compactMap { index in distance(index).map { (index, $0) } }
            .max { $0.1 < $1.1 }?.0
    }
}

extension LoadedCueRanges.Stretch {
    /// Returns those of `cues` that are not in the range, which contains all cues that begin before `joint`.
    ///
    /// An image that was repeated before a reader began may have a later start than the original.
    fileprivate func news(in cues: [Cue], behind joint: Timestamp) -> [Cue] {
        cues.filter { cue in
            guard cue.start <= joint else { return true }
            guard cue.start == joint else { return false }
            return !timeline.cues(at: joint).contains {
                $0.end == cue.end && $0.layer == cue.layer && $0.isForced == cue.isForced
                    && $0.content == cue.content
            }
        }
    }
}

extension Cue {
    /// The cue without its number, which depends on where reading began.
    fileprivate var unnumbered: Cue {
        var cue = self
        cue.order = 0
        return cue
    }

    /// Memory that it holds, roughly.
    var heldBytes: Int {
        switch content {
        case .text(let text):
            let own =
                text.unstyled?.utf8.count ?? text.runs.reduce(0) { $0 + 64 + $1.text.utf8.count }
            return 160 + own
        case .images(let images):
            return images.images.reduce(160) {
                $0 + 64 + $1.bitmap.indices.count + 4 * $1.bitmap.palette.count
            }
        }
    }
}
