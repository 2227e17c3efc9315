internal import CUndertextLinux

/// How reading and writing stand against those of other programs.
package enum IOPriority {
    /// Lets this thread, and those it starts from now on, wait for an idle disk.
    ///
    /// State of the process: only the program that owns it may ask for it.
    ///
    /// - Returns: whether the system did it; a disk's scheduler may ignore it all the same.
    ///
    /// C: `ioprio_set` with `IOPRIO_CLASS_IDLE`.
    package static func becomeIdle() -> Bool { clinux_idle_priority() == 0 }
}
