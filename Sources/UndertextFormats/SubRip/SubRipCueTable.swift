/// All cues of a SubRip file, and which of them can be copied without being decoded.
struct SubRipCueTable {
    private var cues: [SubRipFileCue] = []
    private var place = 0
    /// `true` if no cue begins before the one above it.
    private let isOrdered: Bool

    /// Bytes of text that a plain cue may have.
    private let longest: Int

    /// Takes the remaining cues of `parser`; texts longer than `longest` are not plain.
    init(_ parser: inout SubRipFileParser, longest: Int) {
        self.longest = min(longest, Self.longestPlain)
        // No cue is shorter, but for those of hostile files.
        cues.reserveCapacity(parser.text.count / 40)
        // A local copy while it runs, so that it is not shared.
        var running = parser
        var isOrdered = true
        var latest = Int64.min
        while let cue = running.next() {
            if cue.start < latest { isOrdered = false }
            latest = cue.start
            cues.append(cue)
        }
        parser = running
        self.isOrdered = isOrdered
    }

    /// The next cue; `nil` after the last one.
    mutating func next() -> SubRipFileCue? {
        guard place < cues.count else { return nil }
        defer { place += 1 }
        return cues[place]
    }

    /// Returns the next cues that can be copied.
    ///
    /// - Parameters:
    ///   - most: the maximum number of cues.
    ///   - text: the text of the file.
    /// - Returns: the cues; `nil` if the next cue cannot be copied.
    mutating func takePlain(
        atMost most: Int, of text: [UInt8]
    ) -> [PlainCues.Entry]? {
        guard isOrdered, isPlain(at: place, of: text) else { return nil }
        var entries: [PlainCues.Entry] = []
        entries.reserveCapacity(min(most, cues.count - place))
        var size = 0
        repeat {
            let cue = cues[place]
            size += cue.text.count
            entries.append(
                .init(start: cue.start, end: cue.end, words: cue.text, isTagged: cue.hasTags))
            place += 1
        } while entries.count < most && size < Self.sizeAtOnce && isPlain(at: place, of: text)
        return entries
    }

    /// Bytes of words that are copied at once, except for the last cue: writers hold several times as many.
    private static let sizeAtOnce = 1 << 18
    /// Longer cues never take the fast path.
    private static let longestPlain = 1 << 16

    /// `true` if no other cue has the start of this one, and its text can be copied.
    ///
    /// Cues with equal starts are compared with each other, which requires their packets.
    private func isPlain(at index: Int, of text: [UInt8]) -> Bool {
        guard index < cues.count else { return false }
        let cue = cues[index]
        guard cue.isPlain, !cue.text.isEmpty, cue.text.count <= longest, cue.start >= 0,
            cue.end > cue.start, cue.end < PlainCues.timeLimit
        else { return false }
        if index > 0, cues[index - 1].start == cue.start { return false }
        guard index + 1 == cues.count || cues[index + 1].start > cue.start else { return false }
        return !cue.hasTags || SubRipSimpleTags.areAll(in: text, cue.text)
    }
}
