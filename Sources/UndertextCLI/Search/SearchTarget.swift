internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// What the command's argument means, and where its downloads go.
struct SearchTarget {
    /// The folder to write into.
    let folder: String
    /// What names begin with; `nil` where only a result tells it.
    let stem: String?

    /// Extensions that make a name that of a video, though there is no such file.
    private static let videoExtensions: Set<String> = [
        "mkv", "mp4", "m4v", "avi", "mov", "webm", "ts", "m2ts", "mts", "mpg", "mpeg", "wmv", "flv",
        "ogm", "vob",
    ]

    /// Takes the argument apart.
    init(_ argument: String, output: String?) {
        if Self.isFile(argument) {
            let input = MediaInput(argument: argument)
            folder = output ?? input.defaultDirectory
            stem = input.stem
        } else {
            folder = output ?? "."
            stem = Self.isVideoName(argument) ? PathName.sanitised(PathName.stem(argument)) : nil
        }
    }

    /// Whether it is to be read: an URL, a path with folders, or what exists.
    static func isFile(_ argument: String) -> Bool {
        if case .url = MediaInput(argument: argument) { return true }
        return argument.utf8.contains(UInt8(ascii: "/")) || FileSystem.exists(argument)
    }

    /// `true` if words have the form of a video's name.
    static func isVideoName(_ argument: String) -> Bool {
        videoExtensions.contains(PathName.fileExtension(argument).lowercased())
    }
}
