internal import UndertextCore

/// What packet writers note about packets.
struct PacketNotes {
    private var diagnostics: [Diagnostic] = []

    /// Notes something about `packet`.
    mutating func add(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, for packet: Packet
    ) {
        diagnostics.append(
            Diagnostic(
                severity, code, message, streamIndex: packet.streamIndex, time: packet.start,
                byteOffset: packet.position))
    }

    /// Notes something about the whole stream.
    mutating func add(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, stream: Int
    ) {
        diagnostics.append(Diagnostic(severity, code, message, streamIndex: stream))
    }

    /// The start of `packet`; `nil`, with a diagnostic, if it has none.
    mutating func start(of packet: Packet) -> Timestamp? {
        guard let start = packet.start else {
            add(.error, "missing-time", "a packet without a time was left out", for: packet)
            return nil
        }
        return start
    }

    /// What was noted since the last call.
    mutating func take() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }
}
