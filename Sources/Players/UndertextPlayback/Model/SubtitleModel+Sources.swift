public import Undertext
public import UndertextCore
internal import UndertextIO

extension SubtitleModel {
    /// Adds subtitles to the list, or replaces those of the same ``SubtitleInfo/id``.
    ///
    /// Selected subtitles that are replaced are loaded again, for example to change the charset.
    public func addSubtitle(info: SubtitleInfo) {
        change { $0.add(info, from: nil, isFound: false) }
    }

    /// Adds the subtitles of a source as soon as they are available; ``sourceErrors`` contains failures.
    ///
    /// A searchable source also takes part in searches.
    public func addSubtitle(dataSource: any SubtitleDataSource) {
        change(.sources) { state in
            state.sources.append(dataSource)
            state.busy += 1
            state.listing += 1
        }
        let isSubmitted = queue.submit { [weak self, stop, options] in
            let found = Result { () throws(UndertextError) in
                try dataSource.subtitles(options: options.media, cancellation: stop)
            }
            self?.take(found, from: dataSource, isFound: false, of: nil)
        }
        if !isSubmitted {
            take(.failure(BackgroundQueue.noThread), from: dataSource, isFound: false, of: nil)
        }
    }

    /// Adds the subtitles of a source and waits for them.
    ///
    /// - Returns: The subtitles of the source.
    /// - Throws: `UndertextError` if the source fails or ``cancelAdding()`` is called; nothing is added in that case.
    @discardableResult
    public func addSubtitles(
        of dataSource: any SubtitleDataSource
    ) throws(UndertextError) -> [SubtitleInfo] {
        try addSubtitles(of: dataSource, cancellation: beginAdding())
    }

    /// Adds the subtitles of a source without blocking the task's thread.
    ///
    /// Cancellation of the task ends it, as ``cancelAdding()`` does.
    ///
    /// - Returns: The subtitles of the source.
    /// - Throws: `UndertextError` if the source fails or the adding is cancelled; nothing is added in that case.
    @discardableResult
    public func addSubtitles(
        of dataSource: any SubtitleDataSource
    ) async throws(UndertextError) -> [SubtitleInfo] {
        let cancellation = Cancellation(parent: beginAdding())
        return try await queue.result(of: cancellation) { [self] () throws(UndertextError) in
            try addSubtitles(of: dataSource, cancellation: cancellation)
        }.get()
    }

    /// Returns the flag that the next ``cancelAdding()`` sets, for several sources that are added in sequence.
    package func beginAdding() -> Cancellation {
        state.with { state in
            let adding = state.adding ?? Cancellation(parent: stop)
            state.adding = adding
            return adding
        }
    }

    /// Adds the subtitles of a source and waits for them, unless a flag is set.
    @discardableResult
    package func addSubtitles(
        of dataSource: any SubtitleDataSource, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        let stopped = UndertextError(
            .cancelled, "the reading was stopped", path: dataSource.name)
        guard !cancellation.isCancelled else { throw stopped }
        let infos = try dataSource.subtitles(
            options: options.media, cancellation: cancellation)
        // A canceled listing is not complete.
        guard !cancellation.isCancelled else { throw stopped }
        change { state in
            state.sources.append(dataSource)
            for info in infos { state.add(info, from: dataSource, isFound: false) }
        }
        joinSelection(of: dataSource)
        return infos
    }

    /// Cancels calls of `addSubtitles(of:)` on other threads, which throw `cancelled`.
    ///
    /// Later calls and selected subtitles are not affected.
    public func cancelAdding() {
        state.with { state in
            state.adding?.cancel()
            state.adding = nil
        }
    }

    /// Removes subtitles from the list; if they are selected, subtitles are turned off.
    public func removeSubtitle(info: SubtitleInfo) {
        change { state in
            state.entries.removeAll { $0.info.id == info.id }
            state.dropMissing()
        }
    }

    /// Removes all sources and subtitles, as for another video; delays and rules stay.
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

    /// Searches all searchable sources and adds results to the list as they arrive.
    ///
    /// Results of an earlier search are removed unless they are selected. Nothing is downloaded before it is
    /// selected. ``isSearching`` is `false` after all sources have responded; ``sourceErrors`` contains failures.
    ///
    /// - Parameters:
    ///   - query: A text, such as a title.
    ///   - imdbID: The IMDb ID of the movie.
    ///   - tmdbID: The TMDB ID of the movie.
    ///   - languages: BCP 47 tags or ISO 639 codes; empty means all.
    ///   - video: The current video, for services that identify videos by a hash.
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
            let isSubmitted = queue.submit { [weak self, options] in
                let found = Result { () throws(UndertextError) in
                    try source.search(
                        question, options: options.media, cancellation: search)
                }
                self?.take(found, from: source, isFound: true, of: search)
            }
            if !isSubmitted {
                take(
                    .failure(BackgroundQueue.noThread), from: source, isFound: true, of: search)
            }
        }
    }

    /// Cancels a search; results found so far stay.
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
            if !isFound { state.listing -= 1 }
            // Discard results of an earlier search, and of another video.
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
        if !isFound { joinSelection(of: source) }
    }
}

extension ModelState {
    /// Records the error of a source, or its success.
    fileprivate mutating func setError(
        _ error: UndertextError?, of source: String, isSearch: Bool
    ) {
        if isSearch { searchErrors[source] = error } else { listErrors[source] = error }
    }

    /// Releases the entries without info.
    fileprivate mutating func dropMissing() {
        for index in slots.indices {
            guard let id = slots[index].id, self.index(of: id) == nil else { continue }
            slots[index].id = nil
            slots[index].isForcedOnly = false
        }
    }
}
