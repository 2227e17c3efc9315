internal import Synchronization
internal import SystemIO
internal import Undertext

/// What the command says and how it ends: messages on standard error, signals, the exit code.
final class Console: Sendable {
    /// Raised by SIGINT, SIGTERM and SIGHUP.
    let cancellation = Cancellation()
    /// Asked by the first of them where a live presentation is followed.
    let followingStop = FollowingStop()
    private let stopSignal = Atomic<Int32>(0)

    /// Starts to wait for signals: one stops the job in good order, within three seconds.
    ///
    /// Where a live presentation is followed, the first one ends that, and outputs are finished with what was
    /// read; the second one stops the job.
    init() {
        FFmpegInfo.silenceLog()
        SignalWatcher.start { [cancellation, followingStop, self] number in
            stopSignal.store(number, ordering: .relaxed)
            if followingStop.ask() { return }
            cancellation.cancel()
            // A write to a pipe that nobody reads would block for ever.
            SignalWatcher.pause(.seconds(3))
            TemporaryRegistry.ofProcess.removeAll(refusingNew: true)
            SignalWatcher.endProcess(128 + number)
        }
    }

    /// Writes a line on standard error; what comes from files is escaped.
    func say(_ line: String) {
        StandardError.write(escapedForTerminal(line) + "\n")
    }

    /// Writes an error in the command's form.
    func fail(_ message: String) {
        say("undertext: \(message)")
    }

    /// Ends the process: with the signal's code if one stopped the job.
    func exit(_ code: Int32) -> Never {
        let number = stopSignal.load(ordering: .relaxed)
        TemporaryRegistry.ofProcess.removeAll(refusingNew: true)
        SignalWatcher.endProcess(number == 0 ? code : 128 + number)
    }
}
