package import UndertextCore

/// The properties of a stream that the index alone determines.
package struct IndexSummary: Hashable, Sendable {
    /// The stream.
    package var streamIndex: Int
    /// Blocks that the index names.
    package var cues: Int
    /// The time of the first block; `nil` if there is none.
    package var first: Timestamp?
    /// The latest time in the index: the end of the last block, or its start if no duration is stated; `nil` if
    /// there is none.
    package var last: Timestamp?
    /// The duration with anything on screen; `nil` if a duration is not stated.
    package var shown: Duration?
    /// ``shown`` as a share of the file's length, 0 to 1; `nil` if either is unknown.
    package var coverage: Double?
}

extension MatroskaFile {
    /// Returns the index summary of a stream; `nil` if there is no such track or no index.
    ///
    /// - Throws: ``UndertextError`` with code `io` or `cancelled`.
    package func indexFacts(ofStream stream: Int) throws(UndertextError) -> IndexSummary? {
        let cues = try cues()
        guard cues.problem == nil, tracks.indices.contains(stream) else { return nil }
        let timeBase = description.streams[stream].timeBase
        let entries = cues.entries(of: tracks[stream].number).sorted { $0.time < $1.time }
        var facts = IndexSummary(streamIndex: stream, cues: entries.count)
        func timestamp(_ ticks: UInt64?) -> Timestamp? {
            ticks.flatMap { Int64(exactly: $0) }
                .flatMap { Timestamp(ticks: $0, timeBase: timeBase) }
        }
        facts.first = timestamp(entries.first?.time)
        facts.last = timestamp(
            entries.map { $0.time.addingReportingOverflow($0.duration ?? 0).partialValue }.max())
        guard let ticks = shownTicks(entries) else { return facts }
        facts.shown = Duration(ticks: ticks, timeBase: timeBase)
        if let shown = facts.shown, let length = description.duration, length > 0 {
            let share = Double(shown.nanoseconds128) / (Double(length) * 1000)
            facts.coverage = min(1, share)
        }
        return facts
    }
}

/// The length of the union of the entries' spans; `nil` if one has no duration.
private func shownTicks(_ entries: [CueEntry]) -> Int64? {
    var total: Int128 = 0
    var end: Int128 = 0
    for entry in entries {
        guard let duration = entry.duration else { return nil }
        let start = max(Int128(entry.time), end)
        let stop = Int128(entry.time) + Int128(duration)
        if stop > start { total += stop - start }
        end = max(end, stop)
    }
    return Int64(exactly: total)
}
