internal import UndertextContainers
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// Adds the colors and languages of the neighboring information file to a DVD's sub-pictures.
///
/// The packs of a .VOB or .sub file contain neither.
enum DVDPalettes {
    /// The description with what the information file says, and what was doubtful about that.
    ///
    /// `matrix` is how its Y, Cb and Cr become colors; `nil` = by BT.601, as DVDs are authored.
    static func completed(
        _ description: ContainerDescription, path: String?, matrix: ColorMatrix?
    ) -> (ContainerDescription, [Diagnostic]) {
        let isWanted = description.streams.contains { $0.codec == .dvd && $0.codecPrivate.isEmpty }
        guard isWanted, description.fileFormat == .mpegPS, let path,
            let name = SiblingFile.information(beside: path)
        else { return (description, []) }
        let information: DVDInformation
        let palette: SubPicturePalette
        do throws(UndertextError) {
            (information, palette) = try read(name, matrix ?? .bt601)
        } catch {
            let note = Diagnostic(
                .warning, "damaged-information-file",
                "'\(PathName.baseName(name))' is not used: \(error.message); its colors and languages "
                    + "are lost")
            return (description, [note])
        }
        let size = description.streams.first { $0.kind == .video }?.size ?? information.size
        let header =
            "size: \(size.width)x\(size.height)\npalette: \(palette.indexText)\n"
        var completed = description
        for (index, stream) in description.streams.enumerated()
        where stream.codec == .dvd && stream.codecPrivate.isEmpty {
            completed.streams[index].codecPrivate = Array(header.utf8)
            guard stream.language == nil, let id = stream.id else { continue }
            completed.streams[index].language = information.languages[Int(id & 0x1F)]
        }
        guard information.hasOtherPalettes else { return (completed, []) }
        return (
            completed,
            [
                Diagnostic(
                    .warning, "several-palettes",
                    "the title set of the DVD has several palettes; the first one is used")
            ]
        )
    }
    private static func read(
        _ path: String, _ matrix: ColorMatrix
    ) throws(UndertextError) -> (DVDInformation, SubPicturePalette) {
        let bytes = try FileSystem.contents(of: path, limit: DVDInformation.sizeLimit)
        guard let information = DVDInformation(bytes),
            let palette = SubPicturePalette(yCrCb: information.palette, matrix: matrix)
        else { throw UndertextError(.malformed, "it holds no palette", path: path) }
        return (information, palette)
    }
}
