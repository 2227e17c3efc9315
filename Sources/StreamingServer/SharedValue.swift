internal import MediaCore
internal import SystemIO

/// A value that is costly to make, that many threads want, and that grows old.
///
/// One thread makes it anew while the others get the old one, or wait where there is none.
final class SharedValue<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        var freshUntil: ContinuousClock.Instant?
        var failure: MediaError?
        var failedUntil: ContinuousClock.Instant?
        var isBeingMade = false
    }

    private enum Turn {
        case done(Result<Value, MediaError>)
        case make(Value?)
    }

    private let state = Monitor(State())
    private let patience: Duration

    /// How long a failure counts, so that a server in trouble is not asked by every client.
    private static var failureAge: Duration { .seconds(1) }

    /// Creates a place for a value; nobody waits longer than `patience` for it.
    init(patience: Duration) { self.patience = patience }

    /// The value; if it is missing or too old, `make` makes it from the old one and says how long
    /// it is good.
    func value(
        _ make: (Value?) throws(MediaError) -> (Value, Duration)
    ) throws(MediaError) -> Value {
        let turn = state.wait(.takers, timeout: patience) { state -> Turn? in
            let now = ContinuousClock.now
            if let value = state.value, let until = state.freshUntil, now < until {
                return .done(.success(value))
            }
            if let failure = state.failure, let until = state.failedUntil, now < until {
                return .done(.failure(failure))
            }
            if state.isBeingMade {
                return state.failure == nil ? state.value.map { .done(.success($0)) } : nil
            }
            state.isBeingMade = true
            return .make(state.value)
        }
        switch turn {
        case .done(let result): return try result.get()
        case nil: throw MediaError(.timeout, "the presentation was not there in time")
        case .make(let old):
            let result: Result<(Value, Duration), MediaError>
            do throws(MediaError) {
                result = .success(try make(old))
            } catch {
                result = .failure(error)
            }
            state.with { state in
                state.isBeingMade = false
                switch result {
                case .success(let (value, age)):
                    state.value = value
                    state.freshUntil = .now + age
                    state.failure = nil
                case .failure(let error):
                    state.failure = error
                    state.failedUntil = .now + Self.failureAge
                }
            }
            state.wakeAll(.takers)
            return try result.get().0
        }
    }
}
