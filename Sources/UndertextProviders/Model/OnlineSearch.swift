public import UndertextCore

/// A search of several providers.
public struct OnlineSearch: Sendable {
    /// The providers.
    public let providers: [any SubtitleProvider]

    /// The results and failures of all providers.
    public struct Outcome: Hashable, Sendable {
        /// The results, the best first.
        public var subtitles: [OnlineSubtitle] = []
        /// The errors of providers that failed.
        public var failures: [UndertextError] = []
        /// The attributions that must be shown with these results.
        public var attributions: [String] = []
        /// The number of further results that the providers report.
        public var further = 0
    }

    /// Creates a search of providers.
    public init(_ providers: [any SubtitleProvider]) { self.providers = providers }

    /// Searches the providers in turn, even if some fail.
    public func search(
        _ query: OnlineQuery, cancellation: Cancellation = Cancellation()
    ) -> Outcome {
        var outcome = Outcome()
        for provider in providers where !cancellation.isCancelled {
            do throws(UndertextError) {
                let results = try provider.search(query, cancellation: cancellation)
                outcome.subtitles += results.subtitles
                outcome.further += max(0, (results.total ?? 0) - results.subtitles.count)
                if !results.subtitles.isEmpty, let text = provider.attribution {
                    outcome.attributions.append(text)
                }
            } catch {
                outcome.failures.append(error)
            }
        }
        outcome.subtitles = Ranking.ranked(outcome.subtitles, for: query)
        return outcome
    }

    /// Downloads a result from its provider.
    public func download(
        _ subtitle: OnlineSubtitle, for query: OnlineQuery,
        cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineDownload {
        guard let provider = providers.first(where: { $0.name == subtitle.provider }) else {
            throw UndertextError(.notFound, "no provider is called '\(subtitle.provider)'")
        }
        return try provider.download(subtitle, for: query, cancellation: cancellation)
    }

    /// Ends the sessions of all providers and ignores errors.
    public func finish(cancellation: Cancellation = Cancellation()) {
        for provider in providers { try? provider.finish(cancellation: cancellation) }
    }
}
