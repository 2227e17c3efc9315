internal import UndertextCore

extension DiagnosticSink {
    /// Returns the start of a packet; `nil`, with a diagnostic, if it has none.
    func start(of packet: Packet) -> Timestamp? {
        guard let start = packet.start else {
            report(.error, "missing-time", "a packet without a time was left out", for: packet)
            return nil
        }
        return start
    }

    /// Reports a cue that is not written at all.
    ///
    /// This is lost input, not a loss of the target format.
    func reportLoss(of cue: Cue, _ reason: String) {
        report(.error, "lost-cue", "a cue is lost: \(reason)", time: cue.start)
    }
}
