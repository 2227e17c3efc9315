internal import Undertext
internal import UndertextCore

/// The command's exit codes.
///
/// They are part of the documented interface.
enum ExitStatus {
    /// Every input succeeded.
    static let success: Int32 = 0
    /// No output was written.
    static let nothing: Int32 = 1
    /// The input has no subtitle track, or none matched the selection.
    static let noTrack: Int32 = 2
    /// Part of the input could not be read; the rest was written.
    static let partial: Int32 = 3
    /// `check` has findings.
    static let findings: Int32 = 4
    /// The command line is invalid.
    static let usage: Int32 = 64

    /// The exit code of a run with one input.
    static func code(of outcome: InputOutcome) -> Int32 {
        switch outcome {
        case .complete: success
        case .noTrack: noTrack
        case .incomplete: partial
        case .failed: nothing
        }
    }

    /// Combines the exit codes of several inputs.
    ///
    /// Equal codes are returned as they are. If every input ended with ``success`` or ``noTrack``, the result
    /// is ``success``; otherwise it is ``partial``.
    static func combined(_ codes: [Int32]) -> Int32 {
        guard let first = codes.first else { return success }
        if codes.allSatisfy({ $0 == first }) { return first }
        return codes.allSatisfy { $0 == success || $0 == noTrack } ? success : partial
    }

    /// A count of inputs for each exit code; `nil` if all inputs have the same code.
    static func summary(of codes: [Int32]) -> String? {
        guard Set(codes).count > 1 else { return nil }
        let words: [(Int32, String)] = [
            (success, "complete"), (noTrack, "without a matching subtitle track"),
            (partial, "incomplete"), (nothing, "failed"),
        ]
        let parts = words.compactMap { code, word -> String? in
            let count = codes.count { $0 == code }
            return count > 0 ? "\(count) \(word)" : nil
        }
        return "\(codes.count) inputs: \(parts.joined(separator: ", "))"
    }
}
