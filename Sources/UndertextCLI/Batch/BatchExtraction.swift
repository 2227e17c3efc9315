internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextFormats

/// What is extracted from each input: the options of `extract` that make sense for many inputs.
struct BatchExtraction: ParsableArguments {
    @OptionGroup var extraction: ExtractionArguments

    @Option(
        help: ArgumentHelp(
            "native, or one text format and one bitmap format of: \(SubtitleFormat.outputs.names). "
                + "(default: vtt,png; with --ocr vtt)",
            valueName: "f[,f]"), completion: .outputFormats)
    var format: String?

    @Option(
        help: ArgumentHelp(
            "How to find packets: index, walk, scan, or auto; see 'undertext extract --help'.",
            valueName: "path"), completion: .list(["auto", "index", "walk", "scan"]))
    var io = "auto"

    @OptionGroup var images: ImageArguments

    @OptionGroup var recognition: RecognitionArguments

    @OptionGroup var charset: CharsetArgument

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only cues on screen at or after this time.", valueName: "time"))
    var start: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only cues on screen before this time.", valueName: "time"))
    var end: String?

    /// The arguments of `extract` that decide the outputs, in a fixed order, without those that have their defaults.
    ///
    /// Inputs that were done with other arguments are done again.
    var arguments: [String] {
        var list: [String] = []
        func add(_ name: String, _ value: String?) {
            if let value { list += ["--\(name)=\(value)"] }
        }
        func add(_ name: String, if isSet: Bool) {
            if isSet { list.append("--\(name)") }
        }
        add("tracks", extraction.tracks == "all" ? nil : extraction.tracks)
        add("language", extraction.language)
        add("forced-only", if: extraction.forcedOnly)
        add("timeline", extraction.timeline == "player" ? nil : extraction.timeline)
        add("roll-up", extraction.rollUp == "screens" ? nil : extraction.rollUp)
        add("non-drop", if: extraction.nonDrop)
        add("strict", if: extraction.strict)
        add("format", format)
        add("io", io == "auto" ? nil : io)
        add("fps", images.fps)
        add("scale", images.scale)
        add("canvas", if: images.canvas)
        add("merge-fades", if: images.mergeFades)
        add("color-matrix", images.colorMatrix == "auto" ? nil : images.colorMatrix)
        add("ocr", recognition.ocr)
        add("charset", charset.charset)
        add("start", start)
        add("end", end)
        return list
    }

    /// The engine's options, checked as `extract` checks them.
    func options() throws -> ExtractionOptions {
        try extraction.check(output: nil, named: "-o -")
        var options: ExtractionOptions
        do {
            options = try ExtractCommand.parse(arguments + ["--", "input"]).options()
        } catch {
            // An error of another command would be reported with the usage of that one.
            throw ValidationError(ExtractCommand.message(for: error))
        }
        options.existing = extraction.force ? .replace : extraction.skipExisting ? .skip : .refuse
        return options
    }
}
