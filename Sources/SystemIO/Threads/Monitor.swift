internal import Glibc

/// A state that threads share and wait for; C: `pthread_mutex_t`, `pthread_cond_t`.
@safe final class Monitor<State>: @unchecked Sendable {
    // Unchecked: `state` is touched only with the mutex held.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// One for each side, so that waking one side costs the other nothing.
    private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

    /// Who waits: those who take, or those who make.
    enum Side: Int, CaseIterable {
        case takers
        case makers
    }

    init(_ state: sending State) {
        self.state = state
        unsafe pthread_mutex_init(mutex, nil)
        for side in Side.allCases { unsafe pthread_cond_init(conditions + side.rawValue, nil) }
    }

    deinit {
        for side in Side.allCases { unsafe pthread_cond_destroy(conditions + side.rawValue) }
        unsafe pthread_mutex_destroy(mutex)
        unsafe conditions.deallocate()
        unsafe mutex.deallocate()
    }

    /// Works on the state, alone.
    func with<Result>(_ work: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return work(&state)
    }

    /// Works on the state as soon as `work` has a result, which it tries each time its side is
    /// woken.
    func wait<Result>(_ side: Side, for work: (inout State) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = work(&state) { return result }
            unsafe pthread_cond_wait(conditions + side.rawValue, mutex)
        }
    }

    /// Lets every waiting thread of a side look again.
    func wakeAll(_ side: Side) {
        unsafe pthread_cond_broadcast(conditions + side.rawValue)
    }

    /// Lets one waiting thread of a side look again.
    func wakeOne(_ side: Side) {
        unsafe pthread_cond_signal(conditions + side.rawValue)
    }
}
