internal import UndertextCore

/// The diagnostics of a playlist or manifest: the first ones of each code, and the number of others.
struct StreamingNotes {
    private let limit: Int
    private var counts: [String: Int] = [:]
    private var kept: [Diagnostic] = []

    /// Keeps up to `limits.notes` notes of each code.
    init(_ limits: StreamingLimits) { limit = max(1, limits.notes) }

    /// Adds a note; `line` counts from 1.
    mutating func add(
        _ severity: Diagnostic.Severity, _ code: String, line: Int? = nil,
        stream: Int? = nil, time: Timestamp? = nil, _ message: @autoclosure () -> String
    ) {
        let count = (counts[code] ?? 0) + 1
        counts[code] = count
        guard count <= limit else { return }
        let place = line.map { "line \($0): " } ?? ""
        kept.append(
            Diagnostic(severity, code, place + message(), streamIndex: stream, time: time))
    }

    /// The notes, and of each code how many were not kept.
    var all: [Diagnostic] {
        kept
            + counts.sorted { $0.key < $1.key }.filter { $0.value > limit }.map { code, count in
                let severity = kept.first { $0.code == code }?.severity ?? .warning
                return Diagnostic(severity, code, "and \(count - limit) more of this kind")
            }
    }

    /// The notes since the last call.
    mutating func take() -> [Diagnostic] {
        defer { self = StreamingNotes(limit: limit) }
        return all
    }

    private init(limit: Int) { self.limit = limit }
}
