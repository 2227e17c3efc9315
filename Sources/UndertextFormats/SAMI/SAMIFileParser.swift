internal import UndertextCore

/// The text of a SAMI file at a time in one language.
struct SAMIParagraph {
    /// The start in milliseconds.
    var start: Int64
    /// The end in milliseconds, if the file states it.
    var end: Int64?
    /// The positions of its `<P>` elements.
    var ranges: [Range<Int>]
}

/// Parses a SAMI file.
///
/// A `SYNC` ends when the next one begins, even if it is not closed; the same applies to `P`.
struct SAMIFileParser {
    /// The style sheets, one after another.
    private(set) var sheet: [UInt8] = []
    /// The text by class in lower case, in the order of the classes in the file.
    private(set) var classes: [(name: String, paragraphs: [SAMIParagraph])] = []
    /// The diagnostics; for a diagnostic of one class, the stream is the position of that class.
    let diagnostics = DiagnosticSink()

    private var notes: TextFileNotes

    private let bytes: [UInt8]
    private let limits: Limits
    private var count = 0
    /// The `SYNC` that is open.
    private var time: (start: Int64, end: Int64?)?
    /// The `P` that is open: its class and where it begins.
    private var open: (name: String, start: Int)?
    private var line = 1
    private var lineStart = 0
    private var counted = 0

    /// The most classes that are distinguished.
    private static let classesAtMost = 100
    /// Bytes of a style sheet.
    private static let longestSheet = 1 << 20
    /// Bytes of a line whose characters are counted.
    private static let longestCounted = 512
    /// The latest accepted time in milliseconds: more than a hundred years.
    private static let latest = 4e12

    init(_ bytes: [UInt8], limits: Limits) {
        notes = TextFileNotes(diagnostics)
        self.bytes = bytes
        self.limits = limits
        var tokens = SAMITokenizer(bytes)
        while count < limits.cues, let token = tokens.next() {
            switch token {
            case .start(let tag): begin(tag, &tokens)
            case .end(let tag):
                if tag.name == "p" { closeParagraph(at: tag.range.lowerBound) }
                if ["sync", "body", "sami"].contains(tag.name) {
                    closeParagraph(at: tag.range.lowerBound)
                    time = nil
                }
            case .text(let range):
                // A SYNC without a P.
                if time != nil, open == nil, !bytes[range].trimmed.isEmpty {
                    open = ("", range.lowerBound)
                }
            }
        }
        if count >= limits.cues {
            notes.add(
                .error, "too-many-cues", at: place(tokens.position), stream: nil,
                "more than \(limits.cues) cues: the rest of the file is left out")
        }
        closeParagraph(at: bytes.count)
        notes.finish()
    }

    private mutating func begin(_ tag: SAMITag, _ tokens: inout SAMITokenizer) {
        switch tag.name {
        case "style":
            if let range = tokens.skipContent(of: "style", atMost: Self.longestSheet) {
                sheet += bytes[range]
                sheet.append(Byte.lineFeed)
            }
        case "title", "samiparam", "script":
            _ = tokens.skipContent(of: tag.name, atMost: Self.longestSheet)
        case "sync":
            closeParagraph(at: tag.range.lowerBound)
            time = Self.milliseconds(tag.value("start")).map {
                ($0, Self.milliseconds(tag.value("end")))
            }
            if time == nil {
                notes.add(
                    .error, "bad-timing", at: place(tag.range.lowerBound), stream: nil,
                    "a SYNC without a start is left out with its text")
            }
        case "p":
            closeParagraph(at: tag.range.lowerBound)
            guard time != nil else { return }
            let name = tag.value("class")?.trimmed.prefix(64) ?? []
            open = (
                String(decoding: name.map(\.lowercased), as: UTF8.self), tag.range.lowerBound
            )
        default:
            // Markup may begin a text without a P, too.
            if time != nil, open == nil, tag.name != "body" {
                open = ("", tag.range.lowerBound)
            }
        }
    }

    private static func milliseconds(_ value: ArraySlice<UInt8>?) -> Int64? {
        guard let number = value?.leadingNumber, abs(number) <= latest else { return nil }
        return Int64(number.rounded())
    }

    private mutating func closeParagraph(at end: Int) {
        guard let (name, start) = open, let time else {
            open = nil
            return
        }
        open = nil
        let index: Int
        if let known = classes.firstIndex(where: { $0.name == name }) {
            index = known
        } else if classes.count < Self.classesAtMost {
            index = classes.count
            classes.append((name, []))
        } else {
            notes.add(
                .error, "too-many-classes", at: place(start), stream: nil,
                "the file has more than \(Self.classesAtMost) classes: the others are left out")
            return
        }
        var range = start..<end
        if range.count > limits.packetSize {
            range = start..<start + limits.packetSize
            notes.add(
                .error, "long-cue", at: place(start), stream: index,
                "the text of the cue is too long: it is cut")
        }
        count += 1
        let last = classes[index].paragraphs.count - 1
        if last >= 0, classes[index].paragraphs[last].start == time.start {
            classes[index].paragraphs[last].ranges.append(range)
        } else {
            classes[index].paragraphs.append(
                SAMIParagraph(start: time.start, end: time.end, ranges: [range]))
        }
    }

    /// The line and column of an offset; offsets rise.
    private mutating func place(_ offset: Int) -> TextFileNotes.Place {
        while counted < min(offset, bytes.count) {
            counted += 1
            if bytes[counted - 1] == Byte.lineFeed {
                line += 1
                lineStart = counted
            }
        }
        // The characters of a line that long are not counted.
        let isLong = offset - lineStart > Self.longestCounted
        return .init(
            line: line,
            column: isLong
                ? offset - lineStart + 1
                : TextLines.column(of: offset, from: lineStart, in: bytes))
    }
}
