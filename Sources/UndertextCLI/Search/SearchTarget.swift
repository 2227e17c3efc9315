internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextLibrary

/// The interpretation of the command's argument, and the destination of downloads.
struct SearchTarget {
    /// The folder to write into.
    let folder: String
    /// The beginning of output names; `nil` if it depends on the result.
    let stem: String?

    /// Parses the argument.
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

    /// Returns `true` if the argument is a URL, a path with folders or an existing file, which is read.
    static func isFile(_ argument: String) -> Bool {
        if case .url = MediaInput(argument: argument) { return true }
        return argument.utf8.contains(UInt8(ascii: "/")) || FileSystem.exists(argument)
    }

    /// Returns `true` if the argument looks like the name of a video file.
    static func isVideoName(_ argument: String) -> Bool {
        InputKind.isMedia(PathName.fileExtension(argument))
    }
}
