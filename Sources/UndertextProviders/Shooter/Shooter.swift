public import UndertextCore
internal import UndertextIO

/// A client of Shooter (shooter.cn), which identifies videos only by a hash.
///
/// The site closed in 2014, but compatible servers exist, so it is used only if requested explicitly.
public final class Shooter: SubtitleProvider {
    /// `shooter`.
    public let name = "shooter"
    /// The URL of the former service.
    public static let defaultServer = "https://www.shooter.cn/api/subapi.php"

    private let server: ServiceAddress
    private let connection: ProviderConnection
    /// The whole answer where there is nothing.
    private static let nothing: [UInt8] = [0xFF]

    /// Creates a provider without a request.
    ///
    /// - Parameters:
    ///   - userAgent: The name and version of the application.
    ///   - server: The URL of the service: https, or http on this machine.
    ///   - fetcher: The HTTP client, see ``OnlineAccess/fetcher()``.
    /// - Throws: `UndertextError` with code `unsupported`.
    public convenience init(
        userAgent: String, server: String = Shooter.defaultServer,
        fetcher: any Fetcher = OnlineAccess.fetcher()
    ) throws(UndertextError) {
        try self.init(userAgent: userAgent, server: server, fetcher: fetcher, clock: .system)
    }

    init(
        userAgent: String, server: String, fetcher: any Fetcher, clock: JobClock
    ) throws(UndertextError) {
        guard let server = ServiceAddress(server) else {
            throw UndertextError(
                .unsupported, "'\(server)' is not an https URL", provider: "shooter")
        }
        self.server = server
        connection = ProviderConnection(
            provider: name, fetcher: fetcher, pace: RequestPace(5, in: .seconds(1)), clock: clock,
            secrets: [], userAgent: userAgent)
    }

    /// Searches by the hash of a file; without a hash there are no results.
    public func search(
        _ query: OnlineQuery, cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineResults {
        guard let hash = query.shooterHash else {
            throw connection.failure(
                .refused, "Shooter finds only videos of 12 KiB or more, not titles")
        }
        var found: [OnlineSubtitle] = []
        for (code, language) in Self.languages(of: query) {
            found += try ask(hash, query.fileName ?? "video", code, cancellation).flatMap {
                subtitles($0, language)
            }
        }
        return OnlineResults(subtitles: Ranking.ranked(found, for: query))
    }

    /// Returns the requested ones of the two supported languages.
    private static func languages(of query: OnlineQuery) -> [(String, LanguageTag)] {
        [("Chn", "zh"), ("Eng", "en")].compactMap { code, tag in
            LanguageTag(tag).flatMap { query.rank(of: $0) == nil ? nil : (code, $0) }
        }
    }

    private func ask(
        _ hash: ShooterHash, _ fileName: String, _ language: String, _ cancellation: Cancellation
    ) throws(UndertextError) -> [JSON] {
        var request = HTTPRequest(.post, server.text)
        request.headers = [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")]
        request.body = Array(
            QueryText.encoded([
                ("filehash", hash.description), ("pathinfo", fileName), ("format", "json"),
                ("lang", language),
            ]).utf8)
        request.bodyLimit = ProviderConnection.answerLimit
        let response = try connection.send(request, mayRepeat: true, cancellation)
        guard response.isSuccess else {
            throw connection.failure(
                .refused, "the request was refused", response,
                said: "HTTP status \(response.status)")
        }
        if response.body.isEmpty || response.body == Self.nothing { return [] }
        return try connection.json(response).elements
    }

    private func subtitles(_ entry: JSON, _ language: LanguageTag) -> [OnlineSubtitle] {
        (entry["Files"]?.elements ?? []).compactMap { file in
            guard let link = file["Link"]?.text else { return nil }
            var subtitle = OnlineSubtitle(provider: name, id: link, languages: [language])
            subtitle.link = link
            subtitle.format = file["Ext"]?.text
            subtitle.release = entry["Desc"]?.text
            subtitle.match = .hash
            if let delay = entry["Delay"]?.wholeNumber, delay != 0, abs(delay) < 86_400_000 {
                subtitle.delay = .milliseconds(delay)
            }
            return subtitle
        }
    }

    /// Downloads a file of the results.
    public func download(
        _ subtitle: OnlineSubtitle, for query: OnlineQuery,
        cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineDownload {
        guard let link = subtitle.link else {
            throw connection.failure(.notFound, "this result has no file")
        }
        return try connection.download(
            link, toldBy: server, name: "shooter.\(subtitle.format ?? "srt")", for: query,
            cancellation)
    }
}
