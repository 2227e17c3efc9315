internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// `undertext convert`.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a subtitle file to another format.",
        discussion: """
            The content of the input and the name of the output determine the formats; --from checks the first, \
            --to overrides the second. Bitmap formats: .sup, .idx with its .sub, and folders of PNG images with BDN \
            XML (the folder or its index.xml). Text is written in the other formats, and from images with --ocr. A \
            script that stays the same kind of script keeps every line. The charset of text is detected: UTF-8 and \
            UTF-16 reliably, others by a guess; --charset overrides it.

            Images as .json become a folder of that name with index.json and PNG files. As .jsonl, and on standard \
            output, they are part of the JSON. The times of an image folder are those of its index.json if it lists \
            the same images as its BDN XML. An output that ends in '/' is a folder, and its file is named as by \
            extract; otherwise the parent directory of the output must exist.

            Content that the new format cannot represent is reported and is not an error.

            EXAMPLES
              undertext convert film.sup film.idx
              undertext convert film.idx film.images
              undertext convert film.images/index.xml film.sup
              undertext convert --scale 720x576 film.sup film.idx
              undertext convert film.ass film.vtt
              undertext convert --charset windows-1251 old.srt new.srt
              undertext convert --shift -1.4 film.srt film.vtt
              undertext convert --fps 25 movie.sub movie.srt
              undertext convert --speed 25:23.976 pal.srt film.srt
              undertext convert --ocr en film.sup film.srt
              undertext convert --to json film.srt -
              undertext convert s3://bucket/film.ass s3://bucket/film.vtt
            """)

    @Argument(
        help: ArgumentHelp(
            "A file, a folder of images, a URL, or '-' for standard input.", valueName: "input"),
        completion: .file())
    var input: String

    @Argument(
        help: ArgumentHelp(
            "A file, a folder (for images, or a path that ends in '/'), s3://BUCKET/KEY, or '-' for standard output.",
            valueName: "output"), completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "The format of the input, which is checked: \(SubtitleFormat.inputs.names).",
            valueName: "f"), completion: .inputFormat)
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The format of the output: \(SubtitleFormat.outputs.names).", valueName: "f"),
        completion: .outputFormat)
    var to: String?

    @OptionGroup var extraction: ExtractionArguments

    @OptionGroup var images: ImageArguments

    @OptionGroup var recognition: RecognitionArguments

    @OptionGroup var charset: CharsetArgument

    @OptionGroup var text: TextArguments

    @OptionGroup var verbosity: Verbosity

    /// Validates option combinations that ArgumentParser cannot check.
    func validate() throws {
        try extraction.check(output: output, named: "an output '-'")
        try BatchRoots.validate([output])
        _ = try options()
    }

    /// The extraction options that the arguments describe.
    func options() throws -> ExtractionOptions {
        var options = ExtractionOptions()
        try extraction.apply(to: &options)
        let format = try outputFormat()
        options.format = format.map { FormatRequest(text: $0, bitmap: $0) } ?? .standard
        options.recognition = try recognition.options(for: options.format.bitmap)
        options.reading.inputFormat = try from.map { name in
            do throws(UndertextError) {
                return try SubtitleFormat.input(named: name)
            } catch {
                throw ValidationError("--from: \(error)")
            }
        }
        options.images = try images.options(
            makesText: format?.takes.contains(.text) ?? false)
        options.reading.frameRate = try images.frameRate()
        options.reading.decoding = try images.decoding()
        options.copiesText = true
        options.allowsOtherExtensions = true
        options.reading.charset = try charset.name()
        options.reading.retiming = try text.retiming()
        options.stripsStyling = text.stripStyling
        options.destination = output == "-" ? .standardOutput : .file(output)
        return options
    }

    /// The output format from `--to` or OUTPUT's extension; `nil` for a folder, where each track kind has its
    /// default.
    private func outputFormat() throws -> SubtitleFormat? {
        if let to {
            do throws(UndertextError) {
                return try SubtitleFormat.output(named: to)
            } catch {
                throw ValidationError("--to: \(error)")
            }
        }
        if output.hasSuffix("/") { return nil }
        guard !SubtitleFormat.isNameWithoutWriter(output) else {
            throw ValidationError("'\(output)': this format cannot be written")
        }
        guard let format = SubtitleFormat(path: output) else {
            let endings = SubtitleFormat.outputs.compactMap(\.fileExtensions.first)
            throw ValidationError(
                "'\(output)' has no extension of a known format; use --to, or one of the extensions ."
                    + endings.joined(separator: " ."))
        }
        return format
    }

    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        guard let options = try? options() else { return ExitStatus.usage }
        if to != nil, !verbosity.quiet, let implied = SubtitleFormat(path: output),
            let format = options.format.bitmap, !implied.makes(sameFilesAs: format)
        {
            console.say(
                "warning: '\(output)' is named as \(implied.name) but is written as "
                    + format.name)
        }
        return ExtractionRun(
            inputs: [input], options: options, command: .convert, report: extraction.report,
            verbosity: verbosity
        ).perform(console)
    }
}
