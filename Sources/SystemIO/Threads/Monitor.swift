internal import Glibc

/// A state that threads share and wait for; C: `pthread_mutex_t`, `pthread_cond_t`.
@safe final class Monitor<State>: @unchecked Sendable {
    // Unchecked: `state` is touched only with the mutex held.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ state: sending State) {
        self.state = state
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Works on the state, alone.
    func with<Result>(_ work: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return work(&state)
    }

    /// Works on the state as soon as `work` has a result, which it tries after each
    /// ``wakeAll()``.
    func wait<Result>(for work: (inout State) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = work(&state) { return result }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Lets every waiting thread look again.
    func wakeAll() {
        unsafe pthread_cond_broadcast(condition)
    }
}
