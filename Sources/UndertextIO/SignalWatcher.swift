internal import Glibc

/// Waits on its own thread for the signals that stop a command.
///
/// It changes the signal mask of the whole process, so only a command may use it, and it must be started before
/// any other thread.
package enum SignalWatcher {
    /// C: `SIGQUIT`, which ends the process without waiting for the job.
    package static let quit: Int32 = SIGQUIT

    /// Calls `handler` for SIGINT, SIGTERM, SIGHUP and SIGQUIT, and ignores SIGPIPE and SIGXFSZ.
    ///
    /// Because of the ignored signals, a closed pipe or a file at the process's size limit is reported as a
    /// write error.
    ///
    /// The handler runs on an ordinary thread and may take locks.
    package static func start(_ handler: @escaping @Sendable (Int32) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        let box = unsafe Unmanaged.passRetained(Handler(set: set, call: handler))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let handler = unsafe Unmanaged<Handler>.fromOpaque(argument).takeRetainedValue()
                handler.wait()
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            // If no thread can be started, the signals keep their default action.
            unsafe box.release()
            unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
            return
        }
        pthread_detach(thread)
    }

    /// Sleeps for a duration even if signals arrive; C: `nanosleep`.
    package static func pause(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        guard time > .zero else { return }
        var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var left = timespec()
        while unsafe nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
    }

    /// Ends the process immediately.
    package static func endProcess(_ code: Int32) -> Never { _exit(code) }

    private final class Handler {
        private var set: sigset_t
        private let call: @Sendable (Int32) -> Void

        init(set: sigset_t, call: @escaping @Sendable (Int32) -> Void) {
            self.set = set
            self.call = call
        }

        func wait() {
            while true {
                var number: Int32 = 0
                guard unsafe sigwait(&set, &number) == 0 else { return }
                call(number)
            }
        }
    }
}
