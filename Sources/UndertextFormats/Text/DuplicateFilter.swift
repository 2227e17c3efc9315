internal import UndertextCore

/// Detects events that were already written: same times, position and text.
///
/// ASS scripts repeat a sign on several layers for its outline; in a format without layers the copies would be
/// stacked. Cues are ordered by start, so only those with the current start are kept.
struct DuplicateFilter {
    private struct Key: Hashable {
        var end: Int64
        var id: String
        var layout: CueLayout
        var text: [UInt8]
    }

    private var start: Int64?
    /// The first event of that start: nearly always the only one, which then is never hashed.
    private var first: Key?
    private var others: Set<Key> = []
    /// The number of duplicates.
    private(set) var found = 0

    /// `true` if no event with the same appearance and times was written.
    mutating func isNew(_ cue: Cue, span: MillisecondSpan, text: [UInt8]) -> Bool {
        let key =
            cue.isPlain
            ? Key(end: span.end, id: "", layout: CueLayout(), text: text)
            : Key(end: span.end, id: cue.identifier, layout: cue.layout, text: text)
        guard span.start == start, let first else {
            start = span.start
            first = key
            if !others.isEmpty { others.removeAll(keepingCapacity: true) }
            return true
        }
        if key != first, others.insert(key).inserted { return true }
        found += 1
        return false
    }
}
