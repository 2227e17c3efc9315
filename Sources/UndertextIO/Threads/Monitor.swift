internal import Glibc

/// A state that threads share and wait for; C: `pthread_mutex_t`, `pthread_cond_t`.
///
/// ThreadSanitizer knows these; of `Mutex` (Swift 6.3, Linux) it sees only the fast path and tells of
/// races where there are none. The lock is not recursive.
@safe package final class Monitor<State>: @unchecked Sendable {
    // Unchecked: `state` is touched only with the mutex held.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// One for each side, so that waking one side costs the other nothing.
    private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

    /// Who waits: those who take, or those who make.
    package enum Side: Int, Sendable, CaseIterable {
        /// Those who take.
        case consumers
        /// Those who make.
        case producers
    }

    /// Creates a monitor that holds `state`.
    package init(_ state: sending State) {
        self.state = state
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // A clock that nobody sets.
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        for side in Side.allCases {
            unsafe pthread_cond_init(conditions + side.rawValue, &attributes)
        }
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        for side in Side.allCases { unsafe pthread_cond_destroy(conditions + side.rawValue) }
        unsafe pthread_mutex_destroy(mutex)
        unsafe conditions.deallocate()
        unsafe mutex.deallocate()
    }

    /// Works on the state, alone.
    package func with<Result>(_ work: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return work(&state)
    }

    /// Works on the state as soon as `work` has a result, which it tries each time its side is
    /// woken.
    package func wait<Result>(_ side: Side, for work: (inout State) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = work(&state) { return result }
            unsafe pthread_cond_wait(conditions + side.rawValue, mutex)
        }
    }

    /// Works on the state as soon as `work` has a result, which it tries each time its side is
    /// woken; gives up behind `timeout`.
    package func wait<Result>(
        _ side: Side, timeout: Duration, for work: (inout State) -> Result?
    ) -> Result? {
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
        // A year is as good as for ever, and fits.
        let whole = min(max(timeout, .zero), .seconds(31_536_000))
        deadline.tv_sec += Int(whole.components.seconds)
        deadline.tv_nsec += Int(whole.components.attoseconds / 1_000_000_000)
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_nsec -= 1_000_000_000
            deadline.tv_sec += 1
        }
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = work(&state) { return result }
            let reason = unsafe pthread_cond_timedwait(
                conditions + side.rawValue, mutex, &deadline)
            guard reason == 0 else { return work(&state) }
        }
    }

    /// Lets every waiting thread of a side look again.
    package func wakeAll(_ side: Side) {
        unsafe pthread_cond_broadcast(conditions + side.rawValue)
    }

    /// Lets one waiting thread of a side look again.
    package func wakeOne(_ side: Side) {
        unsafe pthread_cond_signal(conditions + side.rawValue)
    }
}
