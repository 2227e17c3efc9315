internal import UndertextCore

/// Puts runs together: white space according to `xml:space`, line breaks, ruby.
///
/// TTML2, section 8.2.2 and appendix G (`xml:space`): without `preserve`, white space becomes one space, and none
/// at the beginning and the end of a line.
struct TTMLTextBuilder {
    /// `true` if lines without a letter stay; where only a part of a text is wanted, they are left of the others.
    let keepsEmptyLines: Bool
    /// `true` if there is any content: characters, preserved white space, or a line break.
    private(set) var hasContent = false
    /// `true` if there is a letter that can be seen.
    private(set) var isVisible = false

    /// A space that appears once something follows it on the line.
    private var pendingSpace: TextStyle?
    private var isAtLineStart = true
    private var runs: [TextRun] = []

    init(keepsEmptyLines: Bool = true) { self.keepsEmptyLines = keepsEmptyLines }

    /// Appends text.
    mutating func append(_ part: String, style: TextStyle, keepsSpace: Bool, isShown: Bool) {
        if keepsSpace {
            guard !part.isEmpty else { return }
            flushSpace()
            hasContent = true
            guard isShown else { return }
            var lines: [UInt8] = []
            for byte in part.utf8 where byte != 0x0D { lines.append(byte == 0x09 ? 0x20 : byte) }
            if lines.contains(where: { !$0.isSpace }) { isVisible = true }
            isAtLineStart = lines.last == 0x0A
            add(String(decoding: lines, as: UTF8.self), style)
            return
        }
        var word: [UInt8] = []
        for byte in part.utf8 {
            guard byte.isSpace else {
                if word.isEmpty { flushSpace() }
                if pendingSpace != nil {
                    word.append(0x20)
                    pendingSpace = nil
                }
                word.append(byte)
                continue
            }
            if !word.isEmpty || !isAtLineStart { pendingSpace = style }
            if !word.isEmpty { isAtLineStart = false }
        }
        guard !word.isEmpty else { return }
        isAtLineStart = false
        hasContent = true
        guard isShown else { return }
        isVisible = true
        add(String(decoding: word, as: UTF8.self), style)
    }

    /// Ends the line.
    mutating func breakLine(style: TextStyle) {
        hasContent = true
        pendingSpace = nil
        isAtLineStart = true
        if !keepsEmptyLines, runs.last?.text.utf8.last ?? 0x0A == 0x0A { return }
        add("\n", style)
    }

    /// Appends a base with its ruby text.
    mutating func append(base: String, ruby: String, style: TextStyle) {
        guard !base.isEmpty else { return }
        flushSpace()
        hasContent = true
        isVisible = true
        isAtLineStart = false
        // The last run that a text may have takes plain text only, so that it can grow.
        if runs.count < StyledTextBuilder.runsAtMost - 1 {
            runs.append(TextRun(base, style: style, ruby: ruby.isEmpty ? nil : ruby))
        } else {
            add(ruby.isEmpty ? base : "\(base)(\(ruby))", style)
        }
    }

    /// The text, once everything was appended.
    mutating func finish() -> StyledText {
        if !keepsEmptyLines, let last = runs.indices.last, runs[last].text.utf8.last == 0x0A {
            runs[last].text.removeLast()
            if runs[last].text.isEmpty { runs.removeLast() }
        }
        return StyledText(runs: runs)
    }

    private mutating func flushSpace() {
        guard let style = pendingSpace else { return }
        pendingSpace = nil
        add(" ", style)
    }

    private mutating func add(_ text: String, _ style: TextStyle) {
        // A line break looks the same in every style.
        if let last = runs.indices.last, runs[last].ruby == nil,
            runs[last].style == style || text == "\n"
                || runs.count >= StyledTextBuilder.runsAtMost
        {
            runs[last].text += text
        } else {
            runs.append(TextRun(text, style: style))
        }
    }
}
