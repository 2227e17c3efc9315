public import Undertext
internal import UndertextIO

extension SubtitleModel {
    /// Tells where the player is; to be called with every frame, and after a seek.
    ///
    /// After a seek what is on screen there is read first.
    ///
    /// - Parameter time: what the player's clock shows.
    /// - Returns: whether ``parts`` or ``secondParts`` changed since the last call.
    public func subtitle(currentTime time: Timestamp) -> Bool {
        let (hasNews, changes, feeds) = state.with { state in
            state.time = time
            let changes = state.refresh()
            defer { state.hasNews = false }
            return (state.hasNews, changes, state.places)
        }
        tell(changes.union(seek(feeds)))
        return hasNews
    }

    /// When what is shown changes next; a player need not ask before.
    ///
    /// It may be that nothing visible changes then, and nothing is known of what is not read yet:
    /// ``changes()`` tells when more is.
    ///
    /// - Parameter time: what the player's clock shows.
    /// - Returns: the time, on the player's clock; `nil` if no change is known.
    public func nextChange(after time: Timestamp) -> Timestamp? {
        state.with { state in
            state.slots.compactMap { slot -> Timestamp? in
                guard let id = slot.id, let feed = state.feeds[id] else { return nil }
                let delay = state.delay(of: id)
                return feed.nextChange(after: time.advanced(by: .zero - delay))?
                    .advanced(by: delay)
            }.min()
        }
    }

    /// Shows an info later than stored, besides ``subtitleDelay``; negative = earlier.
    public func setDelay(_ delay: Duration, for info: SubtitleInfo) {
        changeDelay { state in
            guard let index = state.index(of: info.id) else { return }
            state.entries[index].info.delay = delay
        }
    }

    /// Shows all infos of a source later than stored, besides their own delays; negative = earlier.
    public func setDelay(_ delay: Duration, forSource name: String) {
        changeDelay { $0.sourceDelays[name] = delay }
    }

    /// Waits until what is on screen now is known, or cannot be.
    ///
    /// For a still image, or before the first frame; blocks the calling thread.
    ///
    /// - Parameter timeout: how long at most.
    /// - Returns: whether it is known, or there is nothing to show; `false` behind the timeout.
    public func waitUntilReady(timeout: Duration = .seconds(10)) -> Bool {
        let changes = state.wait(.consumers, timeout: timeout) { state -> SubtitleChanges? in
            // What has been read may not have been told yet.
            state.isReady ? state.refresh().union(state.noteStates()) : nil
        }
        tell(changes ?? [])
        return changes != nil
    }

    /// Tells feeds where the player is on their clocks; what that changes.
    ///
    /// Not to be called with the state locked: work may be done here and now, and it reports.
    func seek(_ feeds: [(TrackLoader, Timestamp)]) -> SubtitleChanges {
        for (feed, place) in feeds { feed.seek(to: place) }
        return state.with { $0.noteStates() }
    }

    func changeDelay(_ change: (inout ModelState) -> Void) {
        let (changes, feeds) = state.with { state in
            change(&state)
            return (state.refresh(), state.places)
        }
        tell(changes.union([.delay, .infos]).union(seek(feeds)))
    }
}

extension ModelState {
    /// Where each chosen track is now, on its own clock.
    var places: [(TrackLoader, Timestamp)] {
        feeds.map { id, feed in (feed, time.advanced(by: .zero - delay(of: id))) }
    }

    /// Takes over how far chosen infos are loaded; what that changes.
    mutating func noteStates() -> SubtitleChanges {
        var changes: SubtitleChanges = []
        for (id, feed) in feeds {
            guard let index = index(of: id) else { continue }
            let state = feed.with(\.state)
            guard entries[index].info.state != state else { continue }
            entries[index].info.state = state
            changes.insert(.infos)
        }
        return changes
    }

    /// `true` if no thread is reading the cues that are on screen now.
    var isReady: Bool {
        busy == 0
            && feeds.values.allSatisfy { feed in
                feed.with { $0.error != nil || $0.isKnownAtPlayhead && !$0.lacksFonts }
            }
            && slots.allSatisfy { slot in
                guard let id = slot.id, let index = index(of: id) else { return true }
                // A rule is about to choose the next best.
                if slot.rule != nil, let feed = feeds[id],
                    feed.with({ $0.error != nil && $0.stretches.isEmpty })
                {
                    return false
                }
                return entries[index].info.error != nil || feeds[id] != nil
            }
    }
}
