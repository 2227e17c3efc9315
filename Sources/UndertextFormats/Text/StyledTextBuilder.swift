internal import UndertextCore

/// Collects UTF-8 bytes into runs of equal style.
struct StyledTextBuilder {
    /// The maximum number of runs in a text.
    ///
    /// Scripts with a color per character stay below it; each run takes many times the memory of its tag.
    static let runsAtMost = 10_000

    private var runs: [TextRun] = []
    private var pending: [UInt8] = []
    /// `true` if equal text may be added to the last run.
    private var mayJoin = true

    /// The style of text that is appended next.
    private(set) var style: TextStyle
    /// The time at which text that is appended next appears; `nil` for the start of the cue.
    private(set) var appearsAt: Timestamp?

    /// Starts with `style`.
    init(style: TextStyle = TextStyle()) {
        self.style = style
    }

    /// `true` if nothing was appended.
    var isEmpty: Bool { runs.isEmpty && pending.isEmpty }

    /// The number of runs, pending text included.
    var runCount: Int {
        mutating get {
            flush()
            return runs.count
        }
    }

    /// Appends a byte of UTF-8.
    mutating func append(_ byte: UInt8) { pending.append(byte) }

    /// Appends bytes of UTF-8.
    mutating func append(_ bytes: ArraySlice<UInt8>) { pending += bytes }

    /// Appends text.
    mutating func append(_ text: String) { pending += text.utf8 }

    /// Sets the style of subsequent text.
    mutating func setStyle(_ new: TextStyle) {
        guard new != style else { return }
        flush()
        style = new
    }

    /// Sets the time at which subsequent text appears.
    mutating func setAppearsAt(_ new: Timestamp?) {
        guard new != appearsAt else { return }
        flush()
        appearsAt = new
    }

    /// Prevents subsequent text from joining the last run.
    mutating func endRun() {
        flush()
        mayJoin = false
    }

    /// Attaches `ruby` as ruby text to the last run, if its index is at least `first`.
    mutating func attachRuby(_ ruby: String, from first: Int) {
        flush()
        guard runs.count > first, !ruby.isEmpty else { return }
        runs[runs.count - 1].ruby = (runs[runs.count - 1].ruby ?? "") + ruby
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        let text = String(decoding: pending, as: UTF8.self)
        pending.removeAll(keepingCapacity: true)
        if runs.count >= Self.runsAtMost {
            runs[runs.count - 1].text += text
        } else if mayJoin, let last = runs.last, last.ruby == nil, last.appearsAt == appearsAt,
            last.style == style
        {
            runs[runs.count - 1].text += text
        } else {
            runs.append(TextRun(text, style: style, appearsAt: appearsAt))
            mayJoin = true
        }
    }

    /// The text collected so far.
    mutating func finish() -> StyledText {
        flush()
        return StyledText(runs: runs)
    }
}
