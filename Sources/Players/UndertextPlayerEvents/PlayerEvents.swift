internal import Undertext
internal import UndertextCore
internal import UndertextIO
public import UndertextPlayback

/// The events of a player: those that the player reports, and those of its subtitle model.
///
/// ```swift
/// let events = PlayerEvents(model: model)
/// events.report(.item(.file("movie.mkv")))        // from the callbacks of the player
/// events.report(.volume(0.5))
///
/// for await event in events.events([.playing, .paused, .cues]) { … }      // each event
/// for await batch in events.batches(every: .seconds(1)) { … }            // at most once a second
/// let observation = events.observe([.failed]) { events in … }             // a function, on the reporting thread
/// ```
///
/// The model contributes ``PlayerEvent/subtitles(_:at:)``, ``PlayerEvent/cues(_:at:)`` and failures of subtitles and
/// their sources. Reporting a property again with the value that it has is no event.
///
/// Each consumer receives its own events. A pending event is replaced by a later one of the same property;
/// waiting, playing and paused are one property. A slow consumer, or one that wants batches, therefore sees the
/// latest values, and the memory for pending events is bounded. All members are safe to use from any thread.
public final class PlayerEvents: Sendable {
    fileprivate struct State {
        /// The last event of each property.
        var current: [PlayerEvent] = []
        var boxes: [Registration] = []
        /// The failures of the model that were reported, by what failed.
        var failures: [String: UndertextError] = [:]
    }

    fileprivate struct Registration {
        weak var box: EventMailbox?
    }

    private let state = Monitor(State())
    private let clock: EventClock

    /// Creates the events of a player.
    ///
    /// - Parameters:
    ///   - model: The model whose events are added, or `nil` for none.
    ///   - clock: The clock of the intervals between batches.
    public init(
        model: SubtitleModel? = nil, clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.clock = EventClock(clock)
        guard let model else { return }
        model.observe { [weak self, weak model] changes in
            guard let self, let model else { return false }
            self.follow(model, changes)
            return true
        }
        follow(model, [.selection, .infos, .parts, .secondParts, .sources])
    }

    deinit {
        for registration in state.with({ $0.boxes }) {
            registration.box?.finish(isCancelled: false)
        }
    }

    /// The present value of each property, as the last event that changed it, in the order of these events.
    public var current: [PlayerEvent] { state.with { $0.current } }

    /// Reports an event of the player.
    public func report(_ event: PlayerEvent) { publish { _ in [event] } }

    /// Returns the future events of some kinds for one consumer, which end with this object.
    public func events(
        _ kinds: Set<PlayerEvent.Kind> = Set(PlayerEvent.Kind.allCases)
    ) -> AsyncStream<PlayerEvent> {
        let box = box(kinds, every: nil)
        return AsyncStream {
            await box.next(onlyFirst: true)?.first
        } onCancel: {
            box.finish(isCancelled: true)
        }
    }

    /// Returns the future events of some kinds for one consumer in batches, the first one at once.
    ///
    /// - Parameters:
    ///   - kinds: The kinds.
    ///   - interval: The least time between two batches.
    /// - Returns: The batches, none of them empty; they end with this object.
    public func batches(
        _ kinds: Set<PlayerEvent.Kind> = Set(PlayerEvent.Kind.allCases),
        every interval: Duration = .seconds(1)
    ) -> AsyncStream<[PlayerEvent]> {
        let box = box(kinds, every: interval)
        return AsyncStream {
            await box.next(onlyFirst: false)
        } onCancel: {
            box.finish(isCancelled: true)
        }
    }

    /// Has a function called with future events of some kinds, in order and never twice at a time.
    ///
    /// It is called on the thread that reports the event, or on any thread for what comes within an interval and for
    /// what comes while another call is under way. It may call functions of this object and of the model.
    ///
    /// - Parameters:
    ///   - kinds: The kinds.
    ///   - interval: The least time between two calls, or `nil` for none.
    ///   - body: The function; its argument is never empty.
    /// - Returns: The observation, which ends when it is released.
    public func observe(
        _ kinds: Set<PlayerEvent.Kind> = Set(PlayerEvent.Kind.allCases),
        every interval: Duration? = nil, _ body: @escaping @Sendable ([PlayerEvent]) -> Void
    ) -> PlayerEventObservation {
        PlayerEventObservation(box(kinds, every: interval, body: body))
    }

    private func box(
        _ kinds: Set<PlayerEvent.Kind>, every interval: Duration?, body: EventMailbox.Body? = nil
    ) -> EventMailbox {
        let box = EventMailbox(kinds, every: interval, clock, body: body)
        state.with { state in
            state.boxes.removeAll { $0.box == nil }
            state.boxes.append(Registration(box: box))
        }
        return box
    }

    /// Hands events to the consumers in the order in which they happened.
    private func publish(_ find: (inout State) -> [PlayerEvent]) {
        let boxes = state.with { state -> [EventMailbox] in
            let events = find(&state).filter { state.note($0) }
            guard !events.isEmpty else { return [] }
            let boxes = state.boxes.compactMap(\.box)
            for event in events {
                for box in boxes { box.add(event) }
            }
            return boxes
        }
        for box in boxes { box.deliver() }
    }

    // MARK: The model

    private func follow(_ model: SubtitleModel, _ changes: SubtitleChanges) {
        // A state that was read under the lock is published before any later one.
        publish { state in
            var events: [PlayerEvent] = []
            if !changes.isDisjoint(with: [.selection, .infos]) {
                let infos = [model.selectedSubtitleInfo, model.secondSubtitleInfo]
                for (place, info) in zip(SubtitlePlace.allCases, infos) {
                    events.append(.subtitles(info, at: place))
                    events += state.failure(info?.error, of: "place \(place.rawValue)")
                }
            }
            if changes.contains(.parts) {
                events.append(.cues(Self.cues(of: model.parts), at: .first))
            }
            if changes.contains(.secondParts) {
                events.append(.cues(Self.cues(of: model.secondParts), at: .second))
            }
            if changes.contains(.sources) {
                let errors = model.sourceErrors
                for name in Set(errors.keys).union(state.failedSources).sorted() {
                    events += state.failure(errors[name], of: "source \(name)")
                }
            }
            return events
        }
    }

    /// The cues of parts; a cue with several images has several parts.
    private static func cues(of parts: [DisplayedSubtitle]) -> [Cue] {
        parts.reduce(into: []) { cues, part in
            if cues.last != part.cue { cues.append(part.cue) }
        }
    }
}

extension PlayerEvents.State {
    /// Records an event; returns `false` if it changes nothing.
    fileprivate mutating func note(_ event: PlayerEvent) -> Bool {
        guard let property = event.property else { return true }
        guard !current.contains(where: { event.repeats($0) }) else { return false }
        current.removeAll { $0.property == property }
        if event.kind == .item { current.removeAll(where: \.isOfItem) }
        // A seek is no property that has a value.
        if event.kind != .seeked { current.append(event) }
        return true
    }

    /// The names of the sources that have failed.
    fileprivate var failedSources: [String] {
        failures.keys.filter { $0.hasPrefix("source ") }.map { String($0.dropFirst(7)) }
    }

    /// Returns a failure unless it is known.
    fileprivate mutating func failure(_ error: UndertextError?, of name: String) -> [PlayerEvent] {
        guard failures[name] != error else { return [] }
        failures[name] = error
        return error.map { [.failed($0)] } ?? []
    }
}
