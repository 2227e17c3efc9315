public import UndertextCore

/// A subtitle rendition that is added to another provider's presentation.
public struct SubtitleAddition: Hashable, Sendable {
    /// Its name for people; made unique where it is taken.
    public var name: String
    /// Its language; `nil` if undetermined.
    public var language: LanguageTag?
    /// The address of its media playlist, as it is to be written.
    public var uri: String
    /// `true` if it is shown unless the user chooses.
    public var isDefault: Bool
    /// `true` if it is shown even when subtitles are off.
    public var isForced: Bool
    /// `true` if it is for the deaf and hard of hearing.
    public var isSDH: Bool

    /// Creates a rendition.
    public init(
        name: String, language: LanguageTag? = nil, uri: String, isDefault: Bool = false,
        isForced: Bool = false, isSDH: Bool = false
    ) {
        self.name = name
        self.language = language
        self.uri = uri
        self.isDefault = isDefault
        self.isForced = isForced
        self.isSDH = isSDH
    }

    /// The characteristics of subtitles for the deaf and hard of hearing.
    static let sdhCharacteristics =
        "public.accessibility.transcribes-spoken-dialog,"
        + "public.accessibility.describes-music-and-sound"

    /// The attributes of its tag, up to the group, which is not among them.
    func attributes(name: String, isDefault: Bool, isAutoselect: Bool) -> PlaylistAttributes {
        var attributes = PlaylistAttributes([])
        attributes.set("TYPE", to: .plain("SUBTITLES"))
        attributes.set("GROUP-ID", to: .quoted(""))
        attributes.set("NAME", to: .quoted(name))
        if let language { attributes.set("LANGUAGE", to: .quoted(language.rawValue)) }
        attributes.set("DEFAULT", to: .plain(isDefault ? "YES" : "NO"))
        attributes.set("AUTOSELECT", to: .plain(isAutoselect ? "YES" : "NO"))
        attributes.set("FORCED", to: .plain(isForced ? "YES" : "NO"))
        if isSDH { attributes.set("CHARACTERISTICS", to: .quoted(Self.sdhCharacteristics)) }
        attributes.set("URI", to: .quoted(uri.replacing("{$", with: "%7B$")))
        return attributes
    }
}
