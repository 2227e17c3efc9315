internal import UndertextCore
package import UndertextIO

extension Media {
    /// Does blocking work with the input on its own thread, while the task's thread does other things.
    ///
    /// - Parameter work: Gets the input, and a cancellation that is raised when the task is cancelled; the error
    ///   `cancelled` is then thrown at once, and the work ends in the background.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable (Media, Cancellation) throws(UndertextError) -> Value
    ) async throws(UndertextError) -> Value {
        let cancellation = Cancellation(parent: options.cancellation)
        let media = Unshared(self)
        return try await queue.result(of: cancellation) { () throws(UndertextError) in
            try work(media.value, cancellation)
        }.get()
    }
}

/// A value that passes from one thread to another, and that nothing else refers to.
struct Unshared<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension BackgroundQueue {
    /// Performs blocking work on the queue and returns its result without blocking the task's thread.
    ///
    /// - Parameters:
    ///   - cancellation: Raised when the task is cancelled; the error `cancelled` is then returned at once.
    ///   - work: The work.
    /// - Returns: Its value or its error.
    package func result<Value: Sendable>(
        of cancellation: Cancellation,
        _ work: @escaping @Sendable () throws(UndertextError) -> Value
    ) async -> Result<Value, UndertextError> {
        let answer = Answer<Value>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.awaited(by: continuation)
                let isSubmitted = submit {
                    answer.give(Result { () throws(UndertextError) in try work() })
                }
                if !isSubmitted { answer.give(.failure(Self.noThread)) }
            }
        } onCancel: {
            cancellation.cancel()
            answer.give(.failure(UndertextError(.cancelled, "the task was cancelled")))
        }
    }
}

/// One result, given by the first of several, to a task that waits for it or will.
private final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Result<Value, UndertextError>, Never>)
        case given(Result<Value, UndertextError>)
        case taken
    }

    private let state = Monitor(State.open)

    func awaited(by continuation: CheckedContinuation<Result<Value, UndertextError>, Never>) {
        let given: Result<Value, UndertextError>? = state.with { state in
            guard case .given(let result) = state else {
                state = .awaited(continuation)
                return nil
            }
            state = .taken
            return result
        }
        if let given { continuation.resume(returning: given) }
    }

    func give(_ result: Result<Value, UndertextError>) {
        let continuation: CheckedContinuation<Result<Value, UndertextError>, Never>? = state.with {
            state in
            switch state {
            case .open: state = .given(result)
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .given, .taken: break
            }
            return nil
        }
        continuation?.resume(returning: result)
    }
}
