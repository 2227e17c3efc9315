internal import UndertextCore

extension SubtitleFormat {
    /// A folder of PNG images with an index.
    package static let png = SubtitleFormat(
        "png", title: "PNG images", fileExtensions: [folderExtension, "png"],
        containerNames: ["bdn"], output: .imageFolder)

    /// The folder of ``png``, named for its BDN XML.
    package static let bdn = SubtitleFormat(
        "bdn", title: "BDN XML", containerNames: ["bdn"], codecs: [.bdn], forcesSingleCues: true,
        decoder: { BDNDecoder(stream: $0, options: $1, diagnostics: $2) }, output: .imageFolder,
        nativeName: "png")
}
