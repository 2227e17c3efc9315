internal import Glibc

/// A thread that does one piece of work; C: `pthread_create`, `pthread_join`.
final class WorkerThread {
    private let thread: pthread_t

    /// Starts a thread; `nil` if the system gives none.
    init?(_ work: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(Box(work))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work()
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            unsafe box.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits until the work is done.
    func join() {
        pthread_join(thread, nil)
    }

    private final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
}
