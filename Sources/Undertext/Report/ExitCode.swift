/// The command's exit codes.
///
/// They are part of the contract.
public enum ExitStatus {
    /// All done.
    public static let success: Int32 = 0
    /// Not one output.
    public static let nothing: Int32 = 1
    /// No subtitle track matched, or none exists.
    public static let noTrack: Int32 = 2
    /// Input was lost; the rest is there.
    public static let partial: Int32 = 3
    /// The command line is wrong.
    public static let usage: Int32 = 64

    /// The code of an input, from what became of its tracks.
    static func code(of report: InputReport, strict: Bool) -> Int32 {
        if let error = report.error {
            if error.code == "no-track" { return noTrack }
            return report.tracks.contains { $0.status == .written } ? partial : nothing
        }
        let tracks = report.tracks
        let written = tracks.contains { $0.status == .written || $0.readerLeft }
        let failed = tracks.contains { $0.status == .failed && !$0.readerLeft }
        if failed, !written { return nothing }
        let isLeft = tracks.contains(where: \.wasLeftOnRequest)
        let isSkipped = tracks.contains { $0.status == .skipped && !$0.wasLeftOnRequest }
        if isSkipped, !written, !isLeft, report.attachments.isEmpty { return nothing }
        let lost =
            failed || tracks.contains(where: \.lostInput)
            || tracks.contains { $0.status == .skipped && $0.wasNamed }
            || report.diagnostics.contains { $0.severity == .error }
        if lost {
            let named = tracks.contains { $0.status == .skipped && $0.wasNamed }
            return written || named ? partial : nothing
        }
        let blemished =
            tracks.contains { track in
                !track.losses.isEmpty || track.severityCounts[.warning, default: 0] > 0
                    || (track.status == .skipped && !track.wasLeftOnRequest)
            } || report.diagnostics.contains { $0.severity == .warning }
        return strict && blemished ? partial : success
    }

    /// The code of a run: the common one if all inputs agree; ``success`` if each ended with that or, as those
    /// without subtitles do, with ``noTrack``; ``partial`` otherwise.
    public static func combined(_ codes: [Int32]) -> Int32 {
        guard let first = codes.first else { return success }
        if codes.allSatisfy({ $0 == first }) { return first }
        return codes.allSatisfy { $0 == success || $0 == noTrack } ? success : partial
    }
}
