package import UndertextCore
internal import UndertextFormats

/// The clock of the times of cues.
package enum TimelineView: String, Hashable, Sendable, CaseIterable {
    /// The player's clock: the earliest stored time becomes zero.
    case player
    /// Times as stored.
    case source
}

/// Maps stored times to the requested timeline.
package struct TimelineMapping: Hashable, Sendable {
    /// The view.
    package let view: TimelineView
    /// The offset that is subtracted from stored times.
    package let offset: Timestamp
    /// The retiming applied after that.
    package let retiming: Retiming

    /// Creates the mapping for a container.
    ///
    /// MPEG-TS and MPEG-PS start anywhere: for a player, zero is the smallest audio or video time. Every other
    /// container defines its own zero; nothing is subtracted unless the container states the time at which a
    /// player's clock begins. Sub-pictures of a program stream without video and audio keep the times of their
    /// media file.
    package init(
        view: TimelineView, container: ContainerDescription, retiming: Retiming = .none
    ) {
        self.view = view
        self.retiming = retiming
        let hasFilm = container.streams.contains { $0.kind == .video || $0.kind == .audio }
        let startsAnywhere =
            container.fileFormat == .mpegTS || container.fileFormat == .mpegPS && hasFilm
            || container.beginsAtStartTime
        if view == .player, startsAnywhere, let start = container.startTime {
            offset = Timestamp(ticks: start, timeBase: .microseconds) ?? .zero
        } else {
            offset = .zero
        }
    }

    /// A part of this view on the container's own clock.
    func stored(_ window: TimeWindow) -> TimeWindow {
        TimeWindow(from: window.start.map(stored), until: window.end.map(stored))
    }

    /// A time of this view on the container's own clock.
    func stored(_ time: Timestamp) -> Timestamp {
        retiming.undone(at: time).advanced(by: Timestamp.zero.duration(to: offset))
    }

    /// `true` if stored times are those of this view.
    var isIdentity: Bool { offset == .zero && retiming.isNone }

    /// The change from stored times to this view, for times within text.
    var change: TimeChange {
        TimeChange(map: { mapped($0) }, retiming: retiming, isIdentity: isIdentity)
    }

    /// The change of the times within an event, which moves as a whole.
    func change(ofEventAt start: Timestamp) -> TimeChange {
        TimeChange(
            map: { mapped($0, inEventAt: start) }, retiming: retiming, isIdentity: isIdentity)
    }

    /// `true` if the change of times differs from event to event.
    var dependsOnEvent: Bool { !retiming.breaks.isEmpty }

    /// The time in this view, clamped to the range of timestamps.
    func mapped(_ time: Timestamp) -> Timestamp {
        let shifted = shifted(time)
        return retiming.isNone ? shifted : retiming.applied(to: shifted)
    }

    /// The same for a time within an event, which moves as a whole.
    func mapped(_ time: Timestamp, inEventAt start: Timestamp) -> Timestamp {
        guard dependsOnEvent else { return mapped(time) }
        return retiming.applied(to: shifted(time), inEventAt: shifted(start))
    }

    private func shifted(_ time: Timestamp) -> Timestamp {
        Timestamp(
            nanoseconds: Int64(
                clamping: Int128(time.nanoseconds) - Int128(offset.nanoseconds)))
    }
}

extension Timestamp {
    /// `true` if a change of times may have stopped here because there is nothing beyond.
    var isAtLimit: Bool { nanoseconds == .max || nanoseconds == .min }
}

extension TimelineMapping {
    /// `true` if nothing that begins at a time of this view can be placed: on a player's clock, what begins long before
    /// zero may still be seen.
    func isBeyond(_ start: Timestamp) -> Bool {
        view == .player ? start == .distantFuture : start.isAtLimit
    }
}

extension Diagnostic {
    /// The diagnostic for a cue or packet whose retimed time cannot be represented.
    static func timeOverflow(
        _ what: String, isLost: Bool, streamIndex: Int? = nil, time: Timestamp?,
        byteOffset: UInt64? = nil
    ) -> Diagnostic {
        Diagnostic(
            isLost ? .error : .warning, "time-overflow",
            isLost
                ? "\(what) begins after the latest time that can be written, and is left out"
                : "\(what) ends after the latest time that can be written, and is cut there",
            streamIndex: streamIndex, time: time, byteOffset: byteOffset)
    }

    /// The diagnostic for a cue that no player shows.
    static func beforeZero(_ time: Timestamp) -> Diagnostic {
        Diagnostic(
            .warning, "before-zero", "a cue that ends before the timeline starts is left out",
            time: time)
    }
}

extension Cue {
    /// The part that is shown from zero on; `nil` if there is none.
    var fromZero: Cue? {
        guard end > .zero else { return nil }
        guard start < .zero else { return self }
        var cut = self
        cut.start = .zero
        return cut
    }
}

extension ContainerDescription {
    /// The start of the input on its own clock; `nil` if unknown.
    var storedStart: Timestamp? {
        startTime.flatMap { Timestamp(ticks: $0, timeBase: .microseconds) }
    }

    /// The end of the input on its own clock: containers that start anywhere do not end at their
    /// length.
    var storedEnd: Timestamp? {
        guard let duration else { return nil }
        let (end, overflow) = duration.addingReportingOverflow(startTime ?? 0)
        return overflow ? nil : Timestamp(ticks: end, timeBase: .microseconds)
    }
}

extension StyledText {
    fileprivate func movedRuns(_ move: (Timestamp) -> Timestamp) -> [TextRun] {
        runs.map { run in
            var moved = run
            moved.appearsAt = run.appearsAt.map(move)
            return moved
        }
    }

    /// The text with the times within it moved as the cue's own times are.
    func movingTimes(_ move: (Timestamp) -> Timestamp) -> StyledText {
        unstyled == nil && runs.contains { $0.appearsAt != nil }
            ? StyledText(runs: movedRuns(move)) : self
    }
}
