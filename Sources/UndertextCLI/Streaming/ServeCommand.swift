internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextProviders
internal import UndertextServer
internal import UndertextStreaming

/// `undertext serve`.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Adds subtitles to an HLS stream on its way to the player.",
        discussion: """
            Prints the URL for players: the upstream's master playlist with a subtitle group on every variant. \
            Players fetch audio and video from the upstream. Subtitles are WebVTT segments that are cut where the \
            media segments are, on the clock of the media, also for live streams. Nothing is decrypted.

            --local serves a folder made by 'undertext hls package'.

            By default only this machine can connect; --host listens on another address. Requests must use an IP \
            address, localhost or a --name as their host. Pages of other origins can read responses only with --cors.

            EXAMPLES
              undertext serve --upstream https://host/master.m3u8 --subtitle en=film.srt
              undertext serve --upstream URL --subtitle de:Deutsch:default=de.vtt
              undertext serve --upstream URL --subtitle en:sdh=a.ttml --host 0.0.0.0
              undertext serve --upstream URL --subtitle en=a.vtt --port 8000
              undertext serve --local packaged --cors '*'
            """)

    @Option(
        help: ArgumentHelp(
            "The URL of a master or media playlist.", valueName: "url"))
    var upstream: String?

    @OptionGroup var side: SideArguments

    @Option(
        help: ArgumentHelp(
            "The date at which subtitle times begin, for live streams with dates, e.g. "
                + "2026-03-01T20:15:00Z. (default: that of the first available segment)",
            valueName: "date"))
    var zeroDate: String?

    @Option(help: ArgumentHelp("Serve this folder.", valueName: "dir"), completion: .directory)
    var local: String?

    @Option(
        help: ArgumentHelp("The address to listen on.", valueName: "address"),
        completion: .list(["127.0.0.1", "0.0.0.0", "::1", "::"]))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port; 0 = any free port.", valueName: "n"))
    var port: UInt16 = 8080

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A host name of this server. May be repeated.", valueName: "name"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "The origin whose pages may read responses: https://example.com, or '*' for all.",
            valueName: "origin"))
    var cors: String?

    @OptionGroup var verbosity: Verbosity

    /// Validates option combinations that ArgumentParser cannot check.
    func validate() throws {
        guard (upstream == nil) != (local == nil) else {
            throw ValidationError("specify --upstream URL or --local DIR")
        }
        if let upstream {
            guard URI(upstream).isHTTP else {
                throw ValidationError(
                    "--upstream: '\(escapedForTerminal(upstream))' is not an http or https URL; use "
                        + "'undertext hls package' for files")
            }
            guard !URI(upstream).hasCredentials else {
                throw ValidationError(
                    "--upstream: players would receive the name and password of the URL; remove them"
                )
            }
            guard !side.subtitle.isEmpty else {
                throw ValidationError("--subtitle: specify the subtitles to add")
            }
        } else if !side.subtitle.isEmpty {
            throw ValidationError(
                "--subtitle requires --upstream; use 'undertext hls package' to add subtitles to a folder"
            )
        } else if let option = zeroDate == nil ? side.named.first : "--zero-date" {
            throw ValidationError("\(option) requires --upstream; a folder is served unchanged")
        }
        if let zeroDate, ISO8601.date(zeroDate) == nil {
            throw ValidationError(
                "--zero-date: '\(escapedForTerminal(zeroDate))' is not a date such as 2026-03-01T20:15:00Z"
            )
        }
        if let cors, cors != "*" {
            let origin = URI(cors)
            guard origin.isHTTP, origin.path.isEmpty, origin.query == nil, origin.fragment == nil,
                HTTPHeader("Access-Control-Allow-Origin", cors).isWellFormed
            else {
                throw ValidationError(
                    "--cors: '\(escapedForTerminal(cors))' is not an origin; use https://example.com (no "
                        + "trailing slash) or '*'")
            }
        }
        try side.check()
    }

    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        guard HTTPServer.isAvailable else {
            console.fail("this build has no server; build with the package trait Server")
            return ExitStatus.usage
        }
        do throws(UndertextError) {
            let rules = ServerRules(
                try site(console), names: name + [host], origin: cors)
            try serve(rules, console)
            return ExitStatus.success
        } catch {
            if error.code != .cancelled { console.fail(error) }
            return ExitStatus.nothing
        }
    }

    private func site(_ console: Console) throws(UndertextError) -> any ServerSite {
        if let local { return try LocalFolderSite(local) }
        var fetching = UpstreamReader.options
        // A player waits for the response and repeats its request.
        fetching.retries = 1
        fetching.longestWait = .seconds(2)
        let reader = UpstreamReader(
            url: upstream ?? "", fetcher: OnlineAccess.fetcher(), options: fetching,
            cancellation: console.cancellation)
        var options = SideLoadedSite.Options()
        options.mediaStart = (try? side.mediaStartTicks()) ?? nil
        options.zeroDate = zeroDate.flatMap(ISO8601.date)
        let (quiet, verbose) = (verbosity.quiet, verbosity.verbose)
        let loaded = try side.load(console)
        for diagnostic in loaded.diagnostics {
            if diagnostic.severity == .info, !verbose { continue }
            if !quiet || diagnostic.severity == .error {
                console.say(diagnostic.text(for: .other))
            }
        }
        let site = SideLoadedSite(reader, SubtitleInjection(loaded.subtitles), options: options) {
            diagnostic in
            guard !quiet, verbose || diagnostic.severity != .info else { return }
            console.say(diagnostic.text(for: .other))
        }
        try site.open()
        return site
    }

    private func serve(_ rules: ServerRules, _ console: Console) throws(UndertextError) {
        let shownHost = host.contains(":") ? "[\(host)]" : host
        let path = upstream != nil || hasMaster ? SideLoadedSite.masterPath : "/"
        try HTTPServer(host: host, port: Int(port))
            .run(rules, console, address: { "http://\(shownHost):\($0)\(path)" })
    }

    private var hasMaster: Bool {
        local.map { FileSystem.exists(PathName.joining($0, "master.m3u8")) } ?? false
    }
}
