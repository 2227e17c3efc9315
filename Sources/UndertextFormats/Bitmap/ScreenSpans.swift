internal import UndertextCore

/// The images on screen between two changes.
struct ScreenSpan: Hashable {
    /// The start.
    var start: Timestamp
    /// The time of the next change.
    var end: Timestamp
    /// The visible images, from the lowest to the topmost.
    var cues: [Cue]
}

/// Cues that may overlap, as spans in which the screen does not change.
///
/// Cues are ordered by start; spans are returned when no later cue can change them.
struct ScreenSpans {
    /// More than any real track shows at once.
    private static let shownAtMost = 64

    /// The reason why a cue is not shown.
    static let notShown =
        "it ends before the last screen that was written, or too many cues overlap"

    private let budget: PixelBudget?
    private var shown: [Cue] = []
    /// The end of the spans returned so far.
    private var now: Timestamp?

    /// Creates spans.
    ///
    /// - Parameter budget: the limit for drawing; `nil` for no limit. A single cue is already paid for; drawing
    ///   several together costs extra.
    init(budget: PixelBudget? = nil) { self.budget = budget }

    /// Adds a cue; returns the spans that end at or before its start, and whether the cue will be visible.
    ///
    /// A cue that is out of order appears at the end of the returned spans.
    mutating func add(_ cue: Cue) -> (spans: [ScreenSpan], isShown: Bool) {
        let spans = advance(to: cue.start)
        guard cue.end > cue.start, cue.end > now ?? cue.start, shown.count < Self.shownAtMost else {
            return (spans, false)
        }
        let place = shown.firstIndex { ($0.layer, $0.order) > (cue.layer, cue.order) }
        shown.insert(cue, at: place ?? shown.count)
        return (spans, true)
    }

    /// The spans that are left.
    mutating func finish() -> [ScreenSpan] { advance(to: .distantFuture) }

    private func mayDraw(_ cues: [Cue]) -> Bool {
        guard let budget, cues.count > 1 else { return true }
        return budget.spend(
            cues.reduce(0) { sum, cue in
                guard case .images(let content) = cue.content else { return sum }
                return sum + content.pixelCount
            })
    }

    private mutating func advance(to time: Timestamp) -> [ScreenSpan] {
        var spans: [ScreenSpan] = []
        while let end = shown.map(\.end).min(), let start = now, start < time {
            let change = min(end, time)
            if change > start, mayDraw(shown) {
                spans.append(ScreenSpan(start: start, end: change, cues: shown))
            }
            now = change
            shown.removeAll { $0.end <= change }
        }
        now = max(now ?? time, time)
        return spans
    }
}
