public import UndertextCore

/// A subtitle file that belongs to a video.
public struct Sidecar: Hashable, Sendable {
    /// The parsed name of the file to open.
    public let name: SidecarName
    /// The folder.
    public let folder: SidecarFolder
    /// The `.sub` file of an `.idx` file, which is not a sidecar itself.
    public let companion: String?

    /// The sidecar as a candidate for selection.
    ///
    /// - Parameter order: its position among all tracks, which breaks ties.
    /// - Returns: the candidate, marked as external.
    public func candidate(order: Int) -> SubtitleCandidate {
        SubtitleCandidate(
            language: name.language, isForced: name.isForced,
            isHearingImpaired: name.isHearingImpaired, isCommentary: name.isCommentary,
            isBitmap: name.isBitmap, isDefault: name.isDefault, isExternal: true, order: order)
    }
}

/// The subtitle files of a video among the names in a folder, in the order in which a player lists them.
///
/// They are sorted by match, `default`, language (none first), full before hearing impaired before forced
/// before commentary, title, number and name. A `.sub` file is part of the `.idx` file of the same name. A
/// `.png` name counts only with a language: then it is a folder of images, otherwise an ordinary image.
///
/// - Parameters:
///   - videoName: the video's file name with its extension.
///   - names: the names in the folder, in any order; other files are ignored.
///   - folder: the relation of the folder to the video.
///   - matching: the loosest match to include.
/// - Returns: the sidecars; their order does not depend on the order of `names`.
public func sidecars(
    of videoName: String, among names: [String], folder: SidecarFolder = .beside,
    matching: SidecarMatch = .titled
) -> [Sidecar] {
    let video = VideoStem(fileName: videoName)
    var halves: [ArraySlice<UInt8>: String] = [:]
    var indexed: Set<ArraySlice<UInt8>> = []
    for name in names {
        let bytes = name.utf8.suffix(4).map(\.lowercased)
        if bytes == Array(".sub".utf8) {
            let stem = foldedStem(name)
            // Of two names that differ only in case, the first in byte order.
            halves[stem] = halves[stem].map { min($0, name) } ?? name
        } else if bytes == Array(".idx".utf8) {
            indexed.insert(foldedStem(name))
        }
    }
    let found = names.compactMap { fileName -> Sidecar? in
        guard let name = SidecarName(fileName, of: video, in: folder), name.match <= matching,
            !SidecarName.writtenExtensions.contains(name.fileExtension),
            name.fileExtension != "png" || name.statesLanguage
        else { return nil }
        switch name.fileExtension {
        case "sub" where indexed.contains(foldedStem(fileName)): return nil
        case "idx":
            return Sidecar(name: name, folder: folder, companion: halves[foldedStem(fileName)])
        default: return Sidecar(name: name, folder: folder, companion: nil)
        }
    }
    return found.sorted { isBefore($0.name, $1.name) }
}

/// A name without the four bytes of its extension, with ASCII letters in lowercase.
private func foldedStem(_ name: String) -> ArraySlice<UInt8> {
    name.utf8.dropLast(4).map(\.lowercased)[...]
}

private func isBefore(_ first: SidecarName, _ second: SidecarName) -> Bool {
    func ranks(_ name: SidecarName) -> [Int] {
        [
            name.match.rawValue, name.isDefault ? 0 : 1, name.language == nil ? 0 : 1,
        ]
    }
    func details(_ name: SidecarName) -> [Int] {
        [
            name.isCommentary ? 1 : 0, name.isForced ? 1 : 0, name.isHearingImpaired ? 1 : 0,
        ]
    }
    if ranks(first) != ranks(second) {
        return ranks(first).lexicographicallyPrecedes(ranks(second))
    }
    if first.language != second.language {
        return (first.language?.rawValue ?? "") < (second.language?.rawValue ?? "")
    }
    if details(first) != details(second) {
        return details(first).lexicographicallyPrecedes(details(second))
    }
    if first.title != second.title { return (first.title ?? "") < (second.title ?? "") }
    if first.number != second.number { return (first.number ?? 1) < (second.number ?? 1) }
    return first.fileName < second.fileName
}
