package import UndertextCore

/// A block of a WebVTT file, by the ranges of its parts in the file.
///
/// W3C WebVTT, section 6.1, "collect a WebVTT block".
package struct WebVTTFileBlock: Hashable, Sendable {
    /// The kind of a block.
    package enum Kind: Hashable, Sendable {
        /// The signature and the lines below it.
        case header
        /// STYLE and a style sheet, before the first cue.
        case style
        /// REGION and its settings, before the first cue.
        case region
        /// NOTE and a comment.
        case comment
        /// A cue.
        case cue(WebVTTFileCue)
        /// A block with an arrow but without times: means nothing.
        case badTiming(WebVTTFileTimingFault)
        /// STYLE or REGION after a cue: means nothing.
        case misplaced
        /// A block without an arrow that is none of the above and is ignored.
        case stray
    }

    /// The kind.
    package var kind: Kind
    /// Its lines, without the last one's end.
    package var lines: Range<Int>
    /// The number of its first line, from 1.
    package var firstLine: Int
    /// The number of the line with an arrow that ended the block, where no empty line did.
    package var endingArrow: Int?
    /// The number of the first line that is longer than it may be.
    package var longLine: Int?
    /// The number of the first line with a NUL.
    package var nullLine: Int?
}

/// A cue as a WebVTT file has it.
package struct WebVTTFileCue: Hashable, Sendable {
    /// The identifier; empty if there is none.
    package var identifier: Range<Int>
    /// The start of the cue.
    package var start: Timestamp
    /// The end of the cue as written; a cue whose end is not after its start is never shown.
    package var end: Timestamp
    /// The settings without white space around them; empty if there are none.
    package var settings: Range<Int>
    /// The text; empty if there is none.
    package var text: Range<Int>
    /// The number of the line with the times, from 1.
    package var timingLine: Int
    /// The offset of that line.
    package var timingOffset: Int
}

/// The position of a line with an arrow that is not a timing line.
package struct WebVTTFileTimingFault: Hashable, Sendable {
    /// The number of the line, from 1.
    package var line: Int
    /// The number of the character that does not fit, from 1.
    package var column: Int
}
