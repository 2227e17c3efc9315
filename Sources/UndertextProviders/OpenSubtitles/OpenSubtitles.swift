internal import Synchronization
public import UndertextCore
internal import UndertextIO

/// A client of OpenSubtitles.com, REST API version 1.
///
/// Searching requires an API key of an application. Downloads count against a small quota, five per day
/// without an account, so ``download(_:for:cancellation:)`` requests only the selected file and logs in only
/// then.
public final class OpenSubtitles: SubtitleProvider {
    /// The credentials of the application and the user.
    public struct Account: Hashable, Sendable {
        /// The key of the application, from opensubtitles.com/consumers.
        public var apiKey: Secret
        /// The user name, or `nil` to use the quota without an account.
        public var username: String?
        /// The user's password.
        public var password: Secret?

        /// Creates an account.
        public init(apiKey: Secret, username: String? = nil, password: Secret? = nil) {
            self.apiKey = apiKey
            self.username = username
            self.password = password
        }
    }

    /// `opensubtitles`.
    public let name = "opensubtitles"
    /// The URL of the service.
    public static let defaultServer = "https://api.opensubtitles.com/api/v1"

    let account: Account
    let server: ServiceAddress
    let clock: JobClock
    let fetcher: any Fetcher
    let userAgent: String
    /// Five requests in a second, one login in a second.
    let pace = RequestPace(5, in: .seconds(1))
    let loginPace = RequestPace(1, in: .seconds(1))
    let session = Mutex<Session?>(nil)
    let isLoggingIn = Monitor(false)
    /// The maximum number of pages, with fifty results each, that a search requests.
    private static let mostPages = 3

    /// The result of a login.
    struct Session: Sendable {
        let token: Secret
        /// The server for later requests.
        let server: ServiceAddress
    }

    /// Creates a provider without a request.
    ///
    /// - Parameters:
    ///   - account: The credentials.
    ///   - userAgent: The name and version of the application, such as `App v1.2`, which the service requires.
    ///   - server: The URL of the service: https, or http on this machine.
    ///   - fetcher: The HTTP client, see ``OnlineAccess/fetcher()``.
    /// - Throws: `UndertextError` with code `missing-key` or `unsupported`.
    public convenience init(
        account: Account, userAgent: String, server: String = OpenSubtitles.defaultServer,
        fetcher: any Fetcher = OnlineAccess.fetcher()
    ) throws(UndertextError) {
        try self.init(
            account: account, userAgent: userAgent, server: server, fetcher: fetcher,
            clock: .system)
    }

    init(
        account: Account, userAgent: String, server: String, fetcher: any Fetcher,
        clock: JobClock
    ) throws(UndertextError) {
        guard !account.apiKey.value.isEmpty else {
            throw UndertextError(
                .missingKey, "an API key is needed; make one at opensubtitles.com/consumers",
                provider: "opensubtitles")
        }
        guard let server = ServiceAddress(server) else {
            throw UndertextError(
                .unsupported, "'\(server)' is not an https URL", provider: "opensubtitles")
        }
        self.account = account
        self.userAgent = userAgent
        self.server = server
        self.fetcher = fetcher
        self.clock = clock
    }

    /// Searches by hash, IDs, title, season and episode.
    public func search(
        _ query: OnlineQuery, cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineResults {
        let searches = OpenSubtitlesQuery.searches(for: query)
        guard !searches.isEmpty else {
            throw connection.failure(.refused, "the query is empty; specify a title")
        }
        for search in searches {
            let found = try results(of: search, cancellation)
            guard !found.subtitles.isEmpty else { continue }
            return OnlineResults(
                subtitles: Ranking.ranked(found.subtitles, for: query), total: found.total)
        }
        return OnlineResults(total: 0)
    }

    private func results(
        of search: OpenSubtitlesQuery, _ cancellation: Cancellation
    ) throws(UndertextError) -> OnlineResults {
        var results = OnlineResults()
        var seen: Set<String> = []
        for page in 1...Self.mostPages {
            let answer = try ask(
                .get, "/subtitles?\(search.text(page: page))", mayRepeat: true, cancellation)
            let found = OpenSubtitlesAnswer.subtitles(answer, provider: name)
            results.subtitles += found.filter { seen.insert($0.id).inserted }
            results.total = answer["total_count"]?.wholeNumber ?? results.total
            guard !found.isEmpty, page < answer["total_pages"]?.wholeNumber ?? 1 else { break }
        }
        return results
    }

    /// Requests one file, which counts as a download, and downloads it.
    public func download(
        _ subtitle: OnlineSubtitle, for query: OnlineQuery,
        cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineDownload {
        guard let file = Int(subtitle.id) else {
            throw connection.failure(.notFound, "'\(subtitle.id)' is not a file of this provider")
        }
        if account.username != nil, session.withLock({ $0 == nil }) {
            try logIn(unlessAfter: nil, cancellation)
        }
        let answer = try ask(
            .post, "/download", body: .object([.init("file_id", .integer(file))]),
            mayRepeat: false, cancellation)
        let quota = OpenSubtitlesAnswer.quota(answer)
        guard let link = answer["link"]?.text else {
            throw connection.failure(
                .malformedAnswer, "the answer has no link to the file",
                said: OpenSubtitlesAnswer.message(answer))
        }
        do throws(UndertextError) {
            var download = try connection.download(
                link, toldBy: server,
                name: answer["file_name"]?.text ?? subtitle.fileName ?? "\(subtitle.id).srt",
                for: query, cancellation)
            download.quota = quota
            return download
        } catch {
            var reported = error
            reported.service.quota = quota
            throw reported
        }
    }
}
