internal import Glibc

/// A thread that performs one work item; C: `pthread_create`, `pthread_join`, `pthread_detach`.
final class WorkerThread: Sendable {
    private let thread: pthread_t

    /// Starts a thread; `nil` if the system cannot create one.
    init?(_ work: @escaping @Sendable () -> Void) {
        guard let thread = Self.start(work) else { return nil }
        self.thread = thread
    }

    /// Starts a detached thread, and returns `true` if the system could create it; C: `pthread_detach`.
    static func startDetached(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = start(work) else { return false }
        pthread_detach(thread)
        return true
    }

    private static func start(_ work: @escaping @Sendable () -> Void) -> pthread_t? {
        let box = unsafe Unmanaged.passRetained(Box(InputFiles.inherited(by: work)))
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
        return thread
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
