internal import UndertextCore
internal import UndertextIO

/// A clock whose instants are durations since its creation.
struct EventClock: Sendable {
    let now: @Sendable () -> Duration
    /// Waits, and returns `false` if the task is cancelled.
    let sleep: @Sendable (Duration) async -> Bool

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { time in
            do {
                try await clock.sleep(for: time)
                return true
            } catch {
                return false
            }
        }
    }
}

/// The events for one consumer, which takes them or is called with them.
final class EventMailbox: Sendable {
    typealias Body = @Sendable ([PlayerEvent]) -> Void

    private enum Step {
        case deliver([PlayerEvent])
        /// The interval is not over.
        case pause(Duration)
        /// No event is available.
        case wait
        case end
    }

    private struct State {
        var pending = PendingEvents()
        /// The time of the last delivery.
        var delivered: Duration?
        var isFinished = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// `true` while a thread delivers to the body, or will after a pause.
        var isDelivering = false
    }

    private let kinds: Set<PlayerEvent.Kind>
    private let interval: Duration?
    private let clock: EventClock
    private let body: Body?
    private let state = Monitor(State())

    init(
        _ kinds: Set<PlayerEvent.Kind>, every interval: Duration?, _ clock: EventClock,
        body: Body? = nil
    ) {
        self.kinds = kinds
        self.interval = interval
        self.clock = clock
        self.body = body
    }

    /// Puts an event in; ``deliver()`` follows.
    func add(_ event: PlayerEvent) {
        guard kinds.contains(event.kind) else { return }
        let waiting = state.with { state -> [CheckedContinuation<Void, Never>] in
            guard !state.isFinished else { return [] }
            state.pending.add(event)
            defer { state.waiting = [] }
            return state.waiting
        }
        for consumer in waiting { consumer.resume() }
    }

    /// Ends the delivery.
    ///
    /// - Parameter isCancelled: `true` if the consumer wants nothing more; otherwise it gets what is pending.
    func finish(isCancelled: Bool) {
        let waiting = state.with { state -> [CheckedContinuation<Void, Never>] in
            state.isFinished = true
            if isCancelled { state.pending = PendingEvents() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for consumer in waiting { consumer.resume() }
        if !isCancelled { deliver() }
    }

    private func nextStep(_ state: inout State, onlyFirst: Bool) -> Step {
        guard !state.pending.isEmpty else { return state.isFinished ? .end : .wait }
        let now = clock.now()
        if let interval, let delivered = state.delivered, !state.isFinished,
            now - delivered < interval
        {
            return .pause(interval - (now - delivered))
        }
        state.delivered = now
        return .deliver(state.pending.take(onlyFirst: onlyFirst))
    }

    // MARK: Taking

    /// Waits for events and returns them, or `nil` at the end.
    func next(onlyFirst: Bool) async -> [PlayerEvent]? {
        while true {
            switch state.with({ nextStep(&$0, onlyFirst: onlyFirst) }) {
            case .deliver(let events): return events
            case .end: return nil
            case .pause(let time): guard await clock.sleep(time) else { return nil }
            case .wait: await waitForEvents()
            }
        }
    }

    private func waitForEvents() async {
        await withCheckedContinuation { continuation in
            let isReady = state.with { state in
                guard state.pending.isEmpty, !state.isFinished else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    // MARK: Calling

    /// Calls the body with what is due, in order, one call at a time; what comes within the interval is delivered
    /// after it by a task.
    func deliver() {
        guard let body else { return }
        let isBusy = state.with { state in
            defer { state.isDelivering = true }
            return state.isDelivering
        }
        if !isBusy { call(body) }
    }

    private func call(_ body: @escaping Body) {
        while true {
            let step = state.with { state in
                let step = nextStep(&state, onlyFirst: false)
                if case .wait = step { state.isDelivering = false }
                if case .end = step { state.isDelivering = false }
                return step
            }
            switch step {
            case .deliver(let events): body(events)
            case .wait, .end: return
            case .pause(let time):
                Task { [self] in
                    _ = await clock.sleep(time)
                    call(body)
                }
                return
            }
        }
    }
}

/// The registration of a function that is called with events; it ends with this value, or by ``cancel()``.
public final class PlayerEventObservation: Sendable {
    private let box: EventMailbox

    init(_ box: EventMailbox) { self.box = box }

    deinit { box.finish(isCancelled: true) }

    /// Ends the observation; a call that is under way on another thread ends by itself.
    public func cancel() { box.finish(isCancelled: true) }
}
