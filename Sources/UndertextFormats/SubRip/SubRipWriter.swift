package import UndertextCore

/// Writes cues as a SubRip file: UTF-8 without a byte order mark, lines ended by line feeds.
///
/// Cues are numbered from 1. A cue without text is not written, and events with equal times, position and text
/// are written once. Positions other than the nine of `{\an}` are a loss.
package struct SubRipWriter: CueWriter {
    /// The losses so far.
    package private(set) var losses = ConversionLosses()
    /// Number of cues written so far.
    package private(set) var cueCount = 0
    /// Number of cues left out because one equal to them was written.
    package var mergedCount: Int { duplicates.found }
    private let sources: SourceLosses
    private let classes: WebVTTClassColors
    /// `true` if rules of style sheets are lost, which is reported once.
    private var losesRules: Bool
    private var duplicates = DuplicateFilter()
    private var scratch = ByteScratch()

    /// Creates a writer; `header` has the losses of a script's styles.
    package init(header: SubtitleHeader = SubtitleHeader()) {
        sources = SourceLosses([.anchors, .subRipCodes], header: header)
        classes = WebVTTClassColors(header.styleSheets)
        losesRules = classes.hasOtherRules
    }

    /// Writes nothing: SubRip has no header.
    package mutating func begin(into output: inout [UInt8]) {}

    /// Writes a cue.
    package mutating func write(_ cue: Cue, into output: inout [UInt8]) {
        let text = SubRipCueEncoder(cue, classes: classes)
        if losesRules {
            losesRules = false
            losses.record(.style, in: cue)
        }
        losses.record(text.losses, of: cue, sources: sources)
        guard !text.bytes.isEmpty else { return }
        let span = MillisecondSpan(cue)
        guard duplicates.isNew(cue, span: span, text: text.bytes) else { return }
        cueCount += 1
        SubRipBlock.append(
            number: cueCount, start: span.start, end: span.end, text: text.bytes, to: &output)
    }

    /// Copies cues without style and position; cues with a byte that may need a joiner are encoded
    /// individually.
    package mutating func write(
        _ cues: PlainCues, firstOrder: Int, into output: inout [UInt8]
    ) {
        // A block has a number, two times, an arrow and four ends of lines beside its words.
        scratch.begin(size: cues.entries.reduce(0) { $0 + $1.words.count + 80 })
        for (index, entry) in cues.entries.enumerated() {
            // Losses of the header are counted for a cue.
            if losesRules || entry.isTagged || !copy(entry, of: cues.text) {
                output += scratch.made
                scratch.goBack(to: 0)
                write(cues.cue(of: entry, order: firstOrder + index), into: &output)
            }
        }
        output += scratch.made
    }

    /// Copies an entry; not one with a byte that has a meaning.
    private mutating func copy(_ entry: PlainCues.Entry, of text: [UInt8]) -> Bool {
        let begin = scratch.count
        scratch.putDecimal(cueCount + 1)
        scratch.put(Byte.lineFeed)
        scratch.putTimes(entry, separator: Byte.comma)
        scratch.put(Byte.lineFeed)
        guard
            scratch.put(wordsAt: entry.words, of: text, unless: SubRipCueEncoder.hasMeaning)
        else {
            scratch.goBack(to: begin)
            return false
        }
        scratch.put(Byte.lineFeed)
        scratch.put(Byte.lineFeed)
        cueCount += 1
        return true
    }

    /// Writes nothing.
    package mutating func finish(into output: inout [UInt8]) {}
}

/// One numbered block of a SubRip file.
enum SubRipBlock {
    /// Appends the block and the empty line after it; times in milliseconds.
    static func append(
        number: Int, start: Int64, end: Int64, coordinates: SubRipCoordinates? = nil,
        text: [UInt8], to output: inout [UInt8]
    ) {
        output.appendDecimal(UInt64(Swift.max(0, number)))
        output.append(Byte.lineFeed)
        output.appendClock(milliseconds: start, separator: Byte.comma)
        output += Self.arrow
        output.appendClock(milliseconds: end, separator: Byte.comma)
        if let place = coordinates {
            output += " X1:\(place.x1) X2:\(place.x2) Y1:\(place.y1) Y2:\(place.y2)".utf8
        }
        output.append(Byte.lineFeed)
        output += text
        output.append(Byte.lineFeed)
        output.append(Byte.lineFeed)
    }

    private static let arrow = Array(" --> ".utf8)
}
