internal import ArgumentParser
internal import Undertext
internal import UndertextIO
internal import UndertextProviders

/// `undertext search`.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Looks for subtitles on the web, and downloads those that are picked.",
        discussion: """
            Of a video its name, its length and both its ends are looked at; a hash of them finds \
            subtitles made for this very file. Anything that is no file is words to look for. \
            Nothing is downloaded unless --download says which: providers count that.

            Downloads are written beside the video as NAME.LANG.EXT; words and URLs: into the \
            current folder. Files that are there already stay, and are told before anything is downloaded.

            PROVIDERS AND THEIR KEYS, from the environment
              opensubtitles  OPENSUBTITLES_API_KEY, and for an account's own quota
                             OPENSUBTITLES_USERNAME and OPENSUBTITLES_PASSWORD
              assrt          ASSRT_TOKEN
              shooter        no key; closed since 2014, asked only by --provider shooter

            EXAMPLES
              undertext search movie.mkv
              undertext search --languages en,pt-BR movie.mkv
              undertext search --languages en --download best movie.mkv
              undertext search --download 1,3 -o subs "Some Show S01E02"
              undertext search --imdb tt0133093 --json movie.mkv

            EXIT CODES
              0  found, and downloaded what was picked     1  failed
              2  nothing was found                         3  a part failed
            """)

    @Argument(
        help: ArgumentHelp(
            "A video (a file, or an URL), or words such as a title.", valueName: "video|query"))
    var what: String

    @Option(
        help: ArgumentHelp(
            "Languages, the best first, such as en,pt-BR; without it all.", valueName: "lang,…"))
    var languages: String?

    @Option(
        help: ArgumentHelp(
            "Who is asked: opensubtitles, assrt, shooter; without it those whose keys are there.",
            valueName: "name,…"))
    var provider: String?

    @Option(
        help: ArgumentHelp(
            "The number at IMDb, such as tt0133093; of the series where the name has an episode.",
            valueName: "id"))
    var imdb: String?

    @Option(
        help: ArgumentHelp(
            "The number at TMDB; of the series where the name has an episode.", valueName: "id"))
    var tmdb: String?

    @Option(
        help: ArgumentHelp(
            "Download these of the list, such as 1 or 1,3; 'best' is the first of each of --languages.",
            valueName: "n,…"))
    var download: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder to write into.", valueName: "dir"))
    var output: String?

    @Option(help: ArgumentHelp("List so many at most.", valueName: "n"))
    var limit = 25

    @Flag(help: "Replace files that are there already.")
    var force = false

    @Flag(help: "One JSON object on standard output.")
    var json = false

    @OptionGroup var verbosity: Verbosity

    /// Which results are downloaded.
    enum Picks: Hashable {
        case none
        case numbers([Int])
        case best
    }

    /// Checks what ArgumentParser cannot.
    func validate() throws {
        _ = try (languageTags(), providerNames(), picks())
        _ = try (number(imdb, "--imdb", prefix: "tt"), number(tmdb, "--tmdb", prefix: ""))
        guard limit > 0 else { throw ValidationError("--limit: at least 1") }
        guard !what.isEmpty, what != "-" else {
            throw ValidationError("name a video file, an URL, or words to look for")
        }
    }

    /// The languages that are asked for.
    func languageTags() throws -> [LanguageTag] {
        try split(languages).map { text in
            guard let tag = LanguageTag(text) else {
                throw ValidationError("--languages: '\(text)' is no language; use codes such as en")
            }
            return tag
        }
    }

    /// Who is asked; empty for those whose keys are there.
    func providerNames() throws -> [String] {
        try split(provider).map { name in
            guard OnlineEnvironment.providerNames.contains(name) else {
                let known = OnlineEnvironment.providerNames.joined(separator: ", ")
                throw ValidationError("--provider: '\(name)' is not one of \(known)")
            }
            return name
        }
    }

    /// What is downloaded.
    func picks() throws -> Picks {
        guard let download else { return .none }
        if download == "best" { return .best }
        var numbers: [Int] = []
        for text in split(download) {
            guard let number = Int(text), number > 0 else {
                throw ValidationError(
                    "--download: '\(text)' is no number of the list; use 1, 1,3 or best")
            }
            if !numbers.contains(number) { numbers.append(number) }
        }
        guard !numbers.isEmpty else { throw ValidationError("--download: which one?") }
        return .numbers(numbers)
    }

    /// What is looked for.
    func query(_ console: Console) throws(UndertextError) -> OnlineQuery {
        var query: OnlineQuery
        if SearchTarget.isFile(what) {
            query = try OnlineAccess.query(forVideo: what, cancellation: console.cancellation)
        } else {
            query =
                SearchTarget.isVideoName(what)
                ? OnlineQuery(videoName: what) : OnlineQuery(text: what)
        }
        // Checked before.
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
            throw ValidationError("\(option): '\(text)' is no number, such as \(prefix)0133093")
        }
        return number
    }

    /// Runs the command and gives its exit code.
    func execute(_ console: Console) -> Int32 {
        SearchRun(command: self, console: console).perform()
    }
}
