internal import Undertext

extension ExitStatus {
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
