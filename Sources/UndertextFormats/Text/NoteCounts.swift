package import UndertextCore

/// Counts notes by their code.
///
/// Input may have the same fault a million times: only the first notes of each code are kept, and one note at
/// the end states the number of the others.
package struct NoteCounts {
    private struct Entry {
        var code: String
        var severity: Diagnostic.Severity
        var total = 0
        var suppressed = 0
    }

    private var entries: [Entry] = []

    /// Nothing yet.
    package init() {}

    /// Counts a note; whether it is one of the first `most` of its code.
    package mutating func keeps(
        _ severity: Diagnostic.Severity, _ code: String, atMost most: Int
    ) -> Bool {
        let place: Int
        if let known = entries.firstIndex(where: { $0.code == code }) {
            place = known
        } else {
            place = entries.count
            entries.append(Entry(code: code, severity: severity))
        }
        entries[place].total += 1
        let isKept = entries[place].total <= most
        if !isKept { entries[place].suppressed += 1 }
        return isKept
    }

    /// Returns one note for each code with notes that were not kept since the last call.
    package mutating func takeRest(streamIndex: Int? = nil) -> [Diagnostic] {
        var rest: [Diagnostic] = []
        for place in entries.indices where entries[place].suppressed > 0 {
            let entry = entries[place]
            rest.append(
                Diagnostic(
                    entry.severity, entry.code,
                    "the same occurs \(entry.suppressed) more"
                        + (entry.suppressed == 1 ? " time" : " times"),
                    streamIndex: streamIndex))
            entries[place].suppressed = 0
        }
        return rest
    }
}
