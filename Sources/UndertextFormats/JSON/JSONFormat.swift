extension SubtitleFormat {
    /// JSON cues, one document; on standard output and of several tracks ``jsonLines``.
    package static let json = SubtitleFormat(
        "json", title: "JSON cues", fileExtensions: ["json"], output: .records(.document))

    /// JSON cues, one record a line.
    package static let jsonLines = SubtitleFormat(
        "jsonl", title: "JSON Lines", fileExtensions: ["jsonl"], output: .records(.lines))
}
