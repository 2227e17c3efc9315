internal import Undertext
public import UndertextCore
internal import UndertextIO

// Forms of selections that complete when the choice is open: the cues at the player's time are known. They change the
// selection at once, as the others do, and cancellation of the task ends the wait, not the selection.
extension SubtitleModel {
    /// Selects subtitles and waits until the cues at the player's time are known.
    ///
    /// - Parameters:
    ///   - info: The subtitles to show, which are added to the list if necessary; `nil` turns subtitles off.
    ///   - place: The first or second place.
    /// - Throws: `UndertextError` if the subtitles cannot be read; `cancelled` if the task is cancelled, the subtitles
    ///   are removed, or others are selected meanwhile.
    public func select(
        _ info: SubtitleInfo?, at place: SubtitlePlace = .first
    ) async throws(UndertextError) {
        choose(info, at: place)
        if let info { try await waitUntilOpen(info.id, at: place) }
    }

    /// Selects subtitles of the list by their identifier and waits until the cues at the player's time are known.
    ///
    /// - Parameters:
    ///   - id: The identifier of one of ``subtitleInfos``.
    ///   - place: The first or second place.
    /// - Returns: `true` if the list has subtitles with this identifier; otherwise nothing changes.
    /// - Throws: `UndertextError` as the asynchronous form for an info.
    public func select(
        id: SubtitleInfo.ID, at place: SubtitlePlace = .first
    ) async throws(UndertextError) -> Bool {
        guard choose(id: id, at: place) else { return false }
        try await waitUntilOpen(id, at: place)
        return true
    }

    /// Selects subtitles by language and waits until the cues at the player's time are known.
    ///
    /// If none match, it also waits for the sources that ``addSubtitle(dataSource:)`` added and that have not listed their
    /// subtitles yet.
    ///
    /// - Parameters:
    ///   - language: A BCP 47 tag or ISO 639 code, such as `en` or `ger`; `nil` turns subtitles off.
    ///   - place: The first or second place.
    /// - Returns: The selected subtitles, or `nil` if none match or none of those that match can be read.
    /// - Throws: `UndertextError` with the code `cancelled` if the task is cancelled.
    @discardableResult
    public func select(
        language: String?, at place: SubtitlePlace = .first
    ) async throws(UndertextError) -> SubtitleInfo? {
        choose(language: language, at: place)
        return try await waitUntilOpen(nil, at: place)
    }

    /// Selects subtitles by preference and waits until the cues at the player's time are known.
    ///
    /// If none match, it also waits for the sources that ``addSubtitle(dataSource:)`` added and that have not listed their
    /// subtitles yet.
    ///
    /// - Parameters:
    ///   - preference: The preferences of the viewer.
    ///   - audioLanguage: The language of the current audio.
    ///   - place: The first or second place.
    /// - Returns: The selected subtitles, or `nil` if none match or none of those that match can be read.
    /// - Throws: `UndertextError` with the code `cancelled` if the task is cancelled.
    @discardableResult
    public func select(
        preferring preference: SubtitlePreference, audioLanguage: LanguageTag? = nil,
        at place: SubtitlePlace = .first
    ) async throws(UndertextError) -> SubtitleInfo? {
        choose(preferring: preference, audioLanguage: audioLanguage, at: place)
        return try await waitUntilOpen(nil, at: place)
    }

    /// Waits until the selection for a place is open, and returns it.
    ///
    /// With `id`, these subtitles must stay selected; without, it is the choice of the place's rule.
    @discardableResult
    private func waitUntilOpen(
        _ id: SubtitleInfo.ID?, at place: SubtitlePlace
    ) async throws(UndertextError) -> SubtitleInfo? {
        var news = changes().makeAsyncIterator()
        while true {
            let (chosen, rule, isListing) = state.with { state in
                (state.opening(at: place), state.slots[place.rawValue].rule, state.listing > 0)
            }
            if let id, chosen?.id != id {
                throw UndertextError(.cancelled, "other subtitles were selected", path: id)
            }
            switch chosen?.state {
            // A source may still list what the rule chooses.
            case nil where isListing && rule?.preference.languages != nil: break
            case nil: return nil
            case .ready:
                // Loaded cues may not have been reported yet.
                notify(state.with { $0.refresh().union($0.noteStates()) })
                return chosen
            // A rule is about to choose the next best.
            case .failed(let error) where rule == nil: throw error
            case .failed, .idle, .loading: break
            }
            guard await news.next() != nil, !Task.isCancelled else {
                throw UndertextError(.cancelled, "the task was cancelled", path: chosen?.name)
            }
        }
    }
}

extension ModelState {
    /// The subtitles whose cues are read for a place, also if only forced ones are shown.
    fileprivate func opening(at place: SubtitlePlace) -> SubtitleInfo? {
        guard let id = slots[place.rawValue].id, let index = index(of: id) else { return nil }
        var info = entries[index].info
        if let feed = feeds[id] { info.state = feed.with(\.state) }
        return info
    }
}
