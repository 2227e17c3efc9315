internal import Undertext
internal import UndertextAlignment
internal import UndertextCore
internal import UndertextProviders

/// The search results as one JSON object; unknown values are null.
enum SearchJSON {
    static func document(
        _ outcome: OnlineSearch.Outcome, _ query: OnlineQuery, listed: [OnlineSubtitle],
        _ downloads: [SearchDownload]
    ) -> JSON {
        .object([
            .init("query", json(query)),
            .init("results", .array(listed.enumerated().map { json($0.element, $0.offset + 1) })),
            .init("further", .integer(outcome.subtitles.count - listed.count + outcome.further)),
            .init("downloads", .array(downloads.map(json))),
            .init("errors", .array(outcome.failures.map(json))),
            .init("attributions", .array(outcome.attributions.map { .string($0) })),
        ])
    }

    private static func json(_ query: OnlineQuery) -> JSON {
        .object([
            .init("text", .optional(query.text)), .init("fileName", .optional(query.fileName)),
            .init("year", number(query.year)), .init("season", number(query.season)),
            .init("episode", number(query.episode)), .init("imdb", number(query.imdbID)),
            .init("tmdb", number(query.tmdbID)),
            .init("languages", .array(query.languages.map { .string($0.rawValue) })),
            .init("movieHash", .optional(query.movieHash?.description)),
        ])
    }

    private static func json(_ subtitle: OnlineSubtitle, _ number: Int) -> JSON {
        .object([
            .init("number", .integer(number)), .init("provider", .string(subtitle.provider)),
            .init("id", .string(subtitle.id)),
            .init("languages", .array(subtitle.languages.map { .string($0.rawValue) })),
            .init("match", .string(subtitle.match.rawValue)),
            .init("release", .optional(subtitle.release)),
            .init("fileName", .optional(subtitle.fileName)),
            .init("format", .optional(subtitle.format)), .init("forced", .bool(subtitle.isForced)),
            .init("hearingImpaired", .bool(subtitle.isHearingImpaired)),
            .init("machineTranslated", .bool(subtitle.isMachineTranslated)),
            .init("trusted", .bool(subtitle.isTrusted)),
            .init("downloads", Self.number(subtitle.downloads)),
            .init("rating", subtitle.rating.map { .decimal($0) } ?? .null),
            .init("frameRate", subtitle.frameRate.map { .decimal($0) } ?? .null),
            .init("disc", Self.number(subtitle.disc)),
            .init("delay", subtitle.delay.map { .decimal(SearchText.seconds($0)) } ?? .null),
            .init("title", .optional(subtitle.title)), .init("year", Self.number(subtitle.year)),
            .init("season", Self.number(subtitle.season)),
            .init("episode", Self.number(subtitle.episode)),
            .init("imdb", Self.number(subtitle.imdbID)),
            .init("tmdb", Self.number(subtitle.tmdbID)), .init("page", .optional(subtitle.page)),
        ])
    }

    private static func json(_ download: SearchDownload) -> JSON {
        .object([
            .init("number", .integer(download.number)),
            .init("provider", .string(download.subtitle.provider)),
            .init("id", .string(download.subtitle.id)),
            .init(
                "outputs",
                .array(
                    download.outputs.map {
                        .object([
                            .init("file", .string($0.path)), .init("bytes", .integer($0.size)),
                        ])
                    })),
            .init("leftOut", .array(download.leftOut.map { .string($0) })),
            .init("reference", download.reference.map(SyncJSON.reference) ?? .null),
            .init("alignment", download.alignment.map(SyncJSON.alignment) ?? .null),
            .init("remaining", number(download.quota?.remaining)),
            .init("reset", .optional(download.quota?.reset)),
            .init("error", download.error.map(json) ?? .null),
        ])
    }

    private static func json(_ error: UndertextError) -> JSON {
        .object([
            .init("provider", .optional(error.service.name)),
            .init("code", .string(error.code.name)),
            .init("message", .string(error.description)),
            .init("status", number(error.service.status)),
            .init(
                "retryAfter",
                error.service.retryAfter.map { .integer($0.components.seconds) } ?? .null),
            .init("remaining", number(error.service.quota?.remaining)),
            .init("reset", .optional(error.service.quota?.reset)),
        ])
    }

    private static func number(_ value: Int?) -> JSON { value.map { .integer($0) } ?? .null }
}
