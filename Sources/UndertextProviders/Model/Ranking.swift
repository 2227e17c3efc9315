internal import UndertextCore

/// The order in which results are shown: the surest match, then what a viewer would rather have.
enum Ranking {
    /// Judges and sorts the results of one or several providers; equal ones keep their order.
    static func ranked(_ subtitles: [OnlineSubtitle], for query: OnlineQuery) -> [OnlineSubtitle] {
        let release = query.release
        let judged = subtitles.map { subtitle -> (OnlineSubtitle, [Double]) in
            var subtitle = subtitle
            subtitle.match = max(subtitle.match, match(subtitle, query))
            subtitle.languages = ordered(subtitle.languages, query)
            return (subtitle, keys(subtitle, query, release))
        }
        return judged.enumerated().sorted { left, right in
            left.element.1 == right.element.1
                ? left.offset < right.offset
                : left.element.1.lexicographicallyPrecedes(right.element.1)
        }.map(\.element.0)
    }

    /// Returns the languages with requested ones first, in the order of preference.
    private static func ordered(
        _ languages: [LanguageTag], _ query: OnlineQuery
    ) -> [LanguageTag] {
        languages.enumerated().sorted { left, right in
            let ranks = (
                query.rank(of: left.element) ?? .max, query.rank(of: right.element) ?? .max
            )
            return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 < ranks.1
        }.map(\.element)
    }

    private static func match(
        _ subtitle: OnlineSubtitle, _ query: OnlineQuery
    ) -> OnlineSubtitle.Match {
        let sameEpisode =
            query.episode != nil && subtitle.episode == query.episode
            && (subtitle.season ?? 1) == (query.season ?? 1)
        if let wanted = query.imdbID,
            subtitle.imdbID == wanted || (subtitle.seriesIMDbID == wanted && sameEpisode)
        {
            return .identifier
        }
        if let wanted = query.tmdbID,
            subtitle.tmdbID == wanted || (subtitle.seriesTMDBID == wanted && sameEpisode)
        {
            return .identifier
        }
        guard let text = query.text, let title = subtitle.title,
            ReleaseName.isSameTitle(text, title)
        else { return .text }
        if query.episode != nil { return sameEpisode ? .title : .text }
        return query.year == nil || query.year == subtitle.year ? .title : .text
    }

    /// The sort keys, in ascending order.
    private static func keys(
        _ subtitle: OnlineSubtitle, _ query: OnlineQuery, _ release: ReleaseName
    ) -> [Double] {
        let names = [subtitle.release, subtitle.fileName].compactMap { $0 }
        let similarity = names.map { ReleaseName($0).similarity(to: release) }.max() ?? 0
        let surest = OnlineSubtitle.Match.allCases.firstIndex(of: subtitle.match) ?? 0
        return [
            // Of subtitles for the right video, a human translation is better than a machine translation.
            -Double(surest), subtitle.isMachineTranslated ? 1 : 0,
            Double(subtitle.language.flatMap { query.rank(of: $0) } ?? 1000),
            subtitle.isForced ? 1 : 0, -(similarity * 10).rounded(.down),
            subtitle.isTrusted ? 0 : 1, subtitle.isHearingImpaired ? 1 : 0,
            -Double(subtitle.downloads ?? 0),
        ]
    }
}
