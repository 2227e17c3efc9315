internal import CUndertextLinux

/// The I/O priority of this process relative to others.
package enum IOPriority {
    /// Sets the idle I/O priority for this thread and the threads it starts from now on.
    ///
    /// This affects the process, so only a program should call it, not a library.
    ///
    /// - Returns: `true` if the system accepted the priority; some I/O schedulers ignore it.
    ///
    /// C: `ioprio_set` with `IOPRIO_CLASS_IDLE`.
    package static func becomeIdle() -> Bool { clinux_idle_priority() == 0 }
}
