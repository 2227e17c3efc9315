internal import UndertextCore

/// Finds events that are written already: same times, same place, same words.
///
/// ASS scripts repeat a sign on several layers for its outline; on a target without layers the
/// copies would only stack up. Cues come by start, so only those of one start are remembered.
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

    /// `true` if this is the first event of that look and time.
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
