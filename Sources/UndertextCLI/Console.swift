internal import Synchronization
internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// What the command says and how it ends: messages on standard error, signals, the exit code.
final class Console: Sendable {
    /// Raised by SIGINT, SIGTERM and SIGHUP; SIGQUIT waits for nothing.
    let cancellation = Cancellation()
    /// Asked by the first of them where a live presentation is followed.
    let followingStop = LiveReadingToken()
    private let stopSignal = Atomic<Int32>(0)

    /// Starts to wait for signals: one stops the job in good order, within three seconds.
    ///
    /// Where a live presentation is followed, the first one ends that, and outputs are finished with what was
    /// read; the second one stops the job.
    init() {
        FFmpegInfo.silenceLog()
        SignalWatcher.start { [cancellation, followingStop, self] number in
            stopSignal.store(number, ordering: .relaxed)
            if number != SignalWatcher.quit {
                if followingStop.ask() { return }
                cancellation.cancel()
                // A write to a pipe that nobody reads would block for ever.
                SignalWatcher.pause(.seconds(3))
            }
            TemporaryRegistry.ofProcess.removeAll(refusingNew: true)
            SignalWatcher.endProcess(128 + number)
        }
    }

    /// Writes a line on standard error; what comes from files is escaped, and secrets of URLs
    /// are left out.
    ///
    /// - Parameters:
    ///   - line: what is said; it may begin with `warning: ` or `error: `.
    ///   - subject: the input, where there are several.
    func say(_ line: String, about subject: String? = nil) {
        var label = Label?.none
        var text = line[...]
        for known in Label.allCases where line.hasPrefix("\(known.rawValue): ") {
            label = known
            text = line.dropFirst(known.rawValue.utf8.count + 2)
        }
        MessageText(subject: subject, label: label, text: String(text)).write()
    }

    /// Writes an error in the command's form.
    ///
    /// - Parameters:
    ///   - message: what failed, on what, why and what to do.
    ///   - details: further reasons, each on a line of its own.
    func fail(_ message: String, details: [String] = []) {
        MessageText(label: .command, text: message).write()
        for detail in details { MessageText(text: detail, isItem: true).write() }
    }

    /// Writes an error in the command's form, with what to do about it.
    func fail(_ error: UndertextError, in command: RemedyText.Command = .other) {
        fail(
            error.summary + RemedyText.hint(error.remedy, for: command), details: error.details)
    }

    /// Ends the process where the reader of standard output went away: that is the reader's wish.
    func endIfReaderLeft(_ error: UndertextError) {
        if error.code == .closedPipe { exit(ExitStatus.success) }
    }

    /// What a message begins with.
    enum Label: String, CaseIterable {
        case command = "undertext"
        case error
        case warning

        /// The escape sequence of its color.
        var color: String { self == .warning ? "\u{1B}[33m" : "\u{1B}[31m" }
    }

    /// Ends the process: with the signal's code if one stopped the job.
    func exit(_ code: Int32) -> Never {
        let number = stopSignal.load(ordering: .relaxed)
        TemporaryRegistry.ofProcess.removeAll(refusingNew: true)
        SignalWatcher.endProcess(number == 0 ? code : 128 + number)
    }
}
