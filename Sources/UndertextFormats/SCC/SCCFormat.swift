internal import UndertextCore

extension SubtitleFormat {
    /// Scenarist SCC, whose lines are decoded as CEA-608.
    package static let scc = SubtitleFormat(
        "scc", title: "Scenarist SCC", fileExtensions: ["scc"], containerNames: ["scc"],
        countsFrames: true, holdsSeveralTracks: true,
        textFile: TextFile(
            SCCFileReader.self, isCommon: false,
            reader: { SCCFileReader($0, limits: $1, frameRate: $2, diagnostics: $3) }),
        output: .text { SCCWriter(header: $0, dropsFrames: $1.dropsFrames) },
        copying: .alwaysWithSameTimes)
}
