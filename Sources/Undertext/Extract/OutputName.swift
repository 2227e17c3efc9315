/// Names of outputs: `STEM[.N].LANG[.forced][.sdh].EXT`.
///
/// N counts tracks that are equal in language, forced and sdh over all subtitle tracks of the
/// input, so a name never depends on the selection.
struct OutputNames {
    private let bases: [Int: String]

    init(stem: String, streams: [StreamDescription], forcedOnly: Bool) {
        var seen: [String: Int] = [:]
        var bases: [Int: String] = [:]
        for stream in streams where stream.kind.isSubtitle {
            var tail = "." + (stream.language?.rawValue ?? "und")
            if stream.isForced || forcedOnly { tail += ".forced" }
            if stream.isHearingImpaired { tail += ".sdh" }
            let number = (seen[tail] ?? 0) + 1
            seen[tail] = number
            bases[stream.index] = stem + (number > 1 ? ".\(number)" : "") + tail
        }
        self.bases = bases
    }

    /// The name without folder and extension.
    func base(for stream: StreamDescription) -> String {
        bases[stream.index] ?? "stream\(stream.index)"
    }
}
