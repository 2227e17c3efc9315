internal import Undertext
internal import UndertextCore

/// The command's exit codes.
///
/// They are part of the contract.
enum ExitStatus {
    /// All done.
    static let success: Int32 = 0
    /// Not one output.
    static let nothing: Int32 = 1
    /// No subtitle track matched, or none exists.
    static let noTrack: Int32 = 2
    /// Input was lost; the rest is there.
    static let partial: Int32 = 3
    /// The command line is wrong.
    static let usage: Int32 = 64

    /// The code of a run with one input.
    static func code(of outcome: InputOutcome) -> Int32 {
        switch outcome {
        case .complete: success
        case .noTrack: noTrack
        case .incomplete: partial
        case .failed: nothing
        }
    }

    /// The code of a run: the common one if all inputs agree; ``success`` if each ended with that or, as those
    /// without subtitles do, with ``noTrack``; ``partial`` otherwise.
    static func combined(_ codes: [Int32]) -> Int32 {
        guard let first = codes.first else { return success }
        if codes.allSatisfy({ $0 == first }) { return first }
        return codes.allSatisfy { $0 == success || $0 == noTrack } ? success : partial
    }

    /// How many inputs ended how; `nil` where all ended alike.
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
