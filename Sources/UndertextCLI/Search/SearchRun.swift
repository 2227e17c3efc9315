internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextProviders

/// Runs `undertext search`: searches, lists, downloads, and reports failures.
struct SearchRun {
    let command: SearchCommand
    let console: Console

    /// A result and its number in the list.
    typealias Numbered = (number: Int, subtitle: OnlineSubtitle)

    /// Runs the search and returns the exit code.
    func perform() -> Int32 {
        do throws(UndertextError) {
            let search = OnlineSearch(try providers())
            defer { search.finish(cancellation: console.cancellation) }
            let query = try command.query(console)
            let outcome = search.search(query, cancellation: console.cancellation)
            for failure in outcome.failures { report(failure) }
            if console.cancellation.isCancelled { return ExitStatus.nothing }
            var downloads: [SearchDownload] = []
            let picked = try picks(of: outcome, query)
            let missing = outcome.subtitles.isEmpty ? [] : missing(among: picked, query)
            for language in missing { reportMissing(language) }
            if !picked.isEmpty {
                downloads = try SearchDownloads(
                    command: command, console: console, search: search, query: query,
                    alignment: command.sync
                        ? DownloadAlignment(
                            of: command.what, picked.first?.subtitle, command, console)
                        : nil
                ).perform(picked)
            }
            try write(outcome, query, downloads)
            let code = code(outcome, downloads)
            guard code == ExitStatus.success, !missing.isEmpty else { return code }
            return picked.isEmpty ? ExitStatus.noTrack : ExitStatus.partial
        } catch {
            report(error)
            return ExitStatus.nothing
        }
    }

    private func providers() throws(UndertextError) -> [any SubtitleProvider] {
        guard OnlineAccess.isAvailable else {
            throw UndertextError(
                .unsupported, "this build has no online search; build with --enable-all-traits")
        }
        let environment = OnlineEnvironment()
        // `validate()` has checked this.
        var names = (try? command.providerNames()) ?? []
        if names.isEmpty { names = environment.configuredNames }
        guard !names.isEmpty else {
            throw UndertextError(
                .missingKey,
                "no service is configured: set OPENSUBTITLES_API_KEY or ASSRT_TOKEN (see undertext "
                    + "search --help)")
        }
        var providers: [any SubtitleProvider] = []
        for name in names {
            providers.append(
                try environment.provider(name, userAgent: "undertext v\(undertextVersion)"))
        }
        return providers
    }

    /// The results to download.
    private func picks(
        of outcome: OnlineSearch.Outcome, _ query: OnlineQuery
    ) throws(UndertextError) -> [Numbered] {
        let found = outcome.subtitles
        switch (try? command.picks()) ?? .none {
        case .none: return []
        case .numbers(let numbers):
            // The exit code reports that nothing was found.
            guard !found.isEmpty else { return [] }
            guard let last = numbers.max(), last <= found.count else {
                throw UndertextError(
                    .notFound,
                    "--download: there is no result \(numbers.max() ?? 0); the number of results is "
                        + "\(found.count)")
            }
            return numbers.map { ($0, found[$0 - 1]) }
        case .best:
            guard !query.languages.isEmpty else { return found.prefix(1).map { (1, $0) } }
            var seen: Set<Int> = []
            return found.enumerated().compactMap { index, subtitle in
                guard let rank = subtitle.language.flatMap({ query.rank(of: $0) }),
                    seen.insert(rank).inserted
                else { return nil }
                return (index + 1, subtitle)
            }
        }
    }

    /// The languages of `--download best` without a result.
    private func missing(among picked: [Numbered], _ query: OnlineQuery) -> [LanguageTag] {
        guard case .best? = try? command.picks() else { return [] }
        let ranks = Set(picked.compactMap { $0.subtitle.language.flatMap(query.rank(of:)) })
        return query.languages.indices.filter { !ranks.contains($0) }.map { query.languages[$0] }
    }

    private func reportMissing(_ language: LanguageTag) {
        console.fail(
            "no result is known to be in \(language.rawValue), so nothing is downloaded; run without "
                + "--download to list the results")
    }

    private func write(
        _ outcome: OnlineSearch.Outcome, _ query: OnlineQuery, _ downloads: [SearchDownload]
    ) throws(UndertextError) {
        let listed = outcome.subtitles.prefix(command.limit)
        let output = StandardOutput()
        do throws(UndertextError) {
            if command.json {
                let document = SearchJSON.document(
                    outcome, query, listed: Array(listed), downloads)
                try output.write(document.pretty + [0x0A])
            } else if command.download == nil {
                for (index, subtitle) in listed.enumerated() {
                    try output.write(SearchText.line(index + 1, subtitle) + "\n")
                }
            } else {
                for file in downloads.flatMap(\.outputs) {
                    try output.write(escapedForTerminal(file.path) + "\n")
                }
            }
            try output.flush()
        } catch {
            console.endIfReaderLeft(error)
            throw error
        }
        guard !command.verbosity.quiet else { return }
        if outcome.subtitles.isEmpty, outcome.failures.isEmpty {
            console.say("no results; try another title, or --imdb ID")
        }
        let further = outcome.subtitles.count - listed.count
        if !command.json, command.download == nil, further + outcome.further > 0 {
            console.say(
                "\(further + outcome.further) more results"
                    + (further > 0 ? "; use --limit to list more" : ", less similar to the query"))
        }
        for attribution in outcome.attributions { console.say(attribution) }
    }

    private func report(_ error: UndertextError) { console.fail(error.description) }

    private func code(_ outcome: OnlineSearch.Outcome, _ downloads: [SearchDownload]) -> Int32 {
        guard !outcome.subtitles.isEmpty else {
            return outcome.failures.isEmpty ? ExitStatus.noTrack : ExitStatus.nothing
        }
        let failed = downloads.filter { $0.error != nil }.count
        if failed > 0, failed == downloads.count { return ExitStatus.nothing }
        if downloads.contains(where: \.isUnaligned) { return ExitStatus.partial }
        return failed > 0 || !outcome.failures.isEmpty ? ExitStatus.partial : ExitStatus.success
    }
}
