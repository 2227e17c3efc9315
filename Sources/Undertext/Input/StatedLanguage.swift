internal import UndertextCore
internal import UndertextFormats

/// The language of subtitles that do not state it themselves: the caller's word, or the file's name.
struct StatedLanguage {
    /// The description with languages and flags.
    let description: ContainerDescription
    /// The beginning of output names: without the language and flags that the tracks have now.
    let stem: String
    /// `true` if the caller's word changed a track; `true` where there is none.
    let isUsed: Bool

    /// Completes the description of an input.
    ///
    /// - Parameters:
    ///   - found: the description by the input itself.
    ///   - input: the input; its name is used for a subtitle file with one track.
    ///   - isSubtitleFile: `true` if the file contains only subtitles.
    ///   - language: the caller's language; it takes precedence over the name.
    init(
        _ found: ContainerDescription, input: MediaInput, isSubtitleFile: Bool,
        language: LanguageTag?
    ) {
        var described = found
        var stem = input.stem
        if isSubtitleFile, described.streams.count == 1, described.streams[0].kind.isSubtitle,
            let name = SubtitleStem(stem)
        {
            stem = name.title
            described.streams[0].language =
                described.streams[0].language ?? language ?? name.language
            if name.isForced { described.streams[0].disposition.insert(.forced) }
            if name.isHearingImpaired { described.streams[0].disposition.insert(.hearingImpaired) }
        }
        for index in described.streams.indices
        where described.streams[index].kind.isSubtitle && described.streams[index].language == nil {
            described.streams[index].language = language
        }
        self.stem = stem
        isUsed =
            language == nil
            || zip(found.streams, described.streams).contains {
                $0.language == nil && $1.language == language
            }
        description = described
    }
}
