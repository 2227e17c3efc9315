internal import UndertextCore
internal import UndertextIO

/// The reason why there is no value.
enum RefreshingCacheFailure: Error {
    /// It is being made, and others wait for it.
    case busy
    /// It cannot be made.
    case failed(UndertextError)

    /// The error for callers that throw another type.
    var error: UndertextError {
        switch self {
        case .busy: UndertextError(.timeout, "the presentation was not there in time")
        case .failed(let error): error
        }
    }
}

/// A value that is costly to make, that many threads want, and that grows old.
///
/// One thread refreshes the value while the others get the old one. If there is no valid value, a few threads
/// wait, so that a slow upstream cannot block all threads of a server; the others are refused.
final class RefreshingCache<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        var freshUntil = Duration.zero
        var failure: UndertextError?
        var failedUntil = Duration.zero
        var isBeingMade = false
        var waiting = 0
    }

    private enum Turn {
        case done(Result<Value, RefreshingCacheFailure>)
        case make(Value?)
    }

    private let state = Monitor(State())
    private let patience: Duration
    private let clock: JobClock
    private let bridged: @Sendable (UndertextError) -> Void

    /// The time for which a failure is cached, so that not every client causes a request to a failing server.
    private static var failureAge: Duration { .seconds(1) }
    /// The maximum number of threads that wait.
    private static var mostWaiting: Int { 4 }

    /// Creates a place for a value.
    ///
    /// - Parameters:
    ///   - patience: The maximum wait for a value.
    ///   - clock: the time.
    ///   - bridged: Receives each failure for which an old value is returned.
    init(
        patience: Duration, clock: JobClock = .system,
        bridged: @escaping @Sendable (UndertextError) -> Void = { _ in }
    ) {
        self.patience = patience
        self.clock = clock
        self.bridged = bridged
    }

    /// The value that was made last, however old it is.
    var latest: Value? { state.with { $0.value } }

    /// Returns the value, refreshed if it is missing or too old.
    ///
    /// - Parameters:
    ///   - grace: The time for which the old value is used while there is no new one; `nil` for no limit.
    ///   - make: makes a new value from the old one, and returns how long it is valid.
    /// - Returns: the value, perhaps the old one.
    /// - Throws: the reason why no value is available.
    func value(
        keeping grace: Duration?, _ make: (Value?) throws(UndertextError) -> (Value, Duration)
    ) throws(RefreshingCacheFailure) -> Value {
        var isWaiting = false
        let turn = state.wait(.consumers, timeout: patience) { state -> Turn? in
            let turn = self.turn(&state, grace, mayWait: isWaiting)
            if turn == nil, !isWaiting {
                isWaiting = true
                state.waiting += 1
            }
            return turn
        }
        if isWaiting { state.with { $0.waiting -= 1 } }
        switch turn {
        case .done(let result): return try result.get()
        case nil: throw .busy
        case .make(let old): return try made(from: old, grace, make)
        }
    }

    /// The next action; `nil` to wait.
    private func turn(_ state: inout State, _ grace: Duration?, mayWait: Bool) -> Turn? {
        let now = clock.now()
        if let value = state.value, now < state.freshUntil { return .done(.success(value)) }
        let usable = usable(state, now, grace)
        if let failure = state.failure, now < state.failedUntil {
            return .done(usable.map(Result.success) ?? .failure(.failed(failure)))
        }
        guard state.isBeingMade else {
            state.isBeingMade = true
            return .make(state.value)
        }
        if let usable { return .done(.success(usable)) }
        return mayWait || state.waiting < Self.mostWaiting ? nil : .done(.failure(.busy))
    }

    /// The old value, where it may still be given.
    private func usable(_ state: State, _ now: Duration, _ grace: Duration?) -> Value? {
        guard let grace else { return state.value }
        return now < state.freshUntil + grace ? state.value : nil
    }

    private func made(
        from old: Value?, _ grace: Duration?,
        _ make: (Value?) throws(UndertextError) -> (Value, Duration)
    ) throws(RefreshingCacheFailure) -> Value {
        let result: Result<(Value, Duration), UndertextError>
        do throws(UndertextError) {
            result = .success(try make(old))
        } catch {
            result = .failure(error)
        }
        let usable: Value? = state.with { state in
            let now = clock.now()
            state.isBeingMade = false
            switch result {
            case .success(let (value, age)):
                state.value = value
                state.freshUntil = now + age
                state.failure = nil
                return nil
            case .failure(let error):
                state.failure = error
                state.failedUntil = now + Self.failureAge
                return self.usable(state, now, grace)
            }
        }
        state.wakeAll(.consumers)
        switch result {
        case .success(let (value, _)): return value
        case .failure(let error):
            guard let usable else { throw .failed(error) }
            bridged(error)
            return usable
        }
    }
}
