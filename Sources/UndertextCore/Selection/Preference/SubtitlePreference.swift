/// A viewer's preferences for the selection of subtitles.
public struct SubtitlePreference: Hashable, Sendable {
    /// The languages in order of preference; `nil` means that subtitles are off, empty means any language.
    ///
    /// `en` matches `en-US`; `pt-BR` matches `pt` if there is no `pt-BR` (RFC 4647 lookup).
    public var languages: [LanguageTag]?
    /// The kinds in order of preference; other kinds are never selected.
    public var kinds: [SubtitleKind]
    /// `true` if images are preferred to text of the same language and kind.
    public var prefersBitmaps: Bool
    /// `true` if separate files are preferred to tracks of the video that are otherwise equal.
    public var prefersExternal: Bool
    /// `true` if tracks of unknown language are selected after all others.
    public var takesUnknownLanguage: Bool
    /// `true` if forced subtitles in the audio's language are selected while subtitles are off.
    public var showsForcedWhenOff: Bool

    /// Creates a preference.
    public init(
        languages: [LanguageTag]?, kinds: [SubtitleKind] = SubtitleKind.allCases,
        prefersBitmaps: Bool = false, prefersExternal: Bool = true,
        takesUnknownLanguage: Bool = true, showsForcedWhenOff: Bool = false
    ) {
        self.languages = languages
        self.kinds = kinds
        self.prefersBitmaps = prefersBitmaps
        self.prefersExternal = prefersExternal
        self.takesUnknownLanguage = takesUnknownLanguage
        self.showsForcedWhenOff = showsForcedWhenOff
    }

    /// Ranks candidates.
    ///
    /// Criteria in order of precedence: the rank of the language, an exact or broader language, the kind, text or
    /// images, file or track, the default flag, the order of the list.
    ///
    /// - Parameters:
    ///   - candidates: The tracks and files.
    ///   - audioLanguage: The language of the current audio, for ``showsForcedWhenOff``.
    /// - Returns: The indices of matching `candidates`, the best first; empty means to show nothing.
    public func ranked(
        _ candidates: [SubtitleCandidate], audioLanguage: LanguageTag? = nil
    ) -> [Int] {
        let wanted: SubtitlePreference
        if languages == nil {
            guard showsForcedWhenOff, let audioLanguage else { return [] }
            wanted = SubtitlePreference(
                languages: [audioLanguage], kinds: [.forced], prefersBitmaps: prefersBitmaps,
                prefersExternal: prefersExternal, takesUnknownLanguage: false)
        } else {
            wanted = self
        }
        return candidates.indices
            .compactMap { index in wanted.rank(of: candidates[index]).map { (index, $0) } }
            .sorted { first, second in
                if first.1 != second.1 { return first.1 < second.1 }
                let places = (candidates[first.0].order, candidates[second.0].order)
                return places.0 != places.1 ? places.0 < places.1 : first.0 < second.0
            }
            .map(\.0)
    }

    /// Returns the rank of a candidate, or `nil` if it does not match.
    private func rank(of candidate: SubtitleCandidate) -> Rank? {
        guard let language = languageRank(of: candidate.language),
            let kind = kinds.firstIndex(of: candidate.kind)
        else { return nil }
        return Rank(
            language: language, kind: kind,
            flags: (candidate.isBitmap == prefersBitmaps ? 0 : 4)
                | (candidate.isExternal == prefersExternal ? 0 : 2)
                | (candidate.isDefault ? 0 : 1))
    }

    /// Returns twice the index in the list, plus one for a broader language than requested.
    private func languageRank(of language: LanguageTag?) -> Int? {
        guard let languages else { return nil }
        if languages.isEmpty { return language != nil || takesUnknownLanguage ? 0 : nil }
        guard let language else { return takesUnknownLanguage ? 2 * languages.count : nil }
        for (place, wanted) in languages.enumerated() {
            if wanted.covers(language) { return 2 * place }
            if language.covers(wanted) { return 2 * place + 1 }
        }
        return nil
    }
}

/// The criteria by which candidates are compared, the most important first.
private struct Rank: Comparable {
    var language: Int
    var kind: Int
    var flags: Int

    static func < (first: Rank, second: Rank) -> Bool {
        (first.language, first.kind, first.flags) < (second.language, second.kind, second.flags)
    }
}
