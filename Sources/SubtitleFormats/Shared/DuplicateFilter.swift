internal import CueModel
internal import MediaCore

/// Finds events that are written already: same times, same place, same words.
///
/// ASS scripts repeat a sign on several layers for its outline; on a target without layers the
/// copies would only stack up. Cues come by start, so only those of one start are remembered.
struct DuplicateFilter {
    private struct Key: Hashable {
        var span: MillisecondSpan
        var id: String
        var layout: CueLayout
        var text: [UInt8]
    }

    private var start: Int64?
    private var seen: Set<Key> = []

    /// Whether this is the first event of that look and time.
    mutating func isNew(_ cue: Cue, span: MillisecondSpan, text: [UInt8]) -> Bool {
        if span.start != start {
            start = span.start
            seen.removeAll(keepingCapacity: true)
        }
        return seen.insert(Key(span: span, id: cue.id, layout: cue.layout, text: text)).inserted
    }
}
