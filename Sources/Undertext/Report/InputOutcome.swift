/// The outcome of the extraction of an input.
public enum InputOutcome: Hashable, Sendable {
    /// Everything that was asked for is there.
    case complete
    /// No subtitle track matched, or none exists.
    case noTrack
    /// Input was lost; the rest is there.
    case incomplete
    /// There is not one output.
    case failed
}

extension InputReport {
    /// The outcome, from what became of the tracks.
    func outcome(isStrict: Bool) -> InputOutcome {
        if let error {
            if error.code == .noTrack { return .noTrack }
            return tracks.contains { $0.status == .written } ? .incomplete : .failed
        }
        let written = tracks.contains { $0.status == .written || $0.readerLeft }
        let failed = tracks.contains { $0.status == .failed && !$0.readerLeft }
        if failed, !written { return .failed }
        let isLeft = tracks.contains(where: \.wasLeftOnRequest)
        let isSkipped = tracks.contains { $0.status == .skipped && !$0.wasLeftOnRequest }
        if isSkipped, !written, !isLeft, attachments.isEmpty { return .failed }
        let lost =
            failed || tracks.contains(where: \.lostInput)
            || tracks.contains { $0.status == .skipped && $0.wasNamed }
            || diagnostics.contains { $0.severity == .error }
        if lost {
            let named = tracks.contains { $0.status == .skipped && $0.wasNamed }
            return written || named ? .incomplete : .failed
        }
        let blemished =
            tracks.contains { track in
                !track.losses.isEmpty || track.severityCounts[.warning, default: 0] > 0
                    || (track.status == .skipped && !track.wasLeftOnRequest)
            } || diagnostics.contains { $0.severity == .warning }
        return isStrict && blemished ? .incomplete : .complete
    }
}
