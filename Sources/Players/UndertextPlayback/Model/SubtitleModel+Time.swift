internal import Undertext
public import UndertextCore
internal import UndertextIO

extension SubtitleModel {
    /// Updates the model to the player's time; call it for every frame and after a seek.
    ///
    /// After a seek, the cues at the new time are read first.
    ///
    /// - Parameter time: The time on the player's clock.
    /// - Returns: `true` if ``parts`` or ``secondParts`` changed since the last call.
    public func subtitle(currentTime time: Timestamp) -> Bool {
        let (hasNews, changes, feeds) = state.with { state in
            state.time = time
            let changes = state.refresh()
            defer { state.hasNews = false }
            return (state.hasNews, changes, state.places)
        }
        notify(changes.union(seek(feeds)))
        return hasNews
    }

    /// Returns the next time at which the visible subtitles may change; a player need not update before.
    ///
    /// The visible subtitles may also stay the same then. Cues that are not read yet are not considered;
    /// ``changes()`` reports when more are read.
    ///
    /// - Parameter time: The time on the player's clock.
    /// - Returns: The time on the player's clock, or `nil` if no change is known.
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

    /// Sets the delay of an info, which is added to ``subtitleDelay``; negative shows it earlier.
    public func setDelay(_ delay: Duration, for info: SubtitleInfo) {
        changeDelay { state in
            guard let index = state.index(of: info.id) else { return false }
            return state.entries[index].info.delay.replace(with: delay)
        }
    }

    /// Sets the delay of all infos of a source, which is added to their own delays; negative shows them earlier.
    public func setDelay(_ delay: Duration, forSource name: String) {
        changeDelay { $0.sourceDelays[name, default: .zero].replace(with: delay) }
    }

    /// Waits until the current cues are loaded, or loading fails.
    ///
    /// This function blocks the calling thread. Use it for a still image or before the first frame.
    ///
    /// - Parameter timeout: The maximum wait.
    /// - Returns: `true` if the current cues are loaded or there is nothing to show, `false` after the timeout.
    public func waitUntilReady(timeout: Duration = .seconds(10)) -> Bool {
        let changes = state.wait(.consumers, timeout: timeout) { state -> SubtitleChanges? in
            // Loaded cues may not have been reported yet.
            state.isReady ? state.refresh().union(state.noteStates()) : nil
        }
        notify(changes ?? [])
        return changes != nil
    }

    /// Updates loaders to the player's time on their clocks and returns the changes.
    ///
    /// Do not call it with the state locked: it reports.
    func seek(_ feeds: [(TrackLoader, Timestamp)]) -> SubtitleChanges {
        for (feed, place) in feeds { feed.seek(to: place) }
        return state.with { $0.noteStates() }
    }

    /// Changes a delay and reports that.
    ///
    /// - Parameter change: Changes the state; returns `false` if nothing is different.
    func changeDelay(_ change: (inout ModelState) -> Bool) {
        let result = state.with { state -> (SubtitleChanges, [(TrackLoader, Timestamp)])? in
            guard change(&state) else { return nil }
            return (state.refresh(), state.places)
        }
        guard let (changes, feeds) = result else { return }
        notify(changes.union([.delay, .infos]).union(seek(feeds)))
    }
}

extension Duration {
    /// Sets the value and returns `true` if it is another one.
    mutating func replace(with new: Duration) -> Bool {
        defer { self = new }
        return self != new
    }
}

extension ModelState {
    /// The current time of each selected track on its own clock.
    var places: [(TrackLoader, Timestamp)] {
        feeds.map { id, feed in (feed, time.advanced(by: .zero - delay(of: id))) }
    }

    /// Updates the loading states of selected infos and returns the changes.
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
