public import UndertextCore
internal import UndertextIO

/// A client of Assrt (assrt.net), mostly for Chinese subtitles, API version 1.
///
/// The service allows twenty requests per minute, including searches; details are requested only for downloads.
public final class Assrt: SubtitleProvider {
    /// `assrt`.
    public let name = "assrt"
    /// The attribution that its terms require, with a link to <https://assrt.net>.
    public var attribution: String? { "字幕服务由assrt.net提供 (https://assrt.net)" }
    /// The URL of the service.
    public static let defaultServer = "https://api.assrt.net/v1"

    private let server: ServiceAddress
    private let token: Secret
    private let connection: ProviderConnection
    /// Shorter words are refused by the service.
    private static let shortestQuery = 3

    /// Creates a provider without a request.
    ///
    /// - Parameters:
    ///   - token: The user's token from assrt.net.
    ///   - userAgent: The name and version of the application.
    ///   - server: The URL of the service: https, or http on this machine.
    ///   - fetcher: The HTTP client, see ``OnlineAccess/fetcher()``.
    /// - Throws: `UndertextError` with code `missing-key` or `unsupported`.
    public convenience init(
        token: Secret, userAgent: String, server: String = Assrt.defaultServer,
        fetcher: any Fetcher = OnlineAccess.fetcher()
    ) throws(UndertextError) {
        try self.init(
            token: token, userAgent: userAgent, server: server, fetcher: fetcher, clock: .system)
    }

    init(
        token: Secret, userAgent: String, server: String, fetcher: any Fetcher, clock: JobClock
    ) throws(UndertextError) {
        guard !token.value.isEmpty else {
            throw UndertextError(
                .missingKey, "a token is needed; assrt.net gives one to its users",
                provider: "assrt")
        }
        guard let server = ServiceAddress(server) else {
            throw UndertextError(
                .unsupported, "'\(server)' is not an https URL", provider: "assrt")
        }
        self.server = server
        self.token = token
        connection = ProviderConnection(
            provider: name, fetcher: fetcher, pace: RequestPace(20, in: .seconds(60)), clock: clock,
            secrets: [token], userAgent: userAgent)
    }

    /// Searches by the video's name, then by title, season and episode.
    public func search(
        _ query: OnlineQuery, cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineResults {
        let searches = Self.searches(for: query)
        guard !searches.isEmpty else {
            throw connection.failure(
                .refused, "the query is too short; use a title of three letters or more")
        }
        for search in searches {
            let answer = try ask("/sub/search?\(QueryText.encoded(search))", cancellation)
            let found = AssrtAnswer.subtitles(answer, provider: name).filter { subtitle in
                subtitle.languages.isEmpty
                    || subtitle.languages.contains { query.rank(of: $0) != nil }
            }
            if !found.isEmpty {
                return OnlineResults(subtitles: Ranking.ranked(found, for: query))
            }
        }
        return OnlineResults(total: 0)
    }

    /// The parameters of the searches for a query, the best first.
    static func searches(for query: OnlineQuery) -> [[(String, String)]] {
        var words = query.text.map { [$0] } ?? []
        if let episode = query.episode {
            words.append("S\(zeroPadded(query.season ?? 1, to: 2))E\(zeroPadded(episode, to: 2))")
        } else if let year = query.year {
            words.append(String(year))
        }
        var searches: [[(String, String)]] = []
        if let name = query.fileName, name.unicodeScalars.count >= shortestQuery {
            searches.append([("cnt", "15"), ("is_file", "1"), ("q", name)])
        }
        let text = words.joined(separator: " ")
        if query.text != nil, text.unicodeScalars.count >= shortestQuery {
            searches.append([("cnt", "15"), ("q", text)])
        }
        return searches
    }

    /// Requests the file list of a subtitle, selects a file and downloads it.
    public func download(
        _ subtitle: OnlineSubtitle, for query: OnlineQuery,
        cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineDownload {
        let answer = try ask(
            "/sub/detail?\(QueryText.encoded([("id", subtitle.id)]))", cancellation)
        guard let entry = AssrtAnswer.entries(answer).first else {
            throw connection.failure(.notFound, "subtitle \(subtitle.id) is not there any more")
        }
        let files = AssrtAnswer.files(entry)
        let ranked = FileChoice.ranked(files.map(\.name), for: query)
        let chosen: (name: String, url: String)
        if let best = ranked.first {
            chosen = files[best]
        } else if let url = entry["url"]?.text {
            chosen = (entry["filename"]?.text ?? "\(subtitle.id).zip", url)
        } else {
            throw connection.failure(.malformedAnswer, "the response has no subtitle file")
        }
        var download = try fetch(chosen, query, cancellation)
        var taken: Set<String> = [chosen.name]
        // The images of an .idx file are a file of their own in the list.
        if download.files.count == 1, download.files[0].fileExtension == "idx" {
            let stem = chosen.name.dropLast(3)
            guard
                let other = files.first(where: { $0.name.lowercased() == stem.lowercased() + "sub" }
                )
            else {
                throw connection.failure(
                    .malformedAnswer, "the .idx file comes without its .sub file")
            }
            var images = try fetch(other, query, cancellation).files
            images[0].fileExtension = "sub"
            download.files += images
            taken.insert(other.name)
        }
        download.leftOut += ranked.map { files[$0].name }.filter { !taken.contains($0) }
        return download
    }

    private func fetch(
        _ file: (name: String, url: String), _ query: OnlineQuery, _ cancellation: Cancellation
    ) throws(UndertextError) -> OnlineDownload {
        try connection.download(
            file.url, toldBy: server, name: file.name, for: query, cancellation)
    }

    private func ask(_ path: String, _ cancellation: Cancellation) throws(UndertextError) -> JSON {
        var request = HTTPRequest(.get, server.text + path)
        request.headers = [
            HTTPHeader("Accept", "application/json"),
            HTTPHeader("Authorization", "Bearer \(token.value)", isSecret: true),
        ]
        request.redirects = .sameOrigin
        request.bodyLimit = ProviderConnection.answerLimit
        let response = try connection.send(request, mayRepeat: true, cancellation)
        let answer: JSON
        do throws(UndertextError) {
            answer = try connection.json(response)
        } catch {
            guard response.isSuccess else { throw refusal(response, nil) }
            throw error
        }
        // 0 is success, regardless of the HTTP status.
        guard response.isSuccess, answer["status"]?.wholeNumber ?? 0 == 0 else {
            throw refusal(response, answer)
        }
        return answer
    }

    private func refusal(_ response: HTTPResponse, _ answer: JSON?) -> UndertextError {
        let number = answer?["status"]?.wholeNumber ?? 0
        let (code, message): (UndertextError.Code, String) =
            switch (number, response.status) {
            case (20001, _), (_, 401), (_, 403): (.unauthorized, "the token was refused; check it")
            case (20900, _), (_, 404): (.notFound, "it is not there any more")
            case (30900, _): (.rateLimited, "more than 20 requests in a minute; wait a minute")
            case (101, _): (.refused, "the query is too short")
            default: (.refused, "the request was refused")
            }
        let said = answer?["errmsg"]?.text ?? "HTTP status \(response.status)"
        var error = connection.failure(
            code, message, response, said: number == 0 ? said : "\(said), error \(number)")
        if code == .rateLimited { error.service.retryAfter = .seconds(60) }
        return error
    }
}
