internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// `undertext extract`.
struct ExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Writes the subtitle tracks of media files, each input in one pass.",
        discussion: """
            Text tracks become WebVTT and bitmap tracks a folder (.images) of PNG files with index.json, BDN XML \
            and a review page, unless --format names other formats. If --format names a format for one kind only, \
            tracks of the other kind are left out, unless --tracks selects them by index or kind. Outputs are named \
            STEM[.N].LANG[.forced][.sdh].EXT and are written beside the input, or into the folder of -o. \
            -o NAME.EXT writes the one selected track in that format.

            A track that is stored in the requested format already is copied where a copy loses nothing; others \
            are decoded and encoded again. native writes every track as it is stored. Copied tracks ignore --fps, \
            --merge-fades and --color-matrix; text ignores --scale, --canvas and --ocr; a warning reports that. \
            json is one document; jsonl, and json with '-o -', have one record per line.

            SELECTION  ',' means or, '+' means and: en+text,fr+forced. Terms are stream indices, languages (BCP 47), \
            text bitmap forced sdh cc teletext all, and services: cc1 to cc4, t1 to t4, service1 to service63, page100 to \
            page899.

            EXAMPLES
              undertext extract movie.mkv
              undertext extract --format native -o subs movie.mkv
              undertext extract --tracks en,fr+forced --format srt,sup *.mkv
              undertext extract --tracks bitmap --format sup --scale 1280x720 movie.mkv
              undertext extract --ocr en --format srt movie.mkv
              undertext extract --tracks 3 -o - movie.mkv | less
              undertext extract --tracks en+text -o film.srt movie.mkv
              undertext extract --attachments fonts --report report.json movie.mkv
              undertext extract --start 1:02:00 --end 1:05:00 movie.mkv
              undertext extract --max-read-rate 10M --io-priority idle -o subs /nas/*.mkv
              undertext extract -o subs https://host/movie.mkv
              undertext extract -o subs s3://bucket/movie.mkv
              undertext extract -o s3://bucket/subs movie.mkv
              undertext extract --tracks en -o subs https://host/master.m3u8
              undertext extract --mkvextract movie.mkv tracks 2:movie.srt 3:movie.sup
              undertext extract --live 10:00 --format json -o - --tracks 4 https://host/live.m3u8
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, URLs (scheme://…), or '-' for standard input.", valueName: "input"),
        completion: .file())
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A folder for the outputs (also a path that ends in '/'), a file for the one selected track "
                + "(NAME.EXT, in the format of its name), s3://BUCKET/KEY for either of them, or '-' for standard output, "
                + "cue by cue.",
            valueName: "path"), completion: .file())
    var output: String?

    @OptionGroup var extraction: ExtractionArguments

    @Option(
        help: ArgumentHelp(
            "native, or one text format and one bitmap format of: \(SubtitleFormat.outputs.names). "
                + "(default: vtt,png; with --ocr vtt)",
            valueName: "f[,f]"), completion: .outputFormats)
    var format: String?

    @Option(
        help: ArgumentHelp(
            "The folder for fonts and cover images, written in the same pass.", valueName: "dir"),
        completion: .directory)
    var attachments: String?

    @Option(
        help: ArgumentHelp(
            "How to find packets: index (if proven complete), walk (over the headers of blocks: "
                + "Matroska, transport streams), scan (the entire file), or auto, the first of them that "
                + "works.", valueName: "path"),
        completion: .list(["auto", "index", "walk", "scan"]))
    var io = "auto"

    @OptionGroup var images: ImageArguments

    @OptionGroup var recognition: RecognitionArguments

    @OptionGroup var charset: CharsetArgument

    @OptionGroup var reading: ReadingOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only cues on screen at or after this time: 90, 1:30 or 01:02:03.5. Cues that began before "
                + "and are still shown are included, and times stay those of the input.",
            valueName: "time"))
    var start: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only cues on screen before this time.", valueName: "time"))
    var end: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Follow a live HLS or DASH presentation for this long: 90, 5:00 or 1:30:00. Ctrl-C stops and "
                + "keeps what was read; a second Ctrl-C discards it. Without --live, the current content "
                + "of the playlists is read once.",
            valueName: "duration"))
    var live: String?

    @Flag(
        help: ArgumentHelp(
            "Take arguments as mkvextract does: FILE tracks ID:OUTPUT … writes subtitle tracks as they are "
                + "stored, and replaces files that exist."))
    var mkvextract = false

    @OptionGroup var verbosity: Verbosity

    /// Validates options that exclude each other.
    func validate() throws {
        guard !inputs.isEmpty else { throw ValidationError("specify at least one input") }
        try extraction.check(output: output, named: "-o -")
        try reading.check()
        guard live == nil || inputs.contains(where: Media.mayBePresentation) else {
            throw ValidationError(
                "--live requires a presentation: specify the URL of a playlist or manifest, or a file "
                    + "named .m3u8, .m3u or .mpd")
        }
        if mkvextract {
            guard output == nil, format == nil, extraction.tracks == "all", extraction.report == nil
            else {
                throw ValidationError(
                    "--mkvextract cannot be combined with -o, --format, --tracks or --report")
            }
            _ = try MKVExtractArguments(inputs)
        }
        _ = try options()
    }

    private func window() throws -> TimeWindow {
        func time(_ text: String?, _ name: String) throws -> Timestamp? {
            guard let text else { return nil }
            guard let time = Timestamp(clock: text) else {
                throw ValidationError(
                    "\(name): '\(text.prefix(40))' is not a time; use 90, 1:30 or 01:02:03.5")
            }
            return time
        }
        let window = TimeWindow(from: try time(start, "--start"), until: try time(end, "--end"))
        if let start = window.start, let end = window.end, end <= start {
            throw ValidationError("--end must be later than --start")
        }
        return window
    }

    private func liveDuration() throws -> Duration? {
        guard let live else { return nil }
        guard let time = Timestamp(clock: live), time > .zero else {
            throw ValidationError(
                "--live: '\(live.prefix(40))' is not a duration; use 90, 5:00 or 1:30:00")
        }
        return Timestamp.zero.duration(to: time)
    }

    /// The extraction options that the arguments describe.
    func options() throws -> ExtractionOptions {
        var options = ExtractionOptions()
        try extraction.apply(to: &options)
        do {
            let isRecognizing = recognition.ocr != nil
            if format == nil, let output, let fileFormat = try Self.file(output) {
                options.format = FormatRequest(only: fileFormat, recognizing: isRecognizing)
            } else {
                options.format = try FormatRequest(
                    parsing: format ?? (isRecognizing ? "vtt" : "vtt,png"),
                    recognizing: isRecognizing)
            }
        } catch let error as UndertextError {
            throw ValidationError("--format: \(error)")
        }
        guard let path = ReadPathPreference(rawValue: io) else {
            throw ValidationError("--io: '\(io)' is not one of auto, index, walk, scan")
        }
        options.recognition = try recognition.options(for: options.format.bitmap)
        options.images = try images.options(makesText: options.format.onlyKind == .text)
        options.reading.frameRate = try images.frameRate()
        if options.format == .native, options.images.scale != nil || options.images.fillsCanvas {
            throw ValidationError(
                "--format native copies images unchanged; specify a format to use --scale or --canvas"
            )
        }
        options.reading.decoding = try images.decoding()
        options.window = try window()
        options.reading.liveDuration = try liveDuration()
        options.reading.io = path
        options.reading.ioBlock = try reading.block()
        options.reading.maxReadRate = try reading.rate()
        options.reading.charset = try charset.name()
        options.attachments = attachments
        switch output {
        case nil: options.destination = .besideInput
        case "-": options.destination = .standardOutput
        case let path?:
            try BatchRoots.validate([path])
            let isFile = try Self.file(path) != nil
            options.destination = isFile ? .file(path) : .directory(path)
        }
        return options
    }

    /// The subtitle format of an output file path; `nil` if the path is a folder or standard output.
    private static func file(_ path: String) throws -> SubtitleFormat? {
        guard path != "-", !path.hasSuffix("/") else { return nil }
        // A bucket is no file, also if its name ends as one.
        if S3Location.isLocation(path), (try? S3Location(path))?.key.isEmpty == true { return nil }
        let format = SubtitleFormat(path: path)
        // An existing folder is used as one despite its extension, except by image formats, which replace it.
        if format != .png, format != .bdn, FileSystem.isDirectory(path) { return nil }
        guard !SubtitleFormat.isNameWithoutWriter(path) else {
            throw ValidationError(
                "-o: '\(escapedForTerminal(path))': this format cannot be written")
        }
        return format
    }
}
