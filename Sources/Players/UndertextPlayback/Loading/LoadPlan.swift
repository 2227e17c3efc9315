internal import Undertext
internal import UndertextCore

/// The plan for reading a track: the current cues first, then later ones.
struct LoadPlan {
    /// The next step.
    enum Step: Hashable {
        /// Nothing is needed now.
        case rest
        /// The open reader continues.
        case goOn
        /// A reader for a part of the timeline is opened; `nil` = from the beginning, to the end.
        case read(from: Timestamp?, until: Timestamp?)
    }

    /// The time of the player.
    var playhead: Timestamp
    /// The end of the stretch that the open reader makes longer; `nil` = none is open.
    var place: Timestamp?
    /// The read-ahead, or `nil` to read everything before and after the player's time.
    var ahead: Duration?
    /// `true` if the input is read at once: a text file, or a pipe that can be read only once.
    var isReadWhole: Bool
    /// `true` if no more memory is to be used.
    var isFull = false

    /// This near to the beginning reading begins there.
    static let nearBeginning = Timestamp.seconds(10)
    /// The maximum lag of a reader that can catch up with the player.
    static let catchUp = Duration.seconds(30)
    /// The minimum duration to read ahead, even if memory is short.
    static let leastAhead = Duration.seconds(5)

    /// Returns the next step for the loaded ranges.
    func next(_ stretches: LoadedCueRanges) -> Step {
        if isReadWhole {
            if stretches.isComplete { return .rest }
            return place == nil ? .read(from: nil, until: nil) : .goOn
        }
        guard let known = stretches.knownEnd(from: playhead) else { return approach(stretches) }
        if known == .distantFuture { return ahead == nil ? fillUp(stretches) : .rest }
        if let ahead, known > playhead.advanced(by: ahead) { return .rest }
        if isFull, known > playhead.advanced(by: Self.leastAhead) { return .rest }
        return read(from: known, stretches)
    }

    /// Nothing is known where the player is.
    private func approach(_ stretches: LoadedCueRanges) -> Step {
        if isNear { return .goOn }
        if playhead <= Self.nearBeginning,
            stretches.nextStart(after: LoadedCueRanges.beginning) == nil
        {
            // From the beginning, or from where that was read to.
            let start = stretches.lastEnd(before: playhead)
            return read(from: start ?? LoadedCueRanges.beginning, stretches)
        }
        return read(from: playhead, stretches)
    }

    /// Returns the step that reads earlier parts after all later ones are loaded.
    private func fillUp(_ stretches: LoadedCueRanges) -> Step {
        guard !isFull, let first = stretches.stretches.first else { return .rest }
        if first.start > LoadedCueRanges.beginning {
            return read(from: LoadedCueRanges.beginning, stretches)
        }
        return first.end == .distantFuture ? .rest : read(from: first.end, stretches)
    }

    private func read(from start: Timestamp, _ stretches: LoadedCueRanges) -> Step {
        if place == start { return .goOn }
        return .read(
            from: start == LoadedCueRanges.beginning ? nil : start,
            until: stretches.nextStart(after: start))
    }

    /// `true` if the open reader is at the player's time or will be soon.
    var isNear: Bool {
        guard let place else { return false }
        // Positions near the beginning are read from there.
        if place == LoadedCueRanges.beginning { return playhead <= Self.nearBeginning }
        return place <= playhead && playhead <= place.advanced(by: Self.catchUp)
    }
}
