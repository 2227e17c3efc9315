/// A delivery check; profiles and reports use the raw values.
package enum CheckRule: String, Hashable, Sendable, CaseIterable {
    /// Cues are in the order of their starts in the file.
    case order
    /// Cues end after they start.
    case duration
    /// Cues are on screen for a minimum time.
    case minDuration = "min-duration"
    /// Cues are on screen for a maximum time.
    case maxDuration = "max-duration"
    /// Cues at one position do not overlap in time.
    case overlap
    /// Successive cues have a minimum gap.
    case minGap = "min-gap"
    /// Gaps that are longer than the minimum have another minimum.
    case shortGap = "short-gap"
    /// Cues begin on a shot change or far from it.
    case shotChangeStart = "shot-change-start"
    /// Cues end the minimum gap before a shot change or far from it.
    case shotChangeEnd = "shot-change-end"
    /// The reading speed in characters per second.
    case charactersPerSecond = "characters-per-second"
    /// The reading speed in words per minute.
    case wordsPerMinute = "words-per-minute"
    /// The characters of a line.
    case lineLength = "line-length"
    /// The lines of a cue.
    case lineCount = "line-count"
    /// Cues have text or visible pixels.
    case emptyCue = "empty-cue"
    /// Each tag is closed, and each end tag closes one.
    case unbalancedTags = "unbalanced-tags"
    /// A target format represents all characters.
    case unsupportedCharacters = "unsupported-characters"
    /// Text has no markup.
    case markup
    /// A text file has a certain charset.
    case charset
    /// Text and images with a stated position are within the safe area.
    case safeArea = "safe-area"
    /// The colors of an image.
    case imageColors = "image-colors"

    /// A summary of the rule, a clause without a period.
    package var summary: String {
        switch self {
        case .order: "cues are in the order of their starts"
        case .duration: "cues end after they start"
        case .minDuration: "minimum duration of a cue"
        case .maxDuration: "maximum duration of a cue"
        case .overlap: "cues at one position do not overlap in time"
        case .minGap: "minimum gap between successive cues"
        case .shortGap: "minimum of gaps that are longer than min-gap"
        case .shotChangeStart:
            "minimum distance of a start from a shot change, unless it is on the change"
        case .shotChangeEnd:
            "minimum distance of an end from a shot change, unless it is min-gap before the change"
        case .charactersPerSecond: "maximum reading speed in characters per second"
        case .wordsPerMinute: "maximum reading speed in words per minute"
        case .lineLength: "maximum length of a line"
        case .lineCount: "maximum number of lines"
        case .emptyCue: "cues have text or visible pixels"
        case .unbalancedTags: "every tag is closed, and every end tag closes one"
        case .unsupportedCharacters: "the target format has all characters"
        case .markup: "text has no markup"
        case .charset: "charset of the file"
        case .safeArea: "margin that text and images keep from each edge of the video"
        case .imageColors: "maximum number of colors of an image"
        }
    }

    /// The kind of limit that a rule compares with.
    package enum Limit: Hashable, Sendable {
        /// None: the rule is either kept or broken.
        case none
        /// A time in seconds, or in frames of the video.
        case time
        /// A number in a unit.
        case number(String)
        /// The name of a format.
        case format
        /// The name of a charset.
        case charset
    }

    /// The kind of its limit.
    package var limit: Limit {
        switch self {
        case .order, .duration, .overlap, .emptyCue, .unbalancedTags, .markup: .none
        case .minDuration, .maxDuration, .minGap, .shortGap, .shotChangeStart, .shotChangeEnd: .time
        case .charactersPerSecond: .number("characters/s")
        case .wordsPerMinute: .number("words/min")
        case .lineLength: .number("characters")
        case .lineCount: .number("lines")
        case .safeArea: .number("%")
        case .imageColors: .number("colors")
        case .unsupportedCharacters: .format
        case .charset: .charset
        }
    }

    /// `true` if a limit may count characters by their width.
    var countsCharacters: Bool { self == .charactersPerSecond || self == .lineLength }
}
