internal import UndertextCore
internal import UndertextIO

/// The programs of FFmpeg whose command lines this executable accepts under their names.
enum FFmpegProgram: String {
    case ffmpeg, ffprobe

    /// The program that the name of the executable selects; `nil` for `undertext`.
    init?(name: String) {
        switch PathName.baseName(name) {
        case "ffmpeg", "undertext-ffmpeg": self = .ffmpeg
        case "ffprobe", "undertext-ffprobe": self = .ffprobe
        default: return nil
        }
    }

    /// The exit code if the real program is missing, as a shell reports a missing command.
    static let notFound: Int32 = 127

    /// Replaces this process with the real program, which gets the same arguments.
    ///
    /// - Parameter arguments: The arguments without the name of the program.
    /// - Returns: ``notFound``, after a message, if there is no such program.
    func replaceProcess(_ arguments: [String]) -> Int32 {
        let called = Self.called
        let isProcess = FileSystem.identity(of: "/proc/self/exe")
        for path in candidates where !called.contains(path) && FileSystem.isExecutable(path) {
            let identity = FileSystem.identity(of: path)
            if identity != nil, identity == isProcess { continue }
            ProcessImage.replace(
                with: path, arguments: arguments,
                setting: (Self.marker, (called + [path]).joined(separator: ":")))
        }
        StandardError.write(
            "\(rawValue): the real \(rawValue) was not found; install FFmpeg, "
                + "or set UNDERTEXT_FFMPEG to the path of its ffmpeg\n")
        return Self.notFound
    }

    /// Lists the programs that a process and its parents were replaced with, separated by colons.
    ///
    /// A wrapper that calls this executable again gets the next candidate, never itself.
    private static let marker = "UNDERTEXT_FFMPEG_CALLED"

    private static var called: [String] { Self.list(SystemEnvironment.path(of: marker)) }

    private static func list(_ value: String?) -> [String] {
        value?.split(separator: ":").map(String.init) ?? []
    }

    /// The paths at which the real program may be, the preferred one first.
    private var candidates: [String] {
        var paths: [String] = []
        if let named = SystemEnvironment.path(of: "UNDERTEXT_FFMPEG"), !named.isEmpty {
            paths.append(
                self == .ffmpeg
                    ? named : PathName.joining(PathName.directoryName(named), rawValue))
        }
        if self == .ffprobe, let named = SystemEnvironment.path(of: "UNDERTEXT_FFPROBE"),
            !named.isEmpty
        {
            paths.insert(named, at: 0)
        }
        let folders = ["/usr/lib/jellyfin-ffmpeg"] + Self.list(SystemEnvironment.path(of: "PATH"))
        return paths + folders.map { PathName.joining($0, rawValue) }
    }
}
