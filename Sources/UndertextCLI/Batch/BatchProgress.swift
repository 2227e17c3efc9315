internal import Synchronization
internal import UndertextCore
internal import UndertextIO
internal import UndertextLibrary

/// The progress of a run on standard error: a line on a terminal, or JSON Lines.
final class BatchProgress: Sendable {
    private struct State {
        var files = 0
        var bytes: Int64 = 0
        /// All files and bytes; they grow until the census has ended.
        var totalFiles = 0
        var totalBytes: Int64 = 0
        var isTotalKnown = false
        var isDrawn = false
    }

    private enum Form {
        case none
        case line
        case json
    }

    private let form: Form
    private let began = ContinuousClock.now
    private let state: Monitor<State>
    /// `nil` while there is nothing to report.
    private let ticker = Mutex<Ticker?>(nil)

    init(
        form name: String, quiet: Bool, roots: [String], walk: WalkOptions,
        entries: [Manifest.Entry]?, cancellation: Cancellation
    ) {
        let form: Form =
            switch name {
            case "json": .json
            case "auto" where !quiet && Terminal.takesEscapes(2): .line
            default: .none
            }
        self.form = form
        let state = Monitor(State())
        self.state = state
        guard form != .none else { return }
        if let entries {
            state.with {
                $0.totalFiles = entries.count
                $0.totalBytes = Int64(clamping: entries.reduce(Int128(0)) { $0 + Int128($1.size) })
                $0.isTotalKnown = true
            }
        } else {
            // Files are found while others are worked on; how many there are, a walk of its own counts.
            _ = BackgroundQueue(threads: 1).submit {
                Self.count(roots, walk, cancellation, state)
            }
        }
        start()
    }

    private func start() {
        let interval: Duration = form == .json ? .seconds(1) : .milliseconds(200)
        ticker.withLock { [began, form, state] ticker in
            guard ticker == nil else { return }
            ticker = Ticker(every: interval) {
                state.with { Self.write(form, &$0, after: ContinuousClock.now - began) }
            }
        }
    }

    private static func count(
        _ roots: [String], _ walk: WalkOptions, _ cancellation: Cancellation,
        _ state: Monitor<State>
    ) {
        var walk = walk
        walk.recognizesObjects = false
        let walker = InputWalker(roots: roots, options: walk, cancellation: cancellation) { _ in }
        while !cancellation.isCancelled, let file = walker.next() {
            state.with {
                $0.totalFiles += 1
                $0.totalBytes += file.status.size
            }
        }
        state.with { $0.isTotalKnown = true }
    }

    /// Counts a file that was dealt with.
    func count(_ file: FoundFile) {
        guard form != .none else { return }
        state.with {
            $0.files += 1
            $0.bytes += file.status.size
        }
        start()
    }

    /// Pauses until the next file is counted, since a run that waits uses no time; there is no total from now on.
    func pause() {
        stop()
        state.with { $0.isTotalKnown = false }
    }

    /// Removes the line, so that a message can be written.
    func clear() {
        guard form == .line else { return }
        state.with { state in
            if state.isDrawn { StandardError.write("\r\u{1B}[K") }
            state.isDrawn = false
        }
    }

    /// Ends the progress, with a last record as JSON Lines.
    func stop() {
        ticker.withLock { $0.take() }?.stop()
        clear()
        guard form == .json else { return }
        state.with { Self.write(form, &$0, after: ContinuousClock.now - began) }
    }

    private static func write(_ form: Form, _ state: inout State, after elapsed: Duration) {
        let seconds = elapsed / .seconds(1)
        let rate = seconds > 0.5 ? Double(state.bytes) / seconds : nil
        var left: Double?
        if let rate, rate > 0, state.isTotalKnown {
            left = Double(max(0, state.totalBytes - state.bytes)) / rate
        }
        guard form == .line else {
            StandardError.write(json(state, seconds, rate, left))
            return
        }
        var line = "\(state.files)"
        if state.isTotalKnown { line += "/\(state.totalFiles)" }
        line += " files, \(state.bytes / 1_000_000) MB"
        if let rate { line += ", \(Int(rate / 1e6)) MB/s" }
        if let left {
            let clock = clockText(.seconds(Int64(min(left.rounded(.up), 359_999))))
            line += ", \(clock.prefix { $0 != "." }) left"
        }
        state.isDrawn = true
        StandardError.write("\r\u{1B}[K\(line.prefix(max(0, (Terminal.width(2) ?? 80) - 1)))")
    }

    private static func json(
        _ state: State, _ seconds: Double, _ rate: Double?, _ left: Double?
    ) -> String {
        let record = JSON.object([
            .init("type", .string("progress")), .init("files", .integer(state.files)),
            .init("bytes", .integer(state.bytes)),
            .init("totalFiles", state.isTotalKnown ? .integer(state.totalFiles) : .null),
            .init("totalBytes", state.isTotalKnown ? .integer(state.totalBytes) : .null),
            .init("seconds", .decimal(seconds)),
            .init("bytesPerSecond", rate.map { .decimal($0) } ?? .null),
            .init("secondsLeft", left.map { .decimal($0) } ?? .null),
        ])
        return String(decoding: record.compact, as: UTF8.self) + "\n"
    }
}
