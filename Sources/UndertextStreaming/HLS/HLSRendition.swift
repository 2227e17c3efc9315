public import UndertextCore

/// A rendition: `EXT-X-MEDIA` (RFC 8216, section 4.3.4.1).
public struct HLSRendition: Hashable, Sendable {
    /// The media type of a rendition; an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The value of `TYPE`, which is also the name of the variants' attribute.
        public let rawValue: String
        /// A kind of that name; unknown ones are kept.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Sound.
        public static let audio = Kind(rawValue: "AUDIO")
        /// Pictures: an angle.
        public static let video = Kind(rawValue: "VIDEO")
        /// Subtitles.
        public static let subtitles = Kind(rawValue: "SUBTITLES")
        /// Captions within the video.
        public static let closedCaptions = Kind(rawValue: "CLOSED-CAPTIONS")
    }

    /// The attributes of the tag.
    public var attributes: PlaylistAttributes
    /// The index of the tag's line.
    public var line: Int

    /// The media type.
    public var kind: Kind { Kind(rawValue: attributes["TYPE"] ?? "") }
    /// The group it belongs to.
    public var groupID: String { attributes["GROUP-ID"] ?? "" }
    /// Its name for people.
    public var name: String { attributes["NAME"] ?? "" }
    /// Its language.
    public var language: LanguageTag? { attributes["LANGUAGE"].flatMap { LanguageTag($0) } }
    /// The address of its media playlist; `nil` for a rendition that is part of the variants.
    public var uri: String? { attributes["URI"] }
    /// The caption channel, `CC1` or `SERVICE3`.
    public var inStreamID: String? { attributes["INSTREAM-ID"] }
    /// `true` if it is played unless the user chooses.
    public var isDefault: Bool { attributes.isYes("DEFAULT") }
    /// `true` if a player may choose it by the user's settings.
    public var isAutoselect: Bool { attributes.isYes("AUTOSELECT") || isDefault }
    /// `true` if it is shown even when subtitles are off.
    ///
    /// `FORCED="NO"` in quotation marks, which the standard does not allow, means the same.
    public var isForced: Bool { attributes.isYes("FORCED") }
    /// The characteristics as uniform type identifiers.
    public var characteristics: [String] {
        (attributes["CHARACTERISTICS"] ?? "").split(separator: ",").map { part in
            String(part.drop { $0 == " " }.prefix { $0 != " " })
        }
    }

    /// The attributes that must differ between renditions that are selected by preferences.
    var choice: [String] {
        ["LANGUAGE", "ASSOC-LANGUAGE", "FORCED", "CHARACTERISTICS"].map { name in
            let value = attributes[name] ?? ""
            return name == "FORCED" ? (value == "YES" ? value : "") : value.lowercased()
        }
    }
}
