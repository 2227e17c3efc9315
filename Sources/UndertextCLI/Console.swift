internal import Synchronization
internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// The command's messages on standard error, its signal handling and its exit.
final class Console: Sendable {
    /// Cancelled by SIGINT, SIGTERM and SIGHUP; SIGQUIT ends the process at once.
    let cancellation = Cancellation()
    /// Stopped by the first of these signals while a live presentation is followed.
    let followingStop = LiveReadingToken()
    private let stopSignal = Atomic<Int32>(0)
    private let stopAction = Mutex<(@Sendable () -> Void)?>(nil)

    /// Starts to handle signals: a signal cancels the job, and the process ends within three seconds.
    ///
    /// While a live presentation is followed, the first signal stops following and completes the outputs with
    /// what has been read; the second signal cancels the job.
    init() {
        FFmpegInfo.silenceLog()
        SignalWatcher.start { [cancellation, followingStop, self] number in
            stopSignal.store(number, ordering: .relaxed)
            if number != SignalWatcher.quit {
                if followingStop.ask() { return }
                cancellation.cancel()
                stopAction.withLock { $0 }?()
                // A write to a pipe without an active reader would block forever.
                SignalWatcher.pause(.seconds(3))
            }
            TemporaryRegistry.ofProcess.removeAll(refusingNew: true)
            SignalWatcher.endProcess(128 + number)
        }
    }

    /// Calls `action` after the job was cancelled by a signal, for a job that waits.
    func whenStopped(_ action: @escaping @Sendable () -> Void) {
        stopAction.withLock { $0 = action }
    }

    /// Writes a line to standard error, with text from files escaped and secrets in URLs removed.
    ///
    /// - Parameters:
    ///   - line: The message; it may begin with `warning: ` or `error: `.
    ///   - subject: The input the message is about, if the run has several.
    func say(_ line: String, about subject: String? = nil) {
        var label = Label?.none
        var text = line[...]
        for known in Label.allCases where line.hasPrefix("\(known.rawValue): ") {
            label = known
            text = line.dropFirst(known.rawValue.utf8.count + 2)
        }
        MessageText(subject: subject, label: label, text: String(text)).write()
    }

    /// Writes an error message to standard error.
    ///
    /// - Parameters:
    ///   - message: What failed, on what, why, and what to do.
    ///   - details: Further reasons, each written on its own line.
    func fail(_ message: String, details: [String] = []) {
        MessageText(label: .command, text: message).write()
        for detail in details { MessageText(text: detail, isItem: true).write() }
    }

    /// Writes an error and its remedy to standard error.
    func fail(_ error: UndertextError, in command: RemedyText.Command = .other) {
        fail(
            error.summary + RemedyText.hint(error.remedy, for: command), details: error.details)
    }

    /// Ends the process if the reader of standard output has closed the pipe, which is not an error.
    func endIfReaderLeft(_ error: UndertextError) {
        if error.code == .closedPipe { exit(ExitStatus.success) }
    }

    /// The label at the beginning of a message.
    enum Label: String, CaseIterable {
        case command = "undertext"
        case error
        case warning

        /// The terminal escape sequence of the label's color.
        var color: String { self == .warning ? "\u{1B}[33m" : "\u{1B}[31m" }
    }

    /// Ends the process with `code`, or with the signal's exit code if a signal stopped the job.
    func exit(_ code: Int32) -> Never {
        let number = stopSignal.load(ordering: .relaxed)
        TemporaryRegistry.ofProcess.removeAll(refusingNew: true)
        SignalWatcher.endProcess(number == 0 ? code : 128 + number)
    }
}
