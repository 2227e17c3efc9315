extension SubtitleFormat {
    /// Lyrics with times, decoded as plain text.
    package static let lrc = SubtitleFormat(
        "lrc", title: "LRC", fileExtensions: ["lrc"], containerNames: ["lrc"],
        textFile: TextFile(LRCFileReader.self, recognition: .firstLines, isCommon: false))
}
