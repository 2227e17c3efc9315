public import UndertextCore

/// Subtitles that are added to another provider's presentation.
public struct InjectedSubtitle: Hashable, Sendable {
    /// The cues; zero is where the presentation begins.
    public var document: SubtitleDocument
    /// Its name for people; made unique where it is taken.
    public var name: String
    /// Its language; `nil` if undetermined.
    public var language: LanguageTag?
    /// `true` if it is shown unless the user chooses.
    public var isDefault: Bool
    /// `true` if it is shown even when subtitles are off.
    public var isForced: Bool
    /// `true` if it is for the deaf and hard of hearing.
    public var isSDH: Bool

    /// Creates a rendition of cues.
    public init(
        _ document: SubtitleDocument, name: String, language: LanguageTag? = nil,
        isDefault: Bool = false, isForced: Bool = false, isSDH: Bool = false
    ) {
        self.document = document
        self.name = name
        self.language = language
        self.isDefault = isDefault
        self.isForced = isForced
        self.isSDH = isSDH
    }

    /// The rendition for a master playlist.
    ///
    /// - Parameter uri: the address of its media playlist, as it is to be written.
    /// - Returns: the rendition to add.
    public func addition(uri: String) -> SubtitleAddition {
        SubtitleAddition(
            name: name, language: language, uri: uri, isDefault: isDefault, isForced: isForced,
            isSDH: isSDH)
    }
}
