import UndertextIO

/// A clock that a test moves.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers:
            [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] =
                [:]
        var next = 0
    }

    private let state = Monitor(State())

    var now: Instant { state.with { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.with { state in
            defer { state.next += 1 }
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.with { state in
                    guard deadline > state.now, !Task.isCancelled else { return true }
                    state.sleepers[id] = (deadline, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.with { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock once somebody sleeps, and wakes all whose time has come.
    func advanceSleepers(by duration: Duration) async {
        while state.with({ $0.sleepers.isEmpty }) { await Task.yield() }
        advance(by: duration)
    }

    func advance(by duration: Duration) {
        let due = state.with { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }
}
