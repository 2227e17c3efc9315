public import Undertext
internal import UndertextIO

extension SubtitleModel {
    /// Adds subtitles to the list, or replaces those of the same ``SubtitleInfo/id``.
    ///
    /// What is replaced while it is chosen is loaded anew: so a charset is changed.
    public func addSubtitle(info: SubtitleInfo) {
        change { $0.add(info, from: nil, isFound: false) }
    }

    /// Adds what a source has, as soon as it has told; ``sourceErrors`` tells if it could not.
    ///
    /// It also takes part in searches, if it can.
    public func addSubtitle(dataSource: any SubtitleDataSource) {
        change(.sources) { state in
            state.sources.append(dataSource)
            state.busy += 1
        }
        queue.submit { [weak self, stop, options] in
            let found = Result { () throws(UndertextError) in
                try dataSource.subtitles(options: options.media, cancellation: stop)
            }
            self?.take(found, from: dataSource, isFound: false, of: nil)
        }
    }

    /// Adds what a source has, and waits for it.
    ///
    /// - Returns: its subtitles.
    /// - Throws: `UndertextError`, if it cannot tell, or ``cancelAdding()`` was called; nothing is added
    ///   then.
    @discardableResult
    public func addSubtitles(
        of dataSource: any SubtitleDataSource
    ) throws(UndertextError) -> [SubtitleInfo] {
        let adding = state.with { state in
            let adding = state.adding ?? Cancellation(parent: stop)
            state.adding = adding
            return adding
        }
        let infos = try dataSource.subtitles(options: options.media, cancellation: adding)
        // A list that was broken off is not taken for a whole one.
        guard !adding.isCancelled else {
            throw UndertextError(.cancelled, "the reading was stopped", path: dataSource.name)
        }
        change { state in
            state.sources.append(dataSource)
            for info in infos { state.add(info, from: dataSource, isFound: false) }
        }
        return infos
    }

    /// Ends what ``addSubtitles(of:)`` is waiting for on other threads: it throws `cancelled`.
    ///
    /// Later calls, and what is chosen, go on.
    public func cancelAdding() {
        state.with { state in
            state.adding?.cancel()
            state.adding = nil
        }
    }

    /// Takes subtitles out of the list; if they are chosen, nothing is then.
    public func removeSubtitle(info: SubtitleInfo) {
        change { state in
            state.entries.removeAll { $0.info.id == info.id }
            state.dropMissing()
        }
    }

    /// Takes everything out, as for another video; delays and rules stay.
    public func removeAll() {
        change(.sources) { state in
            state.search?.cancel()
            state.search = nil
            state.entries = []
            state.sources = []
            (state.listErrors, state.searchErrors) = ([:], [:])
            state.dropMissing()
        }
    }

    /// Asks all sources that can search; what they find is added to the list as it comes.
    ///
    /// What an earlier search found goes, unless it is chosen. Nothing is downloaded before it is
    /// chosen. ``isSearching`` tells when all have answered, ``sourceErrors`` which could not.
    ///
    /// - Parameters:
    ///   - query: words, such as a title.
    ///   - imdbID: the film's number at IMDb.
    ///   - tmdbID: the film's number at TMDB.
    ///   - languages: BCP 47 or ISO 639; empty = all.
    ///   - video: the video that plays, for services that know it by a hash.
    public func searchSubtitle(
        query: String?, imdbID: String? = nil, tmdbID: String? = nil, languages: [String] = [],
        video: MediaInput? = nil
    ) {
        let question = SubtitleQuery(
            query: query, imdbID: imdbID, tmdbID: tmdbID,
            languages: languages.compactMap { LanguageTag($0) }, video: video)
        let search = Cancellation(parent: stop)
        var sources: [any SearchableSubtitleDataSource] = []
        change(.sources) { state in
            state.search?.cancel()
            state.search = search
            let chosen = Set(state.slots.compactMap(\.id))
            state.entries.removeAll { $0.isFound && !chosen.contains($0.info.id) }
            sources = state.sources.compactMap { $0 as? any SearchableSubtitleDataSource }
            state.busy += sources.count
        }
        for source in sources {
            queue.submit { [weak self] in
                let found = Result { () throws(UndertextError) in
                    try source.search(question, cancellation: search)
                }
                self?.take(found, from: source, isFound: true, of: search)
            }
        }
    }

    /// Ends a search; what it found so far stays.
    public func cancelSearch() {
        change(.sources) { state in
            state.search?.cancel()
            state.search = nil
        }
    }

    private func take(
        _ found: Result<[SubtitleInfo], UndertextError>, from source: any SubtitleDataSource,
        isFound: Bool, of search: Cancellation?
    ) {
        change(.sources) { state in
            state.busy -= 1
            // Nobody wants what an earlier search found, nor what belongs to another video.
            guard search == nil || state.search === search,
                state.sources.contains(where: { $0 === source })
            else { return }
            switch found {
            case .success(let infos):
                state.setError(nil, of: source.name, isSearch: isFound)
                for info in infos { state.add(info, from: source, isFound: isFound) }
            case .failure(let error):
                if error.code != .cancelled {
                    state.setError(error, of: source.name, isSearch: isFound)
                }
            }
        }
    }
}

extension ModelState {
    /// Notes what a source could not do, or that it could.
    fileprivate mutating func setError(
        _ error: UndertextError?, of source: String, isSearch: Bool
    ) {
        if isSearch { searchErrors[source] = error } else { listErrors[source] = error }
    }

    /// Lets places go whose info has gone.
    fileprivate mutating func dropMissing() {
        for index in slots.indices {
            guard let id = slots[index].id, self.index(of: id) == nil else { continue }
            slots[index].id = nil
            slots[index].isForcedOnly = false
        }
    }
}
