internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextStreaming

/// Arguments for subtitles added to a presentation, and for their timing.
struct SideArguments: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Subtitles to add: a language, optionally a name and the words forced, sdh and default, then "
                + "a file or URL. May be repeated.",
            valueName: "lang[:name][:word…]=file"))
    var subtitle: [String] = []

    @Option(
        help: ArgumentHelp(
            "The media clock at the start of the media, if the media do not state it: seconds or "
                + "[H:]MM:SS.mmm (1.4 for FFmpeg's transport streams). Not for live streams.",
            valueName: "time"))
    var mediaStart: String?

    @OptionGroup var charset: CharsetArgument

    @OptionGroup var text: TextArguments

    /// One parsed `--subtitle` argument.
    struct Request: Hashable {
        var language: LanguageTag?
        var name: String?
        var isForced = false
        var isSDH = false
        var isDefault = false
        var input: String
    }

    /// The names of the options in use that change or retime subtitles.
    var named: [String] {
        let all: [(String, Bool)] = [
            ("--media-start", mediaStart != nil), ("--charset", charset.charset != nil),
            ("--shift", text.shift != nil), ("--speed", text.speed != nil),
            ("--strip-styling", text.stripStyling),
        ]
        return all.filter(\.1).map(\.0)
    }

    /// Validates option combinations that ArgumentParser cannot check.
    func check() throws {
        _ = try (requests(), mediaStartTicks(), charset.name(), text.retiming())
    }

    /// The subtitles to add.
    func requests() throws -> [Request] { try subtitle.map(Self.request) }

    /// The value of `--media-start` in ticks of 90 kHz.
    func mediaStartTicks() throws -> Int64? {
        guard let mediaStart else { return nil }
        guard let time = Timestamp(clock: mediaStart), time >= .zero,
            let ticks = time.ticks(in: .mpeg)
        else {
            throw ValidationError(
                "--media-start: '\(escapedForTerminal(mediaStart))' is not a time, such as 1.4")
        }
        return ticks
    }

    private static func request(_ text: String) throws -> Request {
        let form = "write it as en=film.srt or en:English:sdh=film.srt"
        let shown = escapedForTerminal(text)
        guard let sign = text.firstIndex(of: "="), text.index(after: sign) < text.endIndex else {
            throw ValidationError("--subtitle: '\(shown)' has no file; \(form)")
        }
        var request = Request(input: String(text[text.index(after: sign)...]))
        let parts = text[..<sign].split(separator: ":", omittingEmptySubsequences: false)
            .map(String.init)
        request.language = LanguageTag.isWellFormed(parts[0]) ? LanguageTag(parts[0]) : nil
        guard request.language != nil || parts[0].lowercased() == PackageName.undetermined else {
            throw ValidationError(
                "--subtitle: '\(shown)' does not begin with a BCP 47 language tag such as en or pt-BR, "
                    + "or und; \(form)")
        }
        for part in parts.dropFirst() {
            switch part {
            case "forced": request.isForced = true
            case "sdh": request.isSDH = true
            case "default": request.isDefault = true
            default:
                guard request.name == nil, !part.isEmpty else {
                    throw ValidationError("--subtitle: '\(shown)' has two names; \(form)")
                }
                request.name = part
            }
        }
        return request
    }

    /// Reads the subtitles.
    func load(_ console: Console) throws(UndertextError) -> SideLoader {
        var options = Media.Options()
        options.cancellation = console.cancellation
        // `check()` has validated this.
        options.charset = (try? charset.name()) ?? nil
        options.retiming = (try? text.retiming()) ?? .none
        var loader = SideLoader()
        for request in (try? requests()) ?? [] {
            try loader.load(request, options, strippingStyles: text.stripStyling)
        }
        return loader
    }
}
