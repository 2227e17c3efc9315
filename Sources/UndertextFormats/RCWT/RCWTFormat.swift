internal import UndertextCore

extension SubtitleFormat {
    /// RCWT, the raw captions with times of CCExtractor, which are decoded as CEA-608 and CEA-708.
    ///
    /// Their usual extension, `bin`, names anything, and so is none of its own.
    package static let rcwt = SubtitleFormat(
        "rcwt", title: "RCWT", containerNames: ["rcwt"], holdsSeveralTracks: true,
        textFile: TextFile(RCWTFileReader.self, isCommon: false, isBinary: true))
}
