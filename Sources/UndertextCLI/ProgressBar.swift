internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// A progress line on standard error with the file, a bar, the rate and the remaining time.
///
/// It is drawn only on terminals and not for short jobs.
final class ProgressBar: Sendable {
    private static let patience = Duration.milliseconds(500)

    private let isWanted: Bool
    private let began = ContinuousClock.now
    private let state = Monitor(State())

    private struct State {
        var isDrawn = false
        var inputIndex = 0
        var inputBegan = ContinuousClock.now
    }

    init(quiet: Bool) {
        isWanted = !quiet && Terminal.takesEscapes(2)
    }

    /// Draws the current progress, unless the run has just started.
    func update(_ progress: ExtractionProgress) {
        guard isWanted, let fraction = progress.fraction else { return }
        let now = ContinuousClock.now
        state.with { state in
            if progress.inputIndex != state.inputIndex {
                state.inputIndex = progress.inputIndex
                state.inputBegan = now
            }
            guard now - began > Self.patience else { return }
            state.isDrawn = true
            let line = Self.line(
                progress, fraction, after: now - state.inputBegan, width: Terminal.width(2) ?? 80)
            StandardError.write("\r\u{1B}[K\(line)")
        }
    }

    /// `movie.mkv 2/5 [####------] 43 % 85 MB/s 0:12 left`, in fewer columns than `width`.
    static func line(
        _ progress: ExtractionProgress, _ fraction: Double, after elapsed: Duration, width: Int
    ) -> String {
        let seconds = elapsed / .seconds(1)
        var end = "\(Int(fraction * 100)) %"
        // The first half second is too short to estimate the rate and the remaining time.
        let canEstimate = seconds >= 0.5
        if let position = progress.position, canEstimate {
            end += " \(rate(Double(position) / seconds))"
        }
        if fraction > 0, canEstimate {
            let left = Int64((seconds / fraction * (1 - fraction)).rounded(.up))
            let clock = clockText(.seconds(min(left, 359_999)))
            end += " \(clock.prefix { $0 != "." }) left"
        }
        let count =
            progress.inputCount > 1 ? " \(progress.inputIndex + 1)/\(progress.inputCount)" : ""
        let room = width - 1 - end.utf8.count - count.utf8.count - 1
        guard room >= 8 else { return String(end.prefix(max(0, width - 1))) }
        let bar = room >= 28 ? min(24, room - 20) : 0
        let name = shortened(
            escapedForTerminal(PathName.baseName(progress.input)),
            to: room - (bar > 0 ? bar + 3 : 0))
        let filled = Int(Double(bar) * fraction)
        let drawn =
            bar == 0
            ? ""
            : " [" + String(repeating: "#", count: filled)
                + String(repeating: "-", count: bar - filled) + "]"
        return "\(name)\(count)\(drawn) \(end)"
    }

    private static func rate(_ bytes: Double) -> String {
        bytes < 1e6
            ? "\(Int(bytes / 1e3)) kB/s"
            : bytes < 1e10 ? "\(Int(bytes / 1e6)) MB/s" : "\(Int(bytes / 1e9)) GB/s"
    }

    /// Shortens a name to `width` columns by omitting its middle, since episode names differ at the end.
    private static func shortened(_ name: String, to width: Int) -> String {
        guard displayWidth(name) > width else { return name }
        var start = ""
        var end = ""
        for (first, last) in zip(name, name.reversed()) {
            guard displayWidth(start) + displayWidth(end) + 5 <= width else { break }
            start.append(first)
            end = String(last) + end
        }
        return start + "…" + end
    }

    /// Erases the bar.
    func clear() {
        state.with { state in
            if state.isDrawn { StandardError.write("\r\u{1B}[K") }
            state.isDrawn = false
        }
    }
}
