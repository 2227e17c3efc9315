internal import Glibc

/// A shared state with a mutex and condition variables; C: `pthread_mutex_t`, `pthread_cond_t`.
///
/// ThreadSanitizer understands these; of `Mutex` (Swift 6.3, Linux) it sees only the fast path and reports
/// false races. The lock is not recursive.
@safe package final class Monitor<State>: @unchecked Sendable {
    // Unchecked: `state` is accessed only while the mutex is held.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// One condition variable for each side, so that only one side is woken.
    private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

    /// The two sides that wait for each other.
    package enum Side: Int, Sendable, CaseIterable {
        /// The threads that consume values.
        case consumers
        /// The threads that produce values.
        case producers
    }

    /// Creates a monitor that holds `state`.
    package init(_ state: sending State) {
        self.state = state
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // Changes to the system time do not affect this clock.
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

    /// Calls `work` with exclusive access to the state.
    package func with<Result>(_ work: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return work(&state)
    }

    /// Waits until `work` returns a result; `work` is called again whenever its side is woken.
    package func wait<Result>(_ side: Side, for work: (inout State) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = work(&state) { return result }
            unsafe pthread_cond_wait(conditions + side.rawValue, mutex)
        }
    }

    /// Waits until `work` returns a result or `timeout` has passed; returns `nil` on timeout.
    ///
    /// `work` is called again whenever its side is woken.
    package func wait<Result>(
        _ side: Side, timeout: Duration, for work: (inout State) -> Result?
    ) -> Result? {
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
        // A year is practically unlimited and does not overflow.
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

    /// Wakes all waiting threads of a side.
    package func wakeAll(_ side: Side) {
        unsafe pthread_cond_broadcast(conditions + side.rawValue)
    }

    /// Wakes one waiting thread of a side.
    package func wakeOne(_ side: Side) {
        unsafe pthread_cond_signal(conditions + side.rawValue)
    }
}
