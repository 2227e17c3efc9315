internal import Undertext
public import UndertextCore
internal import UndertextIO

extension SubtitleModel {
    /// Selects subtitles.
    ///
    /// - Parameters:
    ///   - info: The subtitles to show, which are added to the list if necessary; `nil` turns subtitles off.
    ///   - place: The first or second place.
    public func select(_ info: SubtitleInfo?, at place: SubtitlePlace = .first) {
        choose(info, at: place)
    }

    func choose(_ info: SubtitleInfo?, at place: SubtitlePlace) {
        change { state in
            if let info, state.index(of: info.id) == nil {
                state.add(info, from: nil, isFound: false)
            }
            state.chooseByHand(info?.id, for: place)
        }
    }

    /// Selects subtitles of the list by their identifier.
    ///
    /// - Parameters:
    ///   - id: The identifier of one of ``subtitleInfos``.
    ///   - place: The first or second place.
    /// - Returns: `true` if the list has subtitles with this identifier; otherwise nothing changes.
    public func select(id: SubtitleInfo.ID, at place: SubtitlePlace = .first) -> Bool {
        choose(id: id, at: place)
    }

    func choose(id: SubtitleInfo.ID, at place: SubtitlePlace) -> Bool {
        var isThere = false
        change { state in
            isThere = state.index(of: id) != nil
            if isThere { state.chooseByHand(id, for: place) }
        }
        return isThere
    }

    /// Selects subtitles by language, now and whenever subtitles are added, until the next selection.
    ///
    /// - Parameters:
    ///   - language: A BCP 47 tag or ISO 639 code, such as `en` or `ger`; `nil` turns subtitles off.
    ///   - place: The first or second place.
    /// - Returns: The selected subtitles, or `nil` if none match; downloads are never selected automatically.
    @discardableResult
    public func select(language: String?, at place: SubtitlePlace = .first) -> SubtitleInfo? {
        choose(language: language, at: place)
    }

    @discardableResult
    func choose(language: String?, at place: SubtitlePlace) -> SubtitleInfo? {
        guard let language else {
            return choose(
                preferring: SubtitlePreference(languages: nil), audioLanguage: nil, at: place)
        }
        guard let tag = LanguageTag(language) else {
            choose(nil, at: place)
            return nil
        }
        return choose(
            preferring: SubtitlePreference(languages: [tag]), audioLanguage: nil, at: place)
    }

    /// Selects subtitles by preference, now and whenever subtitles are added, until the next selection.
    ///
    /// If subtitles are off and forced ones are preferred, a forced track in the audio's language, or the forced
    /// cues of another track, are shown, although nothing is selected.
    ///
    /// - Parameters:
    ///   - preference: The preferences of the viewer.
    ///   - audioLanguage: The language of the current audio.
    ///   - place: The first or second place.
    /// - Returns: The selected subtitles, or `nil` if none match.
    @discardableResult
    public func select(
        preferring preference: SubtitlePreference, audioLanguage: LanguageTag? = nil,
        at place: SubtitlePlace = .first
    ) -> SubtitleInfo? {
        choose(preferring: preference, audioLanguage: audioLanguage, at: place)
    }

    @discardableResult
    func choose(
        preferring preference: SubtitlePreference, audioLanguage: LanguageTag?,
        at place: SubtitlePlace
    ) -> SubtitleInfo? {
        change { state in
            state.slots[place.rawValue].rule = ModelState.Rule(
                preference: preference, audioLanguage: audioLanguage)
        }
        return state.with { $0.info(at: place) }
    }

    /// Changes the state, applies rules, starts and ends reading, and reports the changes.
    func change(_ extra: SubtitleChanges = [], _ work: (inout ModelState) -> Void) {
        let (changes, feeds, dropped) = state.with { state in
            let before = (state.slots.map { ($0.id, $0.isForcedOnly) }, state.entries.map(\.info))
            work(&state)
            for place in SubtitlePlace.allCases {
                guard let rule = state.slots[place.rawValue].rule else { continue }
                let choice = state.choice(by: rule, for: place)
                _ = state.choose(choice.id, isForcedOnly: choice.isForcedOnly, for: place)
            }
            for id in state.settleFeeds() { startFeed(id, &state) }
            var changes = state.refresh().union(extra)
            if !state.slots.map({ ($0.id, $0.isForcedOnly) }).elementsEqual(before.0, by: ==) {
                changes.formUnion([.selection, .tracks])
            }
            if state.entries.map(\.info) != before.1 { changes.insert(.infos) }
            defer { state.dropped = [] }
            return (changes, state.places, state.dropped)
        }
        for feed in dropped { feed.end() }
        notify(changes.union(seek(feeds)))
    }

    private func startFeed(_ id: SubtitleInfo.ID, _ state: inout ModelState) {
        guard let index = state.index(of: id), state.entries[index].info.error == nil else {
            return
        }
        state.entries[index].info.state = .loading
        let (info, source) = (state.entries[index].info, state.entries[index].source)
        let options = options.media
        state.feeds[id] = TrackLoader(
            id: id,
            policy: TrackLoader.Policy(
                ahead: self.options.readAhead, memory: self.options.memoryLimit,
                fonts: self.options.fontLimit),
            queue: queue, parent: stop
        ) { (cancellation) throws(UndertextError) in
            try Self.content(
                of: info, from: source, options: options, cancellation: cancellation)
        } report: { [weak self] feed in
            self?.take(feed)
        }
    }

    /// Applies the update of a loader.
    private func take(_ feed: TrackLoader) {
        var hasNothing = false
        let changes = state.with { state -> SubtitleChanges in
            guard state.feeds[feed.id] === feed, let index = state.index(of: feed.id) else {
                return []
            }
            hasNothing = feed.with { $0.error != nil && $0.stretches.isEmpty }
            var info = state.entries[index].info
            feed.with { shared in
                info.state = shared.state
                info.warnings = shared.diagnostics.filter { $0.severity != .info }
                if let stream = shared.stream { info.complete(from: stream) }
            }
            var changes: SubtitleChanges = [.tracks]
            if info != state.entries[index].info {
                state.entries[index].info = info
                changes.insert(.infos)
            }
            return changes.union(state.refresh())
        }
        notify(changes)
        // A rule chooses the next best, where one was followed.
        if hasNothing { change { _ in } }
    }
}

extension ModelState {
    /// Applies an explicit selection for a place; `nil` turns subtitles off.
    mutating func chooseByHand(_ id: SubtitleInfo.ID?, for place: SubtitlePlace) {
        if let id, feeds[id]?.with({ $0.error != nil }) == true {
            // Choosing again is trying again.
            dropFeed(of: id)
        }
        if let id, let index = index(of: id), feeds[id] == nil, !entries[index].info.isRefused {
            entries[index].info.state = .idle
        }
        slots[place.rawValue].rule = nil
        _ = choose(id, isForcedOnly: false, for: place)
    }
}

extension SubtitleInfo {
    /// Fills in what was not known before the file was opened.
    fileprivate mutating func complete(from stream: StreamDescription) {
        codec = stream.codec
        isBitmap = stream.kind == .bitmap
        language = language ?? stream.language
    }
}
