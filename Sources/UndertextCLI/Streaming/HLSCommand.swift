internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextStreaming

/// `undertext hls`.
struct HLSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hls",
        abstract: "Makes HLS presentations with subtitles.",
        subcommands: [HLSPackageCommand.self])
}

/// `undertext hls package`.
struct HLSPackageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "package",
        abstract: "Makes a folder that adds subtitles to an HLS presentation or a media file.",
        discussion: """
            The folder contains a master playlist, and for each subtitle a playlist and WebVTT segments that are cut \
            where the media segments are. Media stay where they are: the master playlist refers to them by absolute \
            URLs, or by relative ones if they are local files. A media file is copied into the folder without \
            re-encoding, with its text subtitle tracks. Any web server can serve the folder, for example \
            'undertext serve --local'. Nothing is decrypted; encrypted media may need --media-start.

            EXAMPLES
              undertext hls package --video film.mkv -o out
              undertext hls package --video URL --subtitle en=film.srt -o out
              undertext hls package --video master.m3u8 --subtitle en:sdh=en.vtt -o out
              undertext hls package --video a.mp4 --subtitle de:Deutsch:default=a.srt -o o

            EXIT CODES
              0  everything was done    1  nothing was written    3  subtitles were lost
            """)

    @Option(
        help: ArgumentHelp(
            "A master playlist, a media playlist (URL or file), or a media file.",
            valueName: "playlist|file"), completion: .file())
    var video: String

    @OptionGroup var side: SideArguments

    @Flag(
        inversion: .prefixedNo,
        help: "Package the text subtitle tracks of the media file.")
    var embeddedSubtitles = true

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The output folder.", valueName: "dir"), completion: .directory)
    var output: String

    @Option(
        help: ArgumentHelp(
            "The segment duration for a media file, in seconds. (default: 6)",
            valueName: "seconds"))
    var segmentLength: Double?

    @Flag(help: "Replace a folder made by this command; other files in it stay.")
    var force = false

    @Flag(help: "Treat warnings as lost input (exit code 3).")
    var strict = false

    @OptionGroup var verbosity: Verbosity

    /// Validates option combinations that ArgumentParser cannot check.
    func validate() throws {
        let mayBeMedia: Bool
        if case .url = MediaInput(argument: video) { mayBeMedia = false } else { mayBeMedia = true }
        guard !side.subtitle.isEmpty || (mayBeMedia && embeddedSubtitles) else {
            throw ValidationError("--subtitle: specify the subtitles to add")
        }
        if let segmentLength {
            guard segmentLength >= 1, segmentLength <= 60 else {
                throw ValidationError("--segment-length: from 1 to 60 seconds")
            }
            guard mayBeMedia else {
                throw ValidationError(
                    "--segment-length applies to media files on this machine; segments of a presentation "
                        + "stay unchanged")
            }
        }
        guard output != "-", video != "-" else {
            throw ValidationError("a presentation is a folder; '-' cannot be used")
        }
        try side.check()
    }

    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        PackageRun(command: self, console: console).perform()
    }
}
