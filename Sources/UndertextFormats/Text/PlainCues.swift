package import UndertextCore

/// A batch of cues of a text file that have only times and plain text.
///
/// Nine of ten cues of a SubRip file are plain. A packet, an event and a cue for each of them would cost ten
/// times as much as reading and writing them, so the reader passes them to the writer as ranges of the file.
/// They are equivalent to their packets: text without a position.
package struct PlainCues: Sendable {
    /// One of them.
    package struct Entry: Hashable, Sendable {
        /// The start in milliseconds; not negative.
        package var start: Int64
        /// The end in milliseconds; after ``start`` and below ``PlainCues/timeLimit``.
        package var end: Int64
        /// The range of its text in ``PlainCues/text``.
        package var words: Range<Int>
        /// `true` if they have tags: `<i>`, `<b>` or `<u>`, each closed before another opens.
        package var isTagged: Bool
    }

    /// A hundred million hours: times below it need no more room than writers have for them.
    static let timeLimit: Int64 = 360_000_000_000_000

    /// The text of the file: valid UTF-8.
    ///
    /// Words have lines that are not empty and do not end with white space, separated by LF or
    /// CR LF, and no other control character that text formats give a meaning.
    package let text: [UInt8]
    /// The cues; each begins after the one before it.
    package let entries: [Entry]

    /// An entry as its packet would have been decoded.
    package func cue(of entry: Entry, order: Int) -> Cue {
        var words: [UInt8] = []
        words.reserveCapacity(entry.words.count)
        for index in entry.words where text[index] != Byte.carriageReturn {
            words.append(text[index])
        }
        let stored = String(decoding: words, as: UTF8.self)
        return Cue(
            order: order, start: .milliseconds(entry.start), end: .milliseconds(entry.end),
            content: .text(entry.isTagged ? SubRipText(words).text : StyledText(stored)),
            source: entry.isTagged ? .subRip(stored) : nil)
    }
}

/// A reader that knows which of its cues are plain without their being decoded.
package protocol PlainCueReader: PacketReader {
    /// The plain cues up to the next one that is not, at most `most` of them.
    ///
    /// - Returns: `nil` where the next cue is not plain, at the end of the file, and for a file whose
    ///   cues are not in the order of their times: take the next packet then.
    func nextPlainCues(atMost most: Int) -> PlainCues?
}
