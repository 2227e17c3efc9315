internal import UndertextCore

/// Collects bytes of UTF-8 into runs of equal style.
struct StyledTextBuilder {
    /// Runs that a text may have: more than scripts with a color for each letter have, and each costs
    /// many times the bytes of its tag.
    static let runsAtMost = 10_000

    private var runs: [TextRun] = []
    private var pending: [UInt8] = []
    /// `true` if equal text may be added to the last run.
    private var mayJoin = true

    /// The style of what is appended next.
    private(set) var style: TextStyle
    /// When what is appended next appears; `nil` = with the cue.
    private(set) var appearsAt: Timestamp?

    /// Starts with `style`.
    init(style: TextStyle = TextStyle()) {
        self.style = style
    }

    /// `true` if nothing was appended.
    var isEmpty: Bool { runs.isEmpty && pending.isEmpty }

    /// Number of runs, once what is pending has become one.
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

    /// Changes the style of what follows.
    mutating func setStyle(_ new: TextStyle) {
        guard new != style else { return }
        flush()
        style = new
    }

    /// Changes when what follows appears.
    mutating func setAppearsAt(_ new: Timestamp?) {
        guard new != appearsAt else { return }
        flush()
        appearsAt = new
    }

    /// Keeps what follows from joining the run before it.
    mutating func endRun() {
        flush()
        mayJoin = false
    }

    /// Makes `ruby` the ruby text of the last run, if there is one from number `first` on.
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
