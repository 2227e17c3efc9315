internal import Glibc

/// Waits for the signals that stop a command, on a thread of its own.
///
/// Only a command may use it: it changes the signal mask of the whole process, so it must be
/// started before any other thread.
public enum SignalWatcher {
    /// Calls `handler` with each SIGINT, SIGTERM or SIGHUP, and ignores SIGPIPE, so that a closed
    /// pipe is an error of the write that meets it.
    ///
    /// The handler runs on an ordinary thread and may take locks.
    public static func start(_ handler: @escaping @Sendable (Int32) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
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
            // Without a thread the signals do what they do by default.
            unsafe box.release()
            unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
            return
        }
        pthread_detach(thread)
    }

    /// Lets the watching thread wait, while the rest of the process goes on.
    public static func pause(_ time: Duration) {
        var rest = timespec(tv_sec: Int(time.components.seconds), tv_nsec: 0)
        unsafe nanosleep(&rest, nil)
    }

    /// Ends the process at once.
    public static func endProcess(_ code: Int32) -> Never { _exit(code) }

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
