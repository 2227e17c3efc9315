internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextProviders

/// `undertext search`.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Searches online services for subtitles and downloads the selected ones.",
        discussion: """
            A video is identified by its name and by a hash of its length and both ends, which finds subtitles made \
            for this file. Any other argument is a title. Nothing is downloaded without --download, because services \
            count downloads.

            Downloads are written beside the video as NAME.LANG.EXT; for titles and URLs into the current folder. \
            Existing files are replaced only with --force, and are reported before anything is downloaded.

            SERVICES AND THEIR KEYS (environment)
              opensubtitles  OPENSUBTITLES_API_KEY; for the quota of an account also
                             OPENSUBTITLES_USERNAME and OPENSUBTITLES_PASSWORD
              assrt          ASSRT_TOKEN
              shooter        no key; closed since 2014, used only with --provider shooter

            EXAMPLES
              undertext search movie.mkv
              undertext search --languages en,pt-BR movie.mkv
              undertext search --languages en --download best movie.mkv
              undertext search --languages en --download best --sync movie.mkv
              undertext search --download 1,3 -o subs "Some Show S01E02"
              undertext search --imdb tt0133093 --json movie.mkv

            EXIT CODES
              0  found, and downloaded the selection       1  failed
              2  nothing found                             3  partly failed
            """)

    @Argument(
        help: ArgumentHelp(
            "A video (a file or URL), or a title.", valueName: "video|query"), completion: .file())
    var what: String

    @Option(
        help: ArgumentHelp(
            "Languages in order of preference, e.g. en,pt-BR. (default: all)", valueName: "lang,…"),
        completion: .languages)
    var languages: String?

    @Option(
        help: ArgumentHelp(
            "Services to query: opensubtitles, assrt, shooter. (default: all with a key)",
            valueName: "name,…"), completion: .providers)
    var provider: String?

    @Option(
        help: ArgumentHelp(
            "The IMDb ID, e.g. tt0133093; of the series if the name has an episode.",
            valueName: "id"))
    var imdb: String?

    @Option(
        help: ArgumentHelp(
            "The TMDB ID; of the series if the name has an episode.", valueName: "id"))
    var tmdb: String?

    @Option(
        help: ArgumentHelp(
            "Download these results, e.g. 1 or 1,3; 'best' is the first in each of --languages.",
            valueName: "n,…"), completion: .list(["best"]))
    var download: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The output folder.", valueName: "dir"), completion: .directory)
    var output: String?

    @Option(help: ArgumentHelp("The maximum number of results to list.", valueName: "n"))
    var limit = 25

    @Flag(
        help: ArgumentHelp(
            "Align the times of downloads with a subtitle track of the video, or with its speech; see undertext sync."
        ))
    var sync = false

    @Flag(help: "Replace existing files.")
    var force = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var verbosity: Verbosity

    /// The results to download.
    enum Picks: Hashable {
        case none
        case numbers([Int])
        case best
    }

    /// Validates option combinations that ArgumentParser cannot check.
    func validate() throws {
        _ = try (languageTags(), providerNames(), picks())
        _ = try (number(imdb, "--imdb", prefix: "tt"), number(tmdb, "--tmdb", prefix: ""))
        guard limit > 0 else { throw ValidationError("--limit: at least 1") }
        guard !sync || download != nil && SearchTarget.isFile(what) else {
            throw ValidationError("--sync needs --download and a video file")
        }
        guard !what.isEmpty, what != "-" else {
            throw ValidationError("specify a video file, a URL or a title")
        }
    }

    /// The requested languages.
    func languageTags() throws -> [LanguageTag] {
        try split(languages).map { text in
            guard let tag = LanguageTag(text) else {
                throw ValidationError(
                    "--languages: '\(text)' is not a language; use tags such as en")
            }
            return tag
        }
    }

    /// The providers to search; empty for all providers with a configured key.
    func providerNames() throws -> [String] {
        try split(provider).map { name in
            guard OnlineEnvironment.providerNames.contains(name) else {
                let known = OnlineEnvironment.providerNames.joined(separator: ", ")
                throw ValidationError("--provider: '\(name)' is not one of \(known)")
            }
            return name
        }
    }

    /// The results to download.
    func picks() throws -> Picks {
        guard let download else { return .none }
        if download == "best" { return .best }
        var numbers: [Int] = []
        for text in split(download) {
            guard let number = Int(text), number > 0 else {
                throw ValidationError(
                    "--download: '\(text)' is not a result number; use 1, 1,3 or best")
            }
            if !numbers.contains(number) { numbers.append(number) }
        }
        guard !numbers.isEmpty else {
            throw ValidationError(
                "--download: specify results, such as 1,3 or best")
        }
        return .numbers(numbers)
    }

    /// The query that the arguments describe.
    func query(_ console: Console) throws(UndertextError) -> OnlineQuery {
        var query: OnlineQuery
        if SearchTarget.isFile(what) {
            query = try OnlineAccess.query(forVideo: what, cancellation: console.cancellation)
        } else {
            query =
                SearchTarget.isVideoName(what)
                ? OnlineQuery(videoName: what) : OnlineQuery(text: what)
        }
        // `validate()` has checked this.
        query.languages = (try? languageTags()) ?? []
        query.imdbID = (try? number(imdb, "--imdb", prefix: "tt")) ?? nil
        query.tmdbID = (try? number(tmdb, "--tmdb", prefix: "")) ?? nil
        return query
    }

    private func split(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    private func number(_ text: String?, _ option: String, prefix: String) throws -> Int? {
        guard let text else { return nil }
        let digits = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
        guard let number = Int(digits), number > 0 else {
            throw ValidationError("\(option): '\(text)' is not an ID such as \(prefix)0133093")
        }
        return number
    }

    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        SearchRun(command: self, console: console).perform()
    }
}
