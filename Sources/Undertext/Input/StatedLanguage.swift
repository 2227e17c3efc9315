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

    /// Completes what an input says of itself.
    ///
    /// - Parameters:
    ///   - found: the input's own description.
    ///   - input: what was opened; its name counts where it is a subtitle file with one track.
    ///   - isSubtitleFile: whether it is a file of nothing but subtitles.
    ///   - language: the caller's word; it goes before the name.
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
