public import UndertextCore

/// Several providers asked for the same.
public struct OnlineSearch: Sendable {
    /// Who is asked.
    public let providers: [any SubtitleProvider]

    /// What all of them found, and who failed.
    public struct Outcome: Hashable, Sendable {
        /// What was found, the best first.
        public var subtitles: [OnlineSubtitle] = []
        /// Why some of the providers gave nothing.
        public var failures: [UndertextError] = []
        /// What is to be shown beside these results.
        public var attributions: [String] = []
        /// How many more the providers say they have than are listed here.
        public var further = 0
    }

    /// Asks these providers.
    public init(_ providers: [any SubtitleProvider]) { self.providers = providers }

    /// Asks one after the other; that one fails keeps nobody from asking the next.
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

    /// Fetches a result from the provider that found it.
    public func download(
        _ subtitle: OnlineSubtitle, for query: OnlineQuery,
        cancellation: Cancellation = Cancellation()
    ) throws(UndertextError) -> OnlineDownload {
        guard let provider = providers.first(where: { $0.name == subtitle.provider }) else {
            throw UndertextError(.notFound, "no provider is called '\(subtitle.provider)'")
        }
        return try provider.download(subtitle, for: query, cancellation: cancellation)
    }

    /// Ends the sessions of all providers; that one cannot be ended matters to nobody.
    public func finish(cancellation: Cancellation = Cancellation()) {
        for provider in providers { try? provider.finish(cancellation: cancellation) }
    }
}
