internal import SystemIO
internal import Undertext

/// A bar on standard error, on a terminal only and not for short work.
final class ProgressBar {
    private static let patience = Duration.milliseconds(500)
    private static let interval = Duration.milliseconds(100)

    private let isWanted: Bool
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var lastDrawn: ContinuousClock.Instant?

    init(quiet: Bool) {
        isWanted = !quiet && Terminal.isTerminal(2)
        began = clock.now
    }

    /// Draws the state, unless it is too early or was just drawn.
    func update(_ progress: ExtractionProgress) {
        guard isWanted, let fraction = progress.fraction else { return }
        let now = clock.now
        guard now - began > Self.patience else { return }
        if let lastDrawn, now - lastDrawn < Self.interval { return }
        lastDrawn = now
        let width = max(10, min(40, (Terminal.width(2) ?? 80) - 40))
        let filled = Int(Double(width) * fraction)
        let bar =
            String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        let place =
            progress.inputCount > 1 ? " \(progress.inputIndex + 1)/\(progress.inputCount)" : ""
        StandardError.write("\r[\(bar)] \(Int(fraction * 100)) %\(place) ")
    }

    /// Removes the bar.
    func clear() {
        if lastDrawn != nil { StandardError.write("\r\u{1B}[K") }
        lastDrawn = nil
    }
}
