/// The folder of a subtitle file, relative to its video.
public enum SidecarFolder: Hashable, Sendable {
    /// In the video's own folder.
    case beside
    /// In a folder for subtitles of all videos: `Subs/`, `Subtitles/`.
    case subtitles
    /// In a folder that is named after the video: `Subs/Movie/`.
    case ofVideo

    /// Finds out what a folder below the video's own is; `nil` for one in which no subtitles are
    /// looked for.
    ///
    /// - Parameters:
    ///   - components: the names from the video's folder down: none, `Subs`, or `Subs` and `Movie`;
    ///     ASCII letters of either case.
    ///   - videoName: the video's file name with its extension.
    public init?(components: [String], of videoName: String) {
        guard let first = components.first else {
            self = .beside
            return
        }
        guard Self.names.contains(first.lowercased()) else { return nil }
        switch components.count {
        case 1: self = .subtitles
        case 2 where VideoStem(fileName: videoName).isEqual(to: Array(components[1].utf8)):
            self = .ofVideo
        default: return nil
        }
    }

    /// Names of folders with subtitles, in lower case.
    public static let names: Set<String> = ["sub", "subs", "subtitle", "subtitles"]
}
