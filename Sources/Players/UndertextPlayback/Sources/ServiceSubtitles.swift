public import Undertext
public import UndertextCore
internal import UndertextIO
public import UndertextProviders

/// An online service as a source: OpenSubtitles.com, Assrt, Shooter or a custom one.
///
/// Searching downloads nothing; selecting a result is one download. Use ``CachedSubtitles`` to avoid repeated
/// downloads.
public final class ServiceSubtitles: SearchableSubtitleDataSource {
    /// The service.
    public let provider: any SubtitleProvider

    /// A result and what was looked for, which chooses among the files of an archive.
    private struct Found: Sendable {
        let subtitle: OnlineSubtitle
        let query: OnlineQuery
    }

    private let found = Monitor<[String: Found]>([:])
    /// More results than any player lists: then the oldest searches are forgotten.
    private static let mostFound = 5000

    /// Creates a source for `provider`.
    public init(_ provider: any SubtitleProvider) { self.provider = provider }

    /// The name of the service.
    public var name: String { provider.name }

    /// Returns no subtitles, because a service must be searched.
    public func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] { [] }

    /// Searches by the video's hash and name, IDs and text, whichever the query has.
    ///
    /// The text of the query takes precedence over the name of the video.
    public func search(
        _ query: SubtitleQuery, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        let question = try question(query, options, cancellation)
        let results = try provider.search(question, cancellation: cancellation)
        let infos = results.subtitles.map { info(of: $0, for: question) }
        found.with { found in
            if found.count + infos.count > Self.mostFound { found = [:] }
            for (info, subtitle) in zip(infos, results.subtitles) {
                found[info.id] = Found(subtitle: subtitle, query: question)
            }
        }
        return infos
    }

    /// Downloads a search result.
    public func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        guard let found = found.with({ $0[info.id] }) else {
            throw UndertextError(.notFound, "search again, then choose it", path: name)
        }
        let download = try provider.download(
            found.subtitle, for: found.query, cancellation: cancellation)
        guard let file = download.files.first, download.files.count == 1 else {
            throw UndertextError(
                .unsupported, "it is an .idx file with its .sub file; download both to a folder",
                path: name)
        }
        return SubtitleContent(bytes: file.bytes, name: "\(info.name).\(file.fileExtension)")
    }

    private func question(
        _ query: SubtitleQuery, _ options: Media.Options, _ cancellation: Cancellation
    ) throws(UndertextError) -> OnlineQuery {
        let words = query.query.flatMap { $0.isEmpty ? nil : OnlineQuery(text: $0) }
        var question: OnlineQuery
        switch query.video {
        case .file(let video)?, .url(let video)?:
            question = try OnlineAccess.query(
                forVideo: video, userAgent: options.userAgent, cancellation: cancellation)
            if let words {
                question.text = words.text
                if let episode = words.episode {
                    (question.season, question.episode) = (words.season, episode)
                }
                question.year = words.year ?? question.year
            }
        default:
            question = words ?? OnlineQuery(text: "")
            if words == nil { question.text = nil }
        }
        question.imdbID = query.imdbID.flatMap { Int($0.drop { $0 == "t" }) }
        question.tmdbID = query.tmdbID.flatMap { Int($0) }
        question.languages = query.languages
        return question
    }

    private func info(of subtitle: OnlineSubtitle, for query: OnlineQuery) -> SubtitleInfo {
        // The file chosen from a pack depends on the query.
        let key = subtitle.isPack ? "\(subtitle.id) \(query.choice)" : subtitle.id
        var disposition: Disposition = []
        if subtitle.isForced { disposition.insert(.forced) }
        if subtitle.isHearingImpaired { disposition.insert(.hearingImpaired) }
        return SubtitleInfo(
            id: "\(name)/\(key)", name: subtitle.name, language: subtitle.language,
            disposition: disposition, source: name, origin: .deferred(key: key),
            delay: subtitle.delay ?? .zero)
    }
}
