internal import UndertextCore

extension SubtitleFormat {
    /// MacCaption MCC, whose lines are decoded as CEA-608 and CEA-708.
    package static let mcc = SubtitleFormat(
        "mcc", title: "MacCaption MCC", fileExtensions: ["mcc"], containerNames: ["mcc"],
        countsFrames: true, holdsSeveralTracks: true,
        textFile: TextFile(
            MCCFileReader.self, isCommon: false,
            reader: { MCCFileReader($0, limits: $1, frameRate: $2, diagnostics: $3) }))
}
