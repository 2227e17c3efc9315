internal import UndertextCore

/// Diagnostics that wait to be taken; a file that is damaged throughout must not fill memory.
struct DiagnosticBuffer {
    private static let capacity = 1000
    private var diagnostics: [Diagnostic] = []
    private let firstPlace: Int64

    /// A buffer for what happens at `place` or behind it.
    init(from place: Int64 = .min) { firstPlace = place }

    /// Adds a diagnostic, unless far too many wait already.
    mutating func add(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ stream: Int?,
        _ place: Int64
    ) {
        guard place >= firstPlace else { return }
        add([
            Diagnostic(
                severity, code, message, streamIndex: stream, byteOffset: UInt64(exactly: place))
        ])
    }

    /// Adds diagnostics as far as there is room.
    mutating func add(_ more: [Diagnostic]) {
        diagnostics += more.prefix(Self.capacity - diagnostics.count)
    }

    /// What was added since the last call.
    mutating func take() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }
}
